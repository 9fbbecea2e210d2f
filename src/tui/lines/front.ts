/**
 * The interface in lines: the same session, commands and layout as on a screen, over a terminal that is only written to and read
 * by lines. It draws nothing, moves no cursor, and there is no timer while nothing happens.
 */
import { asError, type Clock, systemClock } from "../../shared/index.ts";
import type { AppEnd } from "../app/app.ts";
import { heedStop } from "../app/suspension.ts";
import type { StartChoice, TerminalPorts } from "../ports.ts";
import { createDesk } from "./desk.ts";
import type { LineTerminal } from "./port.ts";

/** Resolves when the user is done, or with what ended it; the session is closed then. */
export async function runLines(
  ports: TerminalPorts,
  start: StartChoice,
  terminal: LineTerminal,
  clock: Clock = systemClock,
): Promise<AppEnd> {
  const { promise: ended, resolve: end } = Promise.withResolvers<Omit<AppEnd, "sessionId">>();
  const quit = () => end({ kind: "quit" });
  const failed = (error: unknown) => end({ kind: "failed", error: asError(error) });
  heedStop(terminal.stop, { quit, failed });
  const desk = createDesk({ ports, terminal, clock, quit, failed });
  const offInterrupt = terminal.onInterrupt(desk.interrupt);
  desk.converse(start).then(quit, failed);
  const how = await ended;
  offInterrupt();
  const sessionId = desk.leave();
  const unkept = how.kind === "failed" ? desk.unrecorded().join("\n\n") : "";
  await ports.host.close();
  return { ...how, ...(sessionId !== undefined && { sessionId }), ...(unkept !== "" && { unkept }) };
}
