/**
 * Every key as data: what it does, where, and how the help says it. The tables give the dispatch, `/keybindings`, the help
 * and the documents. A binding of the user's replaces all keys of its action.
 */

/**
 * Where a key counts, from the top of the stack down: a question that waits for an answer, a list that completes what is
 * typed, the transcript while it has the keys, the panel that asks for consent, the draft, everywhere.
 */
export const KEY_CONTEXTS = ["modal", "palette", "transcript", "panel", "composer", "global"] as const;
export type KeyContext = (typeof KEY_CONTEXTS)[number];

export interface Binding {
  readonly action: string;
  readonly keys: readonly string[];
  readonly context: KeyContext;
  readonly about: string;
}

/**
 * In each context from the top: an action that has nothing to do leaves the key to the next one that knows it. A sequence is
 * written with blanks, as in `ctrl+x d`.
 */
export const BINDINGS = [
  { action: "send", keys: ["enter"], context: "composer", about: "Sends; while a turn runs it steers the turn." },
  {
    action: "queue",
    keys: ["tab", "alt+enter"],
    context: "composer",
    about: "While a turn runs: what is typed waits for its end.",
  },
  {
    action: "newline",
    keys: ["shift+enter", "alt+enter", "ctrl+j"],
    context: "composer",
    about: "Begins a new line; so does Enter behind a backslash.",
  },
  { action: "take-back", keys: ["alt+up"], context: "composer", about: "Takes what is queued back into the draft." },
  {
    action: "history-previous",
    keys: ["up"],
    context: "composer",
    about: "In the first row: what was said before in this project.",
  },
  { action: "history-next", keys: ["down"], context: "composer", about: "In the last row: back towards the draft." },
  { action: "history-search", keys: ["ctrl+r"], context: "composer", about: "Searches what was said before." },
  {
    action: "paste-picture",
    keys: ["ctrl+v"],
    context: "composer",
    about: "Puts the picture that is in the clipboard into the draft.",
  },
  { action: "editor", keys: ["ctrl+g"], context: "composer", about: "Opens the draft in your editor." },
  {
    action: "delete-or-quit",
    keys: ["ctrl+d"],
    context: "composer",
    about: "Deletes the character under the cursor; quits when nothing is typed and nothing runs.",
  },
  { action: "line-home", keys: ["ctrl+a", "home"], context: "composer", about: "To the beginning of the line." },
  { action: "line-end", keys: ["ctrl+e", "end"], context: "composer", about: "To the end of the line." },
  { action: "word-backward", keys: ["alt+b", "ctrl+left", "alt+left"], context: "composer", about: "A word back." },
  { action: "word-forward", keys: ["alt+f", "ctrl+right", "alt+right"], context: "composer", about: "A word on." },
  {
    action: "delete-word-backward",
    keys: ["ctrl+w", "alt+backspace", "ctrl+backspace"],
    context: "composer",
    about: "Deletes the word before the cursor.",
  },
  {
    action: "delete-word-forward",
    keys: ["alt+d", "alt+delete", "ctrl+delete"],
    context: "composer",
    about: "Deletes the word behind the cursor.",
  },
  {
    action: "delete-to-line-start",
    keys: ["ctrl+u"],
    context: "composer",
    about: "Deletes to the beginning of the line.",
  },
  { action: "delete-to-line-end", keys: ["ctrl+x k"], context: "composer", about: "Deletes to the end of the line." },
  { action: "undo", keys: ["ctrl+-", "ctrl+_", "ctrl+x u"], context: "composer", about: "Takes the last change back." },
  { action: "redo", keys: ["ctrl+.", "ctrl+x r"], context: "composer", about: "Makes it again." },
  { action: "select-all", keys: ["ctrl+x a"], context: "composer", about: "Selects the whole draft." },
  { action: "help-when-empty", keys: ["?"], context: "composer", about: "With nothing typed: shows the keys." },

  { action: "item-up", keys: ["up", "k"], context: "transcript", about: "To the item before." },
  { action: "item-down", keys: ["down", "j"], context: "transcript", about: "To the next item." },
  { action: "fold-item", keys: ["enter", "space"], context: "transcript", about: "Folds the item, or unfolds it." },
  { action: "full-output", keys: ["o"], context: "transcript", about: "Shows all of the item's output." },
  { action: "copy-item", keys: ["y"], context: "transcript", about: "Copies the item." },
  { action: "copy-code", keys: ["Y"], context: "transcript", about: "Copies the code block in the item." },
  { action: "find-here", keys: ["/"], context: "transcript", about: "Finds text in the session." },
  { action: "find-next", keys: ["n"], context: "transcript", about: "To the next place where it is found." },
  { action: "find-previous", keys: ["N"], context: "transcript", about: "To the place before." },
  { action: "turn-up", keys: ["{"], context: "transcript", about: "To what you said before." },
  { action: "turn-down", keys: ["}"], context: "transcript", about: "To what you said next." },
  { action: "top", keys: ["g", "home"], context: "transcript", about: "To the beginning of the session." },
  { action: "bottom", keys: ["G", "end"], context: "transcript", about: "To its end, and along with what comes." },
  {
    action: "leave-transcript",
    keys: ["escape", "q", "i", "tab", "ctrl+o"],
    context: "transcript",
    about: "Back to the draft.",
  },

  { action: "interrupt", keys: ["escape"], context: "global", about: "Closes what is open; stops the turn." },
  {
    action: "clear-or-quit",
    keys: ["ctrl+c"],
    context: "global",
    about: "Copies what is selected, else clears the draft; twice: quits.",
  },
  { action: "suspend", keys: ["ctrl+z"], context: "global", about: "Leaves the terminal to the shell; fg comes back." },
  { action: "redraw", keys: ["ctrl+l"], context: "global", about: "Paints everything anew." },
  { action: "palette", keys: ["ctrl+k", "ctrl+p"], context: "global", about: "Lists every command." },
  { action: "find", keys: ["ctrl+f"], context: "global", about: "Finds text in the session." },
  { action: "cycle-mode", keys: ["shift+tab"], context: "global", about: "Changes the permission mode." },
  { action: "thinking", keys: ["ctrl+t"], context: "global", about: "Shows or folds what the model thinks." },
  {
    action: "focus-transcript",
    keys: ["ctrl+o", "tab"],
    context: "global",
    about: "Gives the keys to the transcript: move, fold, search, copy.",
  },
  { action: "mouse", keys: ["f12"], context: "global", about: "Frees the mouse for the terminal, or takes it." },
  { action: "help", keys: ["f1", "ctrl+x h", "ctrl+x ?"], context: "global", about: "Shows commands and keys." },
  { action: "page-up", keys: ["pageup"], context: "global", about: "A page back in the transcript." },
  { action: "page-down", keys: ["pagedown"], context: "global", about: "A page on." },
  { action: "follow", keys: ["end", "ctrl+end"], context: "global", about: "To the end, and along with what comes." },
  { action: "to-top", keys: ["ctrl+home"], context: "global", about: "To the beginning of the session." },
  { action: "previous-item", keys: ["ctrl+up"], context: "global", about: "To the item before." },
  { action: "next-item", keys: ["ctrl+down"], context: "global", about: "To the next item." },
  { action: "previous-turn", keys: ["alt+pageup"], context: "global", about: "To what you said before." },
  { action: "next-turn", keys: ["alt+pagedown", "alt+down"], context: "global", about: "To what you said next." },
  { action: "diff", keys: ["ctrl+x d"], context: "global", about: "Shows what changed in the files." },
  { action: "fold-all", keys: ["ctrl+x e"], context: "global", about: "Unfolds every card, or folds all." },
  { action: "processes", keys: ["ctrl+x b"], context: "global", about: "Lists what runs in the background." },
  { action: "model", keys: ["ctrl+x m"], context: "global", about: "Chooses the model." },
  { action: "sessions", keys: ["ctrl+x s"], context: "global", about: "Chooses a session." },
  { action: "new-session", keys: ["ctrl+x n"], context: "global", about: "Begins a new session." },
  { action: "context", keys: ["ctrl+x c"], context: "global", about: "Shows what the model sees, by size." },
  { action: "pager", keys: ["ctrl+x t"], context: "global", about: "Shows the transcript in your pager." },
  { action: "copy-answer", keys: ["ctrl+x y"], context: "global", about: "Copies the last answer." },
] as const satisfies readonly Binding[];

export type ActionName = (typeof BINDINGS)[number]["action"];

export interface FixedKeys {
  readonly context: KeyContext;
  readonly keys: readonly string[];
  readonly about: string;
}

/** Keys of what lies over the transcript. They are always the same, so that nobody answers a question by a key of another. */
export const FIXED_KEYS: readonly FixedKeys[] = [
  { context: "palette", keys: ["up", "down"], about: "Chooses a row." },
  { context: "palette", keys: ["tab"], about: "Completes what is typed." },
  { context: "palette", keys: ["enter"], about: "Takes the row." },
  { context: "palette", keys: ["escape"], about: "Closes the list; what is typed stays." },
  { context: "modal", keys: ["enter"], about: "Answers." },
  { context: "modal", keys: ["escape"], about: "Gives up." },
  { context: "panel", keys: ["tab"], about: "Gives the keys to the panel while something is typed." },
  { context: "panel", keys: ["escape"], about: "Denies." },
];
