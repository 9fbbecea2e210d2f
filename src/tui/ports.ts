/**
 * What the terminal needs from the rest of the house, and gives to it. The interface knows no engine, no disk and no network:
 * `cli` implements these ports. None of these calls blocks; what takes time resolves later.
 */
import type { KernelCommand, KhaelorEvent, LogEvent, Mention, ModelUsage } from "../shared/index.ts";

export interface TerminalPorts {
  readonly host: SessionHost;
  readonly queries: Queries;
  readonly commands: readonly SlashCommand[];
  /** What to say of a slash command that is none of them, by its name. */
  readonly unknownCommand: (name: string) => string;
  readonly drafts: DraftStore;
  readonly settings: TerminalSettings;
  readonly outside: Outside;
}

/** What is open at the start, and what is said first. */
export interface StartChoice {
  readonly session: SessionChoice;
  readonly prompt?: string;
  readonly mentions?: readonly Mention[];
}

/**
 * Empty: a new session. `pick`: the only session that the words name; where they name several, or there are none, the user
 * chooses first.
 */
export interface SessionChoice {
  readonly resume?: string;
  readonly fork?: { readonly id: string; readonly seq?: number };
  readonly pick?: { readonly text: string };
  readonly name?: string;
}

/** Opens sessions, one at a time. */
export interface SessionHost {
  /**
   * Closes what is open and opens this; to be looked at only where it is damaged, open elsewhere or cannot be written. Rejects with an Error whose message is for people and says what to do next; an error
   * named `MissingKey` asks for the key, and one named `Choose`, of a `pick`, lets the user choose. Nothing is open then.
   */
  open(choice: SessionChoice): Promise<OpenSession>;
  /** Ends everything: children, log, lock. Idempotent. */
  close(): Promise<void>;
}

export interface OpenSession {
  readonly id: string;
  readonly path: string;
  /** For people; shown once, not reasons to stop. */
  readonly notices: readonly string[];
  /** It can only be looked at: nothing is sent to it. */
  readonly readOnly?: ReadOnly;
  /** Every line so far, oldest first, streamed from the log; read it once, before `subscribe`. */
  history(): AsyncIterable<LogEvent | Gap>;
  /** Every event from now on. Returns the end of the subscription. */
  subscribe(onEvent: (event: KhaelorEvent) => void): () => void;
  dispatch(command: KernelCommand): void;
  /** What goes wrong beside the work, in words for people; what came before is told at once. Returns the end of it. */
  onNotice(onText: (text: string) => void): () => void;
  /** Goes to the next of the modes that one key reaches (ask, accept-edits, plan), records that, and returns it. */
  nextPermissionMode(): string;
  /** US dollars for this usage, or null when the price is not known. `asked`: the id in the request, which may be another. */
  readonly price: (model: string, usage: ModelUsage, asked?: string) => number | null;
  /** A turn runs, or what was said is being taken: known at once, before any event tells. */
  isBusy(): boolean;
  /** Of this, that the conversation is summed up between two turns. */
  isCompacting(): boolean;
  /** Resolves when nothing runs any more, or when the engine died. */
  settled(): Promise<void>;
  /** Nobody is there any more who could answer: what is asked is refused, and the turn goes on. */
  leave(): void;
  /** Goes on with what the log leaves open. False: there is nothing. */
  resume(): boolean;
  /** Cheap: read from folds that are held anyway. A new object only when something changed. */
  facts(): SessionFacts;
  /** Rejects when the engine died, such as of a full disk: nothing more can be recorded. */
  readonly died: Promise<never>;
}

export interface ReadOnly {
  /** Why, and how to go on, in words for people. */
  readonly why: string;
}

/** In the place of something that the log does not tell, in words for people. */
export interface Gap {
  readonly gap: string;
}

/** What the header and the status bar tell. */
export interface SessionFacts {
  readonly title: string;
  /** With `~` for the home folder. */
  readonly folder: string;
  readonly branch: string | undefined;
  readonly changedFiles: number;
  readonly model: string;
  readonly thinking: string;
  readonly effort: string | undefined;
  readonly permissionMode: string;
  /** Of the model's window, from the newest response; undefined before there is one. */
  readonly contextTokens: number | undefined;
  readonly contextWindow: number;
  /** US dollars; null when a price is not known. */
  readonly costUsd: number | null;
  readonly processes: number;
}

/** A command that begins with a slash, as palette, help and documents show it. */
export interface SlashCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  /** What may follow, such as `[id]`; empty for nothing. */
  readonly args: string;
  readonly about: string;
  readonly group: string;
  /** Usable while a turn runs. */
  readonly whileBusy: boolean;
  /** Usable while a session is only looked at. */
  readonly whileReadOnly?: true;
  /** What may follow, from what is known already; asked with each key, so it must be quick. Ranked by the caller. */
  complete?(args: string): readonly string[];
  /** What it does is said through the interface; rejects with an Error for people. */
  run(args: string, ui: CommandUi): Promise<void>;
}

/** What a command may ask of the interface, whichever it is. */
export interface CommandUi {
  /** Markdown, shown in the transcript and not recorded. */
  note(markdown: string): void;
  /** One line that says what happened, or what went wrong. */
  say(text: string, tone?: "ok" | "warn" | "error"): void;
  /** Undefined: nothing was chosen. */
  choose(question: Question): Promise<string | undefined>;
  /** One line; `isSecret` shows none of it. Undefined: given up. */
  ask(label: string, options?: { readonly isSecret?: boolean; readonly initial?: string }): Promise<string | undefined>;
  /** Full-screen text, scrolled and searched like the transcript. */
  show(title: string, markdown: string): void;
  showDiff(title: string, files: readonly DiffFile[]): void;
  switchTo(choice: SessionChoice): Promise<void>;
  /** What concerns the interface itself. */
  act(action: UiAction): void;
  submit(text: string): void;
}

export interface Question {
  readonly title: string;
  readonly rows: readonly ChoiceRow[];
  /** Typing narrows the rows. */
  readonly isFiltered?: boolean;
  /** The row that is chosen first. */
  readonly current?: string;
}

export interface ChoiceRow {
  readonly value: string;
  readonly label: string;
  /** At the right. */
  readonly detail?: string;
}

/** One file of a change set, as a unified diff. */
export interface DiffFile {
  readonly path: string;
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  /** Whose change it is. */
  readonly by?: "khaelor" | "you" | "both";
}

export type UiAction =
  | { readonly kind: "theme"; readonly theme: "auto" | "light" | "dark" }
  | { readonly kind: "mouse" | "vim" | "details" | "thinking" | "raw" | "redraw" | "editor" | "help" | "quit" | "keys" }
  | { readonly kind: "search"; readonly text: string }
  | { readonly kind: "copy"; readonly what: string }
  | { readonly kind: "draft"; readonly text: string }
  | { readonly kind: "transcript" };

export interface Queries {
  /** Paths from the working directory, best first; at most `limit`. Empty when cancelled. */
  findFiles(text: string, limit: number, signal: AbortSignal): Promise<readonly FoundFile[]>;
  /** A file was mentioned: it ranks higher from now on. */
  noteAccess(path: string): void;
  /** The sessions of this project, newest first; with text, those that hold it. */
  sessions(text: string, signal: AbortSignal): Promise<readonly SessionRow[]>;
  /** What the user said before in this project, newest first, across sessions. */
  promptHistory(): Promise<readonly SaidBefore[]>;
  /** The whole of a result that the screen keeps only a part of. */
  fullOutput(toolUseId: string): Promise<string | undefined>;
}

export interface SaidBefore {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

export interface FoundFile {
  readonly path: string;
  /** Indexes of the UTF-16 units that matched. */
  readonly matched: readonly number[];
}

export interface SessionRow {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: number;
  /** Undefined where the log has not been read whole: then approvals and cost are unknown as well. */
  readonly userMessages: number | undefined;
  readonly pendingApprovals: number;
  readonly costUsd: number | null;
  /** Where the searched text stands. */
  readonly excerpt?: string;
}

/** What was typed and not sent, kept for the next start. Without an id it is the project's. */
export interface DraftStore {
  load(sessionId: string | undefined): Promise<string | undefined>;
  /** At once; an empty text drops what was kept. Returns what went wrong, in words for people. */
  save(sessionId: string | undefined, text: string): string | undefined;
}

export interface TerminalSettings {
  readonly theme: "auto" | "light" | "dark";
  readonly mouse: boolean;
  readonly vim: boolean;
  readonly alternateScreen: boolean;
  readonly notifications: boolean;
  /** Lines instead of a screen, to be read aloud. */
  readonly screenReader: boolean;
  /** By the action's name, the keys that do it. */
  readonly keybindings: Readonly<Record<string, readonly string[]>>;
  readonly home: string;
  readonly version: string;
}

/** The world around the terminal: programs that are run on it, and ways out of it. The caller frees the terminal before. */
export interface Outside {
  /** Opens the text in the user's editor and gives back what was saved. */
  edit(text: string): Promise<{ readonly text: string } | { readonly problem: string }>;
  /** Shows text in the user's pager, or prints it and waits for a key. */
  page(text: string): Promise<void>;
  /** Hands text to tmux or a host clipboard. False: there is none; the screen's own way is left. */
  copy(text: string): Promise<boolean>;
  /** The picture in the clipboard, as a file that may be mentioned. Absent: there is no clipboard to ask. */
  picture?(): Promise<{ readonly path: string } | { readonly problem: string }>;
  /** Whether an absolute path names a file, at once: what was pasted may be one or look like one. */
  isFile(path: string): boolean;
  /** Keeps the key for later starts. */
  storeKey(key: string): Promise<void>;
}
