/** One run of the interface on a terminal: from the first frame to the terminal given back and the session closed. */
import { asError, systemClock } from "../../shared/index.ts";
import type { StartChoice, TerminalPorts } from "../ports.ts";
import type { Screen, ScreenHandlers } from "../screen/port.ts";
import { createInterface, type InterfaceParts } from "./interface.ts";
import { createSuspension, heedStop, type Suspension } from "./suspension.ts";

export interface AppParts extends Pick<InterfaceParts, "windowMs" | "look"> {
  readonly ports: TerminalPorts;
  readonly openScreen: (handlers: ScreenHandlers) => Promise<Screen>;
  /** Aborted from outside when the interface has to end. */
  readonly stop?: AbortSignal | undefined;
}

/** How the interface ended. */
export interface AppEnd {
  readonly kind: "quit" | "failed";
  readonly error?: Error;
  readonly sessionId?: string;
  /** What was written and could neither be recorded nor kept. */
  readonly unkept?: string;
}

/** Resolves when the user is done, or with what ended it; the terminal is restored and the session closed then. */
export async function runApp({ openScreen, stop, ...parts }: AppParts, start: StartChoice): Promise<AppEnd> {
  const { promise: ended, resolve: end } = Promise.withResolvers<Pick<AppEnd, "kind" | "error">>();
  const quit = () => end({ kind: "quit" });
  const failed = (error: unknown) => end({ kind: "failed", error: asError(error) });
  let suspension: Suspension | undefined;
  const suspend = () => suspension?.suspend();
  const shown = createInterface({ ...parts, clock: systemClock, quit, failed, suspend });
  const screen = await openScreen(shown.handlers);
  shown.attach(screen);
  suspension = createSuspension({ screen, onFailure: failed });
  heedStop(stop, { quit, failed });
  await screen.settled(); // opening a session keeps the program busy for longer than a frame takes
  shown.begin(start);
  const how = await ended;
  const sessionId = shown.sessionId();
  shown.end();
  suspension.end();
  await screen.close();
  const unkept = await shown.rescue(how.kind === "failed");
  await parts.ports.host.close();
  return { ...how, ...(sessionId !== undefined && { sessionId }), ...(unkept !== undefined && { unkept }) };
}
