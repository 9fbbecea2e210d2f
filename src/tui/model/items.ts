/**
 * What the transcript shows, an item each. An item is never changed: what happens to it makes a new object in the same place,
 * so the same reference means that nothing has to be drawn again.
 */
import type { DiffStats, Mention } from "../../shared/index.ts";

interface Base {
  /** Unique in a session and stable: from the log's own ids. */
  readonly id: string;
  /** Of the event it began with; 0 for what is not in the log. */
  readonly seq: number;
}

export interface UserItem extends Base {
  readonly kind: "user";
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly images: readonly string[];
  /** Said while a turn ran. */
  readonly isSteering?: true;
}

export interface AnswerItem extends Base {
  readonly kind: "answer";
  readonly text: string;
  /** Kept from a stream that was stopped. */
  readonly isPartial?: true;
}

export interface ThinkingItem extends Base {
  readonly kind: "thinking";
  readonly text: string;
  readonly isRedacted?: true;
}

export type CallState = "requested" | "asking" | "running" | "done" | "failed" | "cancelled";

export interface CallItem extends Base {
  readonly kind: "call";
  readonly toolUseId: string;
  readonly name: string;
  readonly input: unknown;
  readonly state: CallState;
  /** Epoch milliseconds. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** The newest of what it printed while it ran, or a part of its result; bounded. */
  readonly output: string;
  /** The result is longer than `output`. */
  readonly isCut?: true;
  readonly summary?: string;
  readonly exitCode?: number;
  readonly diffStats?: DiffStats;
  readonly changes: readonly FileChangeView[];
}

export interface FileChangeView {
  readonly path: string;
  readonly operation: string;
  readonly diffStats: DiffStats;
  readonly diff?: string;
  /** So many more files may have been changed by the same command. */
  readonly unlisted?: number;
}

/** A command that the user ran with `!`. */
export interface ShellItem extends Base {
  readonly kind: "shell";
  readonly command: string;
  readonly exitCode: number | null;
  /** Its newest lines; bounded. */
  readonly output: string;
  readonly isCut?: true;
}

/** Something happened beside the conversation: a model switch, a retry, a stop. */
export interface NoticeItem extends Base {
  readonly kind: "notice";
  readonly tone: "muted" | "ok" | "warn" | "error";
  readonly text: string;
  /** The user stopped the turn here. */
  readonly isStop?: true;
  /** Something is missing here that the log held. */
  readonly isGap?: true;
}

/** How a turn ended. */
export interface OutcomeItem extends Base {
  readonly kind: "outcome";
  readonly isDone: boolean;
  readonly detail: string;
  readonly changedFiles: readonly string[];
  readonly checks: readonly { readonly command: string; readonly exitCode: number; readonly durationMs: number }[];
  readonly issues: readonly string[];
}

/** A line across: the conversation was summed up, or made smaller. */
export interface DividerItem extends Base {
  readonly kind: "divider";
  readonly text: string;
  /** Who did it and at what price; on the same line where there is room. */
  readonly about?: string;
  /** The checkpoint as it was written; can be unfolded. */
  readonly detail?: string;
}

/** What a slash command answered: markdown, not in the log. */
export interface NoteItem extends Base {
  readonly kind: "note";
  readonly text: string;
  /** The text is plain, one line in this tone. Without it: markdown. */
  readonly tone?: "muted" | "ok" | "warn" | "error";
}

export type Item =
  | UserItem
  | AnswerItem
  | ThinkingItem
  | CallItem
  | ShellItem
  | NoticeItem
  | OutcomeItem
  | DividerItem
  | NoteItem;

/**
 * A block of the answer that is under way, or a command of the user's own that is (a call without an answer): shown behind the items, and an item only when the answer ended well, or was
 * stopped. A failed request's blocks are gone with it. `pieces` is pushed in place by the model only; what else happens to
 * a block makes a new object under the same key, in the same place. A key that is gone was settled or is dead.
 */
export interface LiveBlock {
  readonly key: string;
  readonly kind: "answer" | "thinking" | "call";
  /** Of a call: the tool's name. */
  readonly name?: string;
  /** Of a call: the path or the command, as far as it can be read. */
  readonly what?: string;
  /** Nothing is added any more: `pieces` is one piece, the whole. */
  readonly isSettled?: true;
  /** Empty for a call. */
  readonly pieces: readonly string[];
}

/** An instruction that waits for its seam. */
export interface QueuedChip {
  readonly eventId: string;
  readonly text: string;
  readonly deliver: "now" | "next-turn";
  readonly mentions: readonly Mention[];
  readonly images: readonly string[];
}

/** Something waits for the user's consent. */
export interface OpenQuestion {
  readonly requestId: string;
  readonly toolUseId: string | undefined;
  /** What it is about, when that is a call. */
  readonly call: { readonly name: string; readonly input: unknown } | undefined;
  readonly capability: string;
  readonly descriptor: string;
  readonly suggestion: { readonly capability: string; readonly pattern: string } | undefined;
  readonly because: string | undefined;
  readonly tier: string | undefined;
  readonly mention: string | undefined;
}

/** What is going on, for the status bar; only what events have said. */
export type Activity =
  | { readonly kind: "idle" }
  | { readonly kind: "starting" }
  | { readonly kind: "thinking" | "writing" | "waiting-for-model"; readonly since: number }
  /** The conversation is summed up; so many characters of the summary have streamed. */
  | { readonly kind: "summing"; readonly since: number; readonly characters: number }
  | { readonly kind: "calling"; readonly since: number; readonly name: string; readonly what: string }
  /** No turn runs, but a command of the user's own does. */
  | { readonly kind: "own-command"; readonly since: number; readonly what: string }
  | { readonly kind: "asking" }
  | { readonly kind: "retrying"; readonly until: number; readonly message: string }
  | { readonly kind: "verifying"; readonly since: number };
