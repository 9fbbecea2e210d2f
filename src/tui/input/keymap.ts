/**
 * Every key as data: what it does, where, and how the help says it. The tables give the dispatch, `/keybindings`, the help
 * and the documents. A binding of the user's replaces all keys of its action.
 */

/** Where a key counts; the first that knows it wins. */
export type KeyContext = "composer" | "global";

export interface Binding {
  readonly action: string;
  readonly keys: readonly string[];
  readonly context: KeyContext;
  readonly about: string;
}

export const BINDINGS = [
  { action: "send", keys: ["enter"], context: "composer", about: "send; while a turn runs: steer it" },
  { action: "newline", keys: ["shift+enter", "ctrl+j"], context: "composer", about: "a new line" },
  { action: "interrupt", keys: ["escape"], context: "global", about: "close what is open; stop the turn" },
  { action: "clear-or-quit", keys: ["ctrl+c"], context: "global", about: "clear the draft; twice: quit" },
  { action: "page-up", keys: ["pageup"], context: "global", about: "back in the transcript" },
  { action: "page-down", keys: ["pagedown"], context: "global", about: "forward in the transcript" },
] as const satisfies readonly Binding[];

export type ActionName = (typeof BINDINGS)[number]["action"];
