/** What the keys of the draft do, by what they are about: sending, walking through what was said, leaving, changing the text. */
import { steadyNow } from "../../shared/index.ts";
import type { Editor, EditorAction } from "../screen/port.ts";
import type { ComposerParts, KeyActions } from "./composer-parts.ts";
import type { ActionName } from "./keymap.ts";
import type { PromptHistory } from "./prompt-history.ts";
import { saidOf } from "./said.ts";

const TWICE_MS = 1500;

export function sending({ editor, isBusy, submit }: ComposerParts, clear: () => void): KeyActions {
  const say = (how: "send" | "queue"): boolean => {
    const said = saidOf(editor().text(), editor().chips());
    if (said.text.trim() === "") return true;
    if (!submit(said, how)) return true;
    clear();
    return true;
  };
  return {
    send: () => {
      if (!continuesLine(editor())) return say("send");
      editor().run("backspace");
      editor().run("newline");
      return true;
    },
    queue: () => isBusy() && editor().text().trim() !== "" && say("queue"),
    newline: () => {
      editor().run("newline");
      return true;
    },
  };
}

/** A backslash stands before the cursor at the end of its line; two of them are one that is meant. */
function continuesLine(editor: Editor): boolean {
  const [text, cursor] = [editor.text(), editor.cursor()];
  const isAtEnd = cursor === text.length || text[cursor] === "\n";
  const slashes = /\\*$/.exec(text.slice(Math.max(0, cursor - 64), cursor))?.[0].length ?? 0;
  return isAtEnd && slashes % 2 === 1;
}

export function walking({ editor, width, searchHistory }: ComposerParts, history: PromptHistory): KeyActions {
  /** As the walk left it: then the next step goes on, whichever row the cursor is in. */
  let left: { readonly text: string; readonly cursor: number } | undefined;
  const step = (isAtEdge: boolean, next: PromptHistory["back"]): boolean => {
    const at = editor();
    const isChanged = left?.text !== at.text();
    if (!isAtEdge && (isChanged || left?.cursor !== at.cursor())) return false;
    const found = next({ text: at.text(), chips: at.chips() }, isChanged);
    if (!found) return false;
    at.setText(found.text, found.chips);
    at.setCursor(found.text.length);
    left = { text: at.text(), cursor: at.cursor() };
    return true;
  };
  return {
    "history-previous": () => step(editor().rows(width()).cursor === 0, history.back),
    "history-next": () => {
      const { count, cursor } = editor().rows(width());
      return step(cursor >= count - 1, history.forward);
    },
    "history-search": () => {
      searchHistory(history.texts(), (text) => {
        const found = history.find(text);
        history.add({ text: editor().text(), chips: editor().chips() });
        editor().setText(found?.text ?? text, found?.chips);
      });
      return true;
    },
  };
}

export function leaving(
  { editor, isBusy, copySelection, clock, say, keyOf, quit, help }: ComposerParts,
  clear: () => void,
): KeyActions {
  let pressedAt = Number.NEGATIVE_INFINITY;
  const isEmpty = () => editor().text() === "";
  return {
    "clear-or-quit": () => {
      if (copySelection()) return true;
      const isTwice = steadyNow(clock) - pressedAt < TWICE_MS;
      pressedAt = steadyNow(clock);
      if (!isEmpty()) clear();
      else if (isTwice) quit();
      else say(`${keyOf("clear-or-quit") ?? "The same key"} again quits.`);
      return true;
    },
    "delete-or-quit": () => {
      if (!isEmpty()) editor().run("delete");
      else if (isBusy()) say(waysOut(keyOf));
      else quit();
      return true;
    },
    "help-when-empty": () => {
      if (!isEmpty()) return false;
      help();
      return true;
    },
  };
}

/** Of a turn that runs. */
function waysOut(keyOf: ComposerParts["keyOf"]): string {
  const [stop, leave] = [keyOf("interrupt"), keyOf("clear-or-quit")];
  const ways = [...(stop ? [`${stop} stops it`] : []), ...(leave ? [`${leave} twice quits`] : [])];
  return ways.length === 0 ? "A turn runs." : `A turn runs: ${ways.join(", ")}.`;
}

const PLAIN: readonly (EditorAction & ActionName)[] = [
  "word-backward",
  "word-forward",
  "delete-word-backward",
  "delete-word-forward",
  "delete-to-line-start",
  "delete-to-line-end",
  "undo",
  "redo",
  "select-all",
];

export function changing({ editor }: ComposerParts): KeyActions {
  const run = (action: EditorAction) => () => {
    editor().run(action);
    return true;
  };
  const moves = (action: EditorAction) => () => {
    const before = editor().cursor();
    editor().run(action);
    return editor().cursor() !== before;
  };
  return {
    ...Object.fromEntries(PLAIN.map((action) => [action, run(action)])),
    "line-home": run("line-home"),
    "line-end": moves("line-end"), // at the end already: the key is the transcript's
  };
}
