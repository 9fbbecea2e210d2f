/** Turns a system error of the store into words that a person can act on. */
import { errorCode, errorMessage, StoreError } from "../../shared/index.ts";

const FULL = new Set(["ENOSPC", "EFBIG", "EDQUOT"]);
const READ_ONLY = new Set(["EROFS", "EACCES", "EPERM"]);

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
  return new StoreError("io", `could not ${doing}: ${errorMessage(cause)}`, { cause });
}
