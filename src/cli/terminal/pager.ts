/** Text in the user's pager; where there is none it is printed, and a key leads back. Rejects when the pager fails. */
import { writeSync } from "node:fs";
import { basename } from "node:path";
import type { Environment } from "../settings.ts";
import { findProgram, runOnTerminal, wordsOf } from "./programs.ts";

interface PagerParts {
  readonly env: Environment;
  readonly cwd: string;
}

export async function pageText(text: string, { env, cwd }: PagerParts): Promise<void> {
  const words = pagerOf(env);
  if (words) {
    // A pager of the user's own brings its options; without any, less shows colours and does not stay for a short text.
    const ended = await runOnTerminal({ words, env: { LESS: "-R", ...env }, cwd, input: text });
    if (!("error" in ended) && ended.exitCode !== 127) {
      if (ended.exitCode === 0) return;
      throw new Error(`${basename(words[0] ?? "")} ended with ${ended.exitCode}.`);
    }
  }
  printAll(text.endsWith("\n") ? text : `${text}\n`);
  printAll("\nPress any key to go on. ");
  await anyKey();
  printAll("\n");
}

/** Undefined: none that waits for its reader. */
function pagerOf(env: Environment): readonly string[] | undefined {
  const [program, ...rest] = wordsOf(env.PAGER ?? "") ?? [];
  if (program !== undefined && basename(program) === "cat") return undefined;
  const own = program === undefined ? undefined : findProgram(program, env);
  if (own !== undefined) return [own, ...rest];
  const less = findProgram("less", env);
  return less === undefined ? undefined : [less, "-R"];
}

/** A terminal that is slow to read takes a part at a time. */
function printAll(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return; // there is no terminal any more
      Bun.sleepSync(5);
    }
  }
}

function anyKey(): Promise<void> {
  const { stdin } = process;
  if (!stdin.isTTY) return Promise.resolve();
  const wasRaw = stdin.isRaw;
  stdin.setRawMode(true);
  stdin.resume();
  return new Promise((resolve) => {
    const done = () => {
      stdin.off("data", done);
      stdin.off("end", done);
      stdin.pause();
      stdin.setRawMode(wasRaw);
      resolve();
    };
    stdin.on("data", done);
    stdin.on("end", done);
  });
}
