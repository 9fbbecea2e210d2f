/**
 * The file that `-o` names: it holds a whole answer or what it held before. That it can be written is known before anything is
 * asked, for an answer costs money. Something other than a regular file, such as a pipe, is written to as it is.
 */
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { EXIT, errorCode, errorMessage, UserError, withCause } from "../shared/index.ts";
import type { Output } from "./output.ts";
import type { Reporter } from "./reporter.ts";

export interface AnswerFile {
  /** Replaces what the file holds. Returns what went wrong, if something did. */
  write(answer: string): string | undefined;
}

/** Throws UserError when the file could not be written. */
export function answerFile(typed: string, cwd: string): AnswerFile {
  const path = resolve(cwd, typed);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new Error("it is a folder");
    if (found?.isSocket()) throw new Error("it is a socket");
    if (found) accessSync(path, constants.W_OK);
    if (found && !found.isFile()) return { write: (answer) => attempt(path, () => writeFileSync(path, lined(answer))) };
    const target = found ? realpathSync(path) : path;
    const draft = join(dirname(target), `.${basename(target).slice(0, 100)}.${process.pid}.tmp`);
    closeSync(openSync(draft, "wx", found ? found.mode & 0o777 : 0o666));
    rmSync(draft);
    return { write: (answer) => attempt(path, () => replace(draft, target, answer)) };
  } catch (error) {
    const refusal = `-o ${typed}: the answer could not be written there (${reason(error)}).`;
    throw withCause(new UserError(refusal, EXIT.usage), error);
  }
}

const reason = (error: unknown): string => errorCode(error) ?? errorMessage(error);

const lined = (answer: string): string => (answer.endsWith("\n") ? answer : `${answer}\n`);

function replace(draft: string, target: string, answer: string): void {
  const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? 0o666;
  try {
    writeFileSync(draft, lined(answer), { mode: mode & 0o777, flush: true });
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function attempt(path: string, write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return `the answer could not be written to ${path} (${reason(error)})`;
  }
}

/** Each answer also goes to the file; the last one stays. */
export function withAnswerFile(reporter: Reporter, file: AnswerFile | undefined, output: Output): Reporter {
  if (!file) return reporter;
  return {
    ...reporter,
    result(result) {
      reporter.result(result);
      if (result.status !== "completed") return;
      const problem = file.write(result.result);
      if (problem !== undefined) output.lost(problem);
    },
  };
}
