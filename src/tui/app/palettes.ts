/**
 * The palettes that follow the draft: after each change of its text or cursor the one that fits is shown, and the others go.
 * Escape closes one until what it was about is gone from the draft.
 */
import { type MentionDraft, mentionAt } from "../input/mentions.ts";
import type { Measure } from "../layout/width.ts";
import type { Queries, SlashCommand } from "../ports.ts";
import type { Editor } from "../screen/port.ts";
import type { KeysOf } from "../view/command-rows.ts";
import type { Layer } from "../view/layer.ts";
import { createMentionPalette } from "../view/mention-palette.ts";
import { createSlashPalette } from "../view/slash-palette.ts";
import type { LayerStack } from "./layers.ts";

export interface PaletteParts {
  readonly editor: () => Editor;
  readonly layers: Pick<LayerStack, "push" | "remove">;
  readonly commands: readonly SlashCommand[];
  readonly queries: Pick<Queries, "findFiles" | "noteAccess">;
  readonly keysOf: KeysOf;
  readonly isBusy: () => boolean;
  readonly measure: () => Measure;
  /** A command takes the draft's place, and goes at once: the history has it as if it had been typed. */
  readonly sent: (text: string) => void;
  /** Runs the command; the draft was cleared. */
  readonly run: (command: SlashCommand, args: string) => void;
  readonly onChange: () => void;
}

export interface Palettes {
  /** The draft's text or its cursor changed. */
  edited(): void;
  /** Both go, and stay away until what they were about is gone: after a prompt was taken from the history. */
  dismiss(): void;
}

export function createPalettes(parts: PaletteParts): Palettes {
  const slash = slashFollower(parts);
  const mention = mentionFollower(parts);
  return {
    edited() {
      const editor = parts.editor();
      const [text, cursor] = [editor.text(), editor.cursor()];
      slash.follow(text, cursor);
      mention.follow(text, cursor);
    },
    dismiss() {
      slash.dismiss();
      mention.dismiss();
    },
  };
}

interface Follower {
  follow(text: string, cursor: number): void;
  dismiss(): void;
}

function slashFollower({ editor, layers, run, sent, ...parts }: PaletteParts): Follower {
  const shelf = createShelf(layers);
  const palette = createSlashPalette({
    ...parts,
    complete(text) {
      editor().setText(text);
      editor().setCursor(text.length);
      follower.follow(text, text.length);
    },
    run(command, args) {
      shelf.hide();
      sent(args === "" ? `/${command.name}` : `/${command.name} ${args}`);
      run(command, args);
    },
    onClose: () => shelf.dismiss(),
  });
  const follower: Follower = {
    follow(text, cursor) {
      const isFit = palette.update(text, cursor);
      shelf.show(palette, isFit, text.startsWith("/"));
    },
    dismiss: () => shelf.dismiss(),
  };
  return follower;
}

function mentionFollower({ layers, ...parts }: PaletteParts): Follower {
  const shelf = createShelf(layers);
  let draft: MentionDraft | undefined;
  const palette = createMentionPalette({ ...parts, onClose: () => shelf.dismiss() });
  return {
    follow(text, cursor) {
      const before = draft;
      draft = mentionAt(text, cursor, parts.editor().chips());
      const isOther = draft?.start !== before?.start;
      if (before && isOther && shelf.isShown() && isEnded(before, text, cursor)) {
        draft = undefined;
        palette.finish(before);
      }
      if (isOther) shelf.forget();
      if (draft && !shelf.isDismissed()) palette.update(draft);
      if (!draft) palette.dispose();
      shelf.show(palette, draft !== undefined, draft !== undefined);
    },
    dismiss: () => shelf.dismiss(),
  };
}

/** A blank was just typed behind it. */
const isEnded = ({ start, query, range }: MentionDraft, text: string, cursor: number): boolean => {
  const word = `@${query}${range}`;
  return (
    cursor === start + word.length + 1 && text.slice(start, cursor - 1) === word && /\s/.test(text[cursor - 1] ?? "")
  );
};

/** One layer that is on the stack or not. */
function createShelf(layers: PaletteParts["layers"]) {
  let shown: Layer | undefined;
  let isDismissed = false;
  function hide(): void {
    if (shown) layers.remove(shown);
    shown = undefined;
  }
  return {
    hide,
    isShown: () => shown !== undefined,
    isDismissed: () => isDismissed,
    forget() {
      isDismissed = false;
    },
    dismiss() {
      isDismissed = true;
      hide();
    },
    /** `isThere`: what a dismissed one was about is still in the draft. */
    show(layer: Layer, isFit: boolean, isThere: boolean): void {
      if (!isThere) isDismissed = false;
      const isWanted = isFit && !isDismissed;
      if (!isWanted) hide();
      else if (!shown) layers.push(layer);
      if (isWanted) shown = layer;
    },
  };
}
