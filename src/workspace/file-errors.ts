/** Turns what the system says about a path into words. Anything that is not a system error is a bug and goes on up. */
import { errorCode, errorMessage } from "../shared/index.ts";
import type { FileError } from "./types.ts";

const KINDS: Readonly<Record<string, readonly [FileError["kind"], string]>> = {
  ENOENT: ["not-found", "does not exist"],
  ENOTDIR: ["not-found", "does not exist: a part of it is a file, not a folder"],
  EISDIR: ["is-directory", "is a directory"],
  EACCES: ["not-permitted", "may not be accessed by this user"],
  EPERM: ["not-permitted", "may not be accessed by this user"],
  EROFS: ["read-only", "lies on a read-only file system"],
  ENOSPC: ["full", "does not fit: the disk is full"],
  EDQUOT: ["full", "does not fit: the disk quota is used up"],
  EFBIG: ["full", "does not fit: it would be larger than the system allows"],
  ENAMETOOLONG: ["invalid-path", "is too long a path"],
  ELOOP: ["invalid-path", "goes round in a circle of links"],
  ENXIO: ["not-regular", "is not a regular file"],
};

export const fileError = (kind: FileError["kind"], path: string, what: string): FileError => ({
  kind,
  message: `${path} ${what}.`,
});

/** The system error as a value. Throws what carries no error code. */
export function classifyFileError(error: unknown, path: string): FileError {
  const code = errorCode(error);
  if (code === undefined) throw error;
  const [kind, what] = KINDS[code] ?? ["io", `cannot be used: ${errorMessage(error)}`];
  return fileError(kind, path, what);
}
