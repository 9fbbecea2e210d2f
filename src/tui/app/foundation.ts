/** The parts that everything else stands on, and what keeps them in step: each change of the session goes to all of them, once. */
import { type Clock, invariant, type KhaelorEvent } from "../../shared/index.ts";
import { measureBy } from "../layout/width.ts";
import type { TerminalPorts } from "../ports.ts";
import type { Screen } from "../screen/port.ts";
import { createTranscript } from "../view/transcript.ts";
import { type Core, isBusyIn } from "./core.ts";
import { createIdleWork } from "./idle-work.ts";
import { createLayers } from "./layers.ts";
import { createSessionFeed } from "./session-feed.ts";
import { createSurroundings, type Surroundings } from "./surroundings.ts";

export interface FoundationParts {
  readonly ports: Pick<TerminalPorts, "host" | "settings">;
  readonly clock: Clock;
  /** The least time between two frames. */
  readonly windowMs: number;
  readonly onEvent: (event: KhaelorEvent) => void;
  readonly onDeath: (error: Error) => void;
  readonly isMouseFree: () => boolean;
  readonly keyOf: Core["keyOf"];
  /** At the far right of the status bar. */
  readonly hint: () => string;
}

export interface Foundation {
  readonly core: Core;
  readonly surroundings: Surroundings;
  /** Undefined until it is there. */
  readonly drawnOn: () => Screen | undefined;
  attach(screen: Screen): void;
  /** Takes what is new everywhere; after whatever did not come from the session. */
  refresh(): void;
  end(): void;
}

/** Of the transcript, in one slice of idle time. */
const REFINED_LINES = 200;

export function createFoundation(parts: FoundationParts): Foundation {
  const { ports, clock, keyOf } = parts;
  let drawnOn: Screen | undefined;
  const screen = (): Screen => {
    invariant(drawnOn !== undefined, "nothing is typed before there is a screen");
    return drawnOn;
  };
  // One of each, always the same: another measure lays out everything anew.
  const measures = { unicode: measureBy("unicode"), wcwidth: measureBy("wcwidth") };
  const measure = () => measures[drawnOn?.facts().widthMethod ?? "unicode"];
  const transcript = createTranscript({ measure });
  const view = () => feed.model().state();
  /** Whatever is to be drawn may have left something to read or to measure: a search that begins, a new width. */
  const redraw = () => {
    drawnOn?.requestFrame();
    idle.look();
  };
  const layers = createLayers(() => {
    surroundings.update();
    redraw();
  });
  const idle = createIdleWork(clock, () => {
    const isSearching = transcript.search.readOn();
    if (isSearching) drawnOn?.requestFrame(); // not `redraw`: its wait is the longer one
    return transcript.refine(REFINED_LINES) || isSearching;
  });
  function refresh(): void {
    transcript.update(view());
    surroundings.update();
    redraw();
  }
  function note(text: string): void {
    feed.model().addNote({ kind: "note", text, tone: "warn" });
    refresh();
  }
  const feed = createSessionFeed({ ...parts, host: ports.host, onChange: refresh, onNotice: note });
  const surroundings = createSurroundings({
    ...parts,
    measure,
    state: view,
    facts: () => feed.session()?.facts(),
    transcript,
    layers,
    screen: () => drawnOn,
    hasDraft: () => drawnOn !== undefined && drawnOn.editor.text() !== "",
    toDraft: (text) => drawnOn?.editor.insert(text),
    respond(requestId, decision, feedback) {
      if (!feed.session()) return; // an answer waits for no other session
      feed.dispatch({ kind: "permission-response", requestId, decision, ...(feedback !== undefined && { feedback }) });
    },
    notifications: ports.settings.notifications,
  });
  /** The session knows at once, also of a message whose files are being read. */
  const isBusy = () =>
    isBusyIn(view()) || (view().activity.kind !== "own-command" && feed.session()?.isBusy() === true);
  return {
    core: { screen, layers, transcript, feed, measure, view, isBusy, redraw, say: surroundings.say, keyOf },
    surroundings,
    drawnOn: () => drawnOn,
    attach(opened) {
      drawnOn = opened;
    },
    refresh,
    end() {
      feed.leave();
      surroundings.end();
      idle.end();
    },
  };
}
