/** The interface of one terminal, put together: what comes from events and keys changes the state, and frames are drawn from it. */
import { invariant, systemClock } from "../../shared/index.ts";
import { createKeymap } from "../input/key-dispatch.ts";
import { keyName } from "../key.ts";
import { measureBy } from "../layout/width.ts";
import type { StartChoice, TerminalPorts } from "../ports.ts";
import type { Screen, ScreenHandlers } from "../screen/port.ts";
import { composeFrame } from "../view/frame.ts";
import { createTranscript } from "../view/transcript.ts";
import { createActions } from "./actions.ts";
import { createLayers } from "./layers.ts";
import { createSessionFeed } from "./session-feed.ts";
import { createSurroundings } from "./surroundings.ts";
import { createSuspension, heedStop, type Suspension } from "./suspension.ts";

export interface AppParts {
  readonly ports: TerminalPorts;
  readonly openScreen: (handlers: ScreenHandlers) => Promise<Screen>;
  /** The least time between two frames. */
  readonly windowMs: number;
  /** Aborted from outside when the interface has to end. */
  readonly stop?: AbortSignal | undefined;
}

/** How the interface ended. */
export interface AppEnd {
  readonly kind: "quit" | "failed";
  readonly error?: Error;
  readonly sessionId?: string;
}

/** Resolves when the user is done, or with what ended it; the terminal is restored and the session closed then. */
export async function runApp({ ports, openScreen, windowMs, stop }: AppParts, start: StartChoice): Promise<AppEnd> {
  const { promise: ended, resolve: end } = Promise.withResolvers<Omit<AppEnd, "sessionId">>();
  const failed = (error: unknown) =>
    end({ kind: "failed", error: error instanceof Error ? error : new Error(`${error}`) });
  let drawnOn: Screen | undefined;
  let suspension: Suspension | undefined;
  const screen = (): Screen => {
    invariant(drawnOn !== undefined, "nothing is typed before there is a screen");
    return drawnOn;
  };
  // One of each, always the same: another measure lays out everything anew.
  const measures = { unicode: measureBy("unicode"), wcwidth: measureBy("wcwidth") };
  const measure = () => measures[drawnOn?.facts().widthMethod ?? "unicode"];
  const transcript = createTranscript({ measure });
  const refresh = () => {
    transcript.update(feed.model().state());
    surroundings.update();
    drawnOn?.requestFrame();
  };
  const feed = createSessionFeed({
    host: ports.host,
    clock: systemClock,
    windowMs,
    onChange: refresh,
    onDeath: failed,
  });
  const layers = createLayers(refresh);
  const surroundings = createSurroundings({
    clock: systemClock,
    measure,
    state: () => feed.model().state(),
    facts: () => feed.session()?.facts(),
    transcript,
    layers,
    screen: () => drawnOn,
    hasDraft: () => drawnOn?.editor.text() !== "",
    respond: (requestId, decision, feedback) =>
      feed.dispatch({ kind: "permission-response", requestId, decision, ...(feedback !== undefined && { feedback }) }),
    notifications: ports.settings.notifications,
    isMouseFree: () => false,
    hint: () => "^K commands",
  });
  const keymap = createKeymap(ports.settings.keybindings);
  let pending: string | undefined;
  const quit = () => end({ kind: "quit" });
  const actions = createActions({ feed, transcript, screen, quit, suspend: () => suspension?.suspend() });
  drawnOn = await openScreen({
    draw: (size) =>
      composeFrame({
        size,
        ...surroundings.parts,
        transcript: ({ width, height }) => transcript.rows(Math.max(1, width - 2), height),
        full: layers.full(),
        above: layers.above(),
        composerRows: (width) => drawnOn?.editor.rows(width).count ?? 1,
      }),
    key(key) {
      if (layers.key(key)) return true;
      const found = keymap.resolve(keyName(key), { contexts: ["composer", "global"], pending });
      const wasPending = pending !== undefined;
      pending = found?.kind === "pending" ? found.pending : undefined;
      if (found?.kind !== "actions") return found !== undefined;
      return found.actions.some((action) => actions[action]?.() === true) || wasPending;
    },
    paste: () => undefined,
    mouse: () => undefined,
    resized: () => undefined,
    focused: surroundings.focused,
    themeMode: () => undefined,
    edited: () => undefined,
    failed,
  });
  suspension = createSuspension({ screen: drawnOn, onFailure: failed });
  heedStop(stop, { quit, failed });
  const { prompt, mentions = [] } = start;
  if (prompt !== undefined) feed.dispatch({ kind: "submit-message", text: prompt, mentions });
  feed.open(start.session).catch(failed);
  const how = await ended;
  const sessionId = feed.session()?.id;
  feed.leave();
  surroundings.end();
  suspension.end();
  await drawnOn.close();
  await ports.host.close();
  return { ...how, ...(sessionId !== undefined && { sessionId }) };
}
