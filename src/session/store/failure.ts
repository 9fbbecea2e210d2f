/** Turns a system error of the store into words that a person can act on. */
import { errorCode, errorMessage, StoreError } from "../../shared/index.ts";

const FULL = new Set(["ENOSPC", "EFBIG", "EDQUOT"]);
const READ_ONLY = new Set(["EROFS", "EACCES", "EPERM"]);

const TOO_MANY_OPEN = new Set(["EMFILE", "ENFILE"]);
/** The disk itself, or the way to it. */
const BROKEN = new Set([
  "EIO",
  "ENXIO",
  "ENODEV",
  "ESTALE",
  "EREMOTEIO",
  "ENOTCONN",
  "EHOSTDOWN",
  "ETIMEDOUT",
  "EUCLEAN",
]);

/** `doing` completes "could not": "write /home/…/x.jsonl". A StoreError passes through. */
export function storeFailure(cause: unknown, doing: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const code = errorCode(cause) ?? "";
  if (FULL.has(code)) {
    return new StoreError(
      "full",
      `disk full (${code}): could not ${doing}. Everything recorded before is kept; free some space and try again.`,
      { cause },
    );
  }
  if (READ_ONLY.has(code)) {
    return new StoreError(
      "read-only",
      `no permission (${code}): could not ${doing}. Check the owner and mode of the file, or set KHAELOR_HOME to a folder that can be written.`,
      { cause },
    );
  }
  if (code === "ENOENT") return new StoreError("not-found", `could not ${doing}: it does not exist.`, { cause });
  if (TOO_MANY_OPEN.has(code)) {
    const advice = "End other programs or raise the limit (ulimit -n), and try again.";
    return new StoreError("io", `too many files are open (${code}): could not ${doing}. ${advice}`, { cause });
  }
  const advice = BROKEN.has(code) ? `. ${CHECK_DISK}` : "";
  return new StoreError("io", `could not ${doing}: ${errorMessage(cause)}${advice}`, { cause });
}

/** After a failed write or flush nobody knows how much of what came last is on the disk. */
const CHECK_DISK =
  'Check the disk or the connection to it; then "khaelor fsck" tells what is kept, and --resume goes on.';
