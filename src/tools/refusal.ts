/** Why a file was left as it is, for every tool that changes one: the reason in one word, and what to do instead. */
import { bytePrefix, sha256, type ToolErrorKind, wellFormed } from "../shared/index.ts";
import type { FileContent, FileError } from "../workspace/index.ts";
import type { ToolContext, ToolResult } from "./define.ts";
import type { EditRefusal } from "./edit/apply.ts";
import { ERROR_KINDS, fileTrouble } from "./failures.ts";

/** It stands in the result too. */
export type Reason =
  | EditRefusal["kind"]
  | "file-not-found"
  | "is-directory"
  | "read-only"
  | "unread"
  | "stale"
  | "binary"
  | "encoding"
  | "too-large"
  | "cancelled"
  | "io";

export interface Refusal {
  readonly reason: Reason;
  readonly message: string;
  readonly errorKind?: ToolErrorKind;
}

export const CANCELLED: Refusal = { reason: "cancelled", message: "The turn was interrupted." };

/** By content, not by time: a touched file is the same file. `next` is what the model may do once it has read it again. */
export function notSeen(
  file: FileContent,
  context: ToolContext,
  { shown, next }: { readonly shown: string; readonly next: string },
): Refusal | undefined {
  const seen = context.lastSeenSha256(file.realPath);
  if (seen === undefined)
    return { reason: "unread", message: `You have not read ${shown} in this session: read it first.` };
  if (seen === sha256(file.bytes)) return undefined;
  return {
    reason: "stale",
    message: `${shown} was changed on disk since you last saw it: read it again, then ${next}.`,
  };
}

const REASONS: Readonly<Record<FileError["kind"], Reason>> = {
  "not-found": "file-not-found",
  "is-directory": "is-directory",
  "not-regular": "invalid-input",
  "invalid-path": "invalid-input",
  "not-permitted": "read-only",
  "read-only": "read-only",
  full: "io",
  changed: "stale",
  io: "io",
};

export const fileRefusal = (error: FileError, path: string): Refusal => ({
  reason: REASONS[error.kind],
  message: fileTrouble(error, path),
  errorKind: ERROR_KINDS[error.kind],
});

const REFUSAL_KINDS: Partial<Record<Reason, ToolErrorKind>> = {
  "not-found": "not-found",
  ambiguous: "ambiguous-edit",
  stale: "exec-error",
  cancelled: "exec-error",
};

interface Refused {
  readonly shown: string;
  readonly context: ToolContext;
  /** What did not happen: as a sentence begins, and in two words. */
  readonly words: readonly [sentence: string, short: string];
}

export const refusal = ({ reason, message, errorKind }: Refusal, { shown, context, words }: Refused): ToolResult => ({
  modelText: fitted(`${words[0]} (${reason}). ${message}`, context),
  errorKind: errorKind ?? REFUSAL_KINDS[reason] ?? "invalid-input",
  ui: { kind: "edit", summary: `${shown}: ${words[1]} (${reason})` },
});

export const fitted = (text: string, { maxResultBytes }: ToolContext): string =>
  bytePrefix(wellFormed(text), maxResultBytes);
