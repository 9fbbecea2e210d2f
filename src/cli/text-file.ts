/** A file of text that a flag names. A pipe is refused, for it could be waited for without an end. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { EXIT, errorCode, errorMessage, UserError, withCause } from "../shared/index.ts";

const MAX_BYTES = 256 * 1024;

/** `shown`, the flag and its word, begins each message. Throws UserError. */
export function textFile(path: string, shown: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw wrong(`${shown}: this is not a regular file.`);
    if (stat.size > MAX_BYTES) throw wrong(`${shown}: ${stat.size} bytes, and it may have ${MAX_BYTES}.`);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(fd));
    if (text.includes("\0")) throw wrong(`${shown}: this is not text.`);
    return text;
  } catch (cause) {
    if (cause instanceof TypeError) throw wrong(`${shown}: this is not text in UTF-8.`);
    if (errorCode(cause) === undefined) throw cause;
    throw withCause(wrong(`${shown}: it cannot be read: ${errorMessage(cause)}`), cause);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const wrong = (message: string): UserError => new UserError(message, EXIT.usage);
