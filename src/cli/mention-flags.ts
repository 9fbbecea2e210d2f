/** `-f` and `-i`: files and images that go with the prompt. What is plainly wrong is said before anything is begun. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { imageProblem, MAX_IMAGES, MAX_MENTIONS } from "../agent/index.ts";
import { EXIT, errorCode, errorMessage, type Mention, UserError } from "../shared/index.ts";

/** More than any image may have: the header of a JPEG can stand far behind its beginning. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

interface Typed {
  readonly file: readonly string[];
  readonly image: readonly string[];
}

/** `isResumed`: the session may work in another folder, so that only absolute paths mean the same there. */
export function mentionsOf(typed: Typed, cwd: string, isResumed: boolean): readonly Mention[] {
  if (typed.image.length > MAX_IMAGES) throw tooMany("-i", "images", MAX_IMAGES);
  if (typed.file.length + typed.image.length > MAX_MENTIONS) throw tooMany("-f and -i", "files", MAX_MENTIONS);
  const mentions = [
    ...typed.file.map((word) => fileMention(word, cwd)),
    ...typed.image.map((word) => imageMention(word, cwd)),
  ];
  return isResumed ? mentions.map((mention) => ({ ...mention, path: resolve(cwd, mention.path) })) : mentions;
}

const tooMany = (flags: string, what: string, most: number): UserError =>
  new UserError(`${flags}: at most ${most} ${what} go with one message.`, EXIT.usage);

/** `#L5` or `#L5-9` at the end names lines, unless a file is called just so. */
function fileMention(word: string, cwd: string): Mention {
  const [, path = word, first, last] = /^(.+)#L(\d+)(?:-L?(\d+))?$/.exec(word) ?? [];
  if (first === undefined || isThere(resolve(cwd, word))) return { path: shown("-f", word, cwd) };
  const [start, end] = [Number(first), Number(last ?? first)];
  if (start < 1 || end < start) {
    throw new UserError(`-f ${word}: lines are counted from 1, and the last is not before the first.`, EXIT.usage);
  }
  return { path: shown("-f", path, cwd), range: { start, end } };
}

function imageMention(word: string, cwd: string): Mention {
  const path = shown("-i", word, cwd);
  const problem = judged(resolve(cwd, word));
  if (problem !== undefined) throw new UserError(`-i ${word}: ${problem}.`, EXIT.usage);
  return { path };
}

/** What may not be looked at is there; the message will say that it could not be read. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) === "EACCES";
  }
}

/** Absolute, unless it lies below the working directory. */
function shown(flag: string, word: string, cwd: string): string {
  const path = resolve(cwd, word);
  if (!isThere(path)) throw new UserError(`${flag} ${word}: there is no such file.`, EXIT.usage);
  const inside = relative(cwd, path);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}

function judged(path: string): string | undefined {
  let fd: number | undefined;
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return "it is no regular file";
    fd = openSync(path, "r");
    const bytes = new Uint8Array(Math.min(stat.size, MAX_READ_BYTES));
    return imageProblem(bytes.subarray(0, readSync(fd, bytes)), stat.size);
  } catch (error) {
    return `it could not be read (${errorCode(error) ?? errorMessage(error)})`;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
