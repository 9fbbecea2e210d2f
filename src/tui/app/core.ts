/** What most parts of the interface stand on: the screen, what lies over it, and the session that is shown. Made once, by `foundation.ts`. */
import type { ActionName } from "../input/keymap.ts";
import type { Measure } from "../layout/width.ts";
import type { Tone } from "../line.ts";
import type { ViewState } from "../model/view-model.ts";
import type { Screen } from "../screen/port.ts";
import type { Transcript } from "../view/transcript.ts";
import type { LayerStack } from "./layers.ts";
import type { SessionFeed } from "./session-feed.ts";

export interface Core {
  /** Nothing is typed before there is one. */
  readonly screen: () => Screen;
  readonly layers: LayerStack;
  readonly transcript: Transcript;
  readonly feed: SessionFeed;
  /** As the terminal at hand measures; the same function as long as that is so. */
  readonly measure: () => Measure;
  readonly view: () => ViewState;
  /** A turn runs, waits for an answer, or is about to begin. */
  readonly isBusy: () => boolean;
  /** The first key of an action that this terminal can send, as it is shown; undefined when it has none. */
  readonly keyOf: (action: ActionName) => string | undefined;
  /** Something is to be drawn. */
  readonly redraw: () => void;
  /** In the status bar, for a few seconds. */
  readonly say: (text: string, tone?: Tone) => void;
}

/** A command of the user's own is no turn: what is sent meanwhile is a message of its own. */
export const isBusyIn = ({ activity: { kind } }: Pick<ViewState, "activity">): boolean =>
  kind !== "idle" && kind !== "starting" && kind !== "own-command";
