/**
 * The user's own programs on the terminal: an editor, a pager. They are named by variables, as words and without a shell; they
 * see the environment without the agent's own keys, and while one has the terminal its keys that signal do not end KHAELOR.
 */
import { isAbsolute } from "node:path";
import { errorMessage } from "../../shared/index.ts";
import { visibleEnvironment } from "../../workspace/index.ts";
import type { Environment } from "../settings.ts";

/** As a shell splits a line, but nothing in it is run or replaced. Undefined: a quote is not closed. */
export function wordsOf(line: string): readonly string[] | undefined {
  const words = line.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gs) ?? [];
  const rest = line.replaceAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gs, "");
  if (rest.trim() !== "") return undefined;
  return words.map((word) =>
    word.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_all, double, single, escaped) =>
      double !== undefined ? double.replaceAll(/\\(["\\$`])/g, "$1") : (single ?? escaped),
    ),
  );
}

/** Where a program lies. Entries of PATH that depend on the working directory do not count: a project would name programs there. */
export function findProgram(name: string, env: Environment): string | undefined {
  if (name.includes("/")) return isAbsolute(name) ? (Bun.which(name) ?? undefined) : undefined;
  return Bun.which(name, { PATH: visibleEnvironment(env).PATH ?? "" }) ?? undefined;
}

/** A key that signals goes to every program of the terminal: while another one has it, it is not meant for us. */
const SIGNALS = ["SIGINT", "SIGQUIT", "SIGTSTP", "SIGCONT"] as const;

async function deaf<T>(run: () => Promise<T>): Promise<T> {
  const nothing = () => undefined;
  const held = SIGNALS.map((signal) => ({ signal, listeners: process.listeners(signal) }));
  for (const { signal } of held) {
    process.removeAllListeners(signal);
    if (signal === "SIGINT" || signal === "SIGQUIT") process.on(signal, nothing);
  }
  try {
    return await run();
  } finally {
    for (const { signal, listeners } of held) {
      process.off(signal, nothing);
      for (const listener of listeners) process.on(signal, listener as () => void); // as: they are put back as they were
    }
  }
}

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | number | undefined;
}

export interface ProgramRun {
  readonly words: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  /** On its standard input; without it the terminal is. */
  readonly input?: string;
}

/** On the terminal, until it ends. The error says why it could not be started. */
export function runOnTerminal({ words, env, cwd, input }: ProgramRun): Promise<Ended | { readonly error: string }> {
  return deaf(async () => {
    try {
      const child = Bun.spawn([...words], {
        cwd,
        env: visibleEnvironment(env),
        stdin: input === undefined ? "inherit" : new Blob([input]),
        stdout: "inherit",
        stderr: "inherit",
      });
      await child.exited;
      return { exitCode: child.exitCode, signal: child.signalCode ?? undefined };
    } catch (error) {
      return { error: errorMessage(error) };
    }
  });
}

/** Without the terminal; true when it ended well within the time. */
export async function feedProgram({ words, env, cwd, input = "" }: ProgramRun, boundMs: number): Promise<boolean> {
  try {
    const child = Bun.spawn([...words], {
      cwd,
      env: visibleEnvironment(env),
      stdin: new Blob([input]),
      stdout: "ignore",
      stderr: "ignore",
      timeout: boundMs,
      killSignal: "SIGKILL",
    });
    return (await child.exited) === 0;
  } catch {
    return false; // it could not be started
  }
}

/** Without the terminal: what it printed, when it ended well within the bounds. */
export async function programOutput(
  { words, env, cwd }: ProgramRun,
  { boundMs, maxBytes }: { readonly boundMs: number; readonly maxBytes: number },
): Promise<Buffer | undefined> {
  try {
    const child = Bun.spawn([...words], {
      cwd,
      env: visibleEnvironment(env),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: boundMs,
      killSignal: "SIGKILL",
      maxBuffer: maxBytes,
    });
    const output = Buffer.from(await new Response(child.stdout).arrayBuffer());
    return (await child.exited) === 0 ? output : undefined;
  } catch {
    return undefined; // it could not be started
  }
}
