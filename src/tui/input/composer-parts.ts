/** What the composer stands on: the editor on the screen, and what it may ask of the rest of the interface. */
import type { Clock } from "../../shared/index.ts";
import type { QueuedChip } from "../model/items.ts";
import type { CommandUi, DraftStore, Outside } from "../ports.ts";
import type { Editor } from "../screen/port.ts";
import type { ActionName } from "./keymap.ts";
import type { PastedPaths } from "./pastes.ts";
import type { Said } from "./said.ts";

export interface ComposerParts {
  readonly editor: () => Editor;
  readonly clock: Clock;
  /** Of the text, in cells. */
  readonly width: () => number;
  readonly isBusy: () => boolean;
  /** What waits for its seam, oldest first. */
  readonly queued: () => readonly QueuedChip[];
  /** False: it was not taken, and the draft stays. */
  readonly submit: (said: Said, how: "send" | "queue") => boolean;
  /** Asks the engine to take back what is queued; `observe` hears of it. */
  readonly withdraw: (queuedEventId: string) => void;
  /** Copies what is selected, in the draft or elsewhere. False: nothing is. */
  readonly copySelection: () => boolean;
  /** Shows the history to choose from. */
  readonly searchHistory: (texts: readonly string[], choose: (text: string) => void) => void;
  readonly edit: Outside["edit"];
  readonly picture?: Outside["picture"];
  readonly drafts: DraftStore;
  readonly say: CommandUi["say"];
  /** The key of an action, as it is shown; undefined when it has none. */
  readonly keyOf: (action: ActionName) => string | undefined;
  readonly help: () => void;
  readonly quit: () => void;
  readonly paths: PastedPaths;
}

/** By the name of the action. True: the key is used up. */
export type KeyActions = Partial<Record<ActionName, () => boolean>>;
