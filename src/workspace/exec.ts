/**
 * Runs one command to its end, its time limit or the caller's signal. Returns when the shell has ended, plus a short drain:
 * a background child that holds the output keeps running and keeps nobody waiting.
 */
import { stat } from "node:fs/promises";
import { err, errorCode, errorMessage, ok, type Result } from "../shared/index.ts";
import { type CommandWords, commandWords } from "./command-text.ts";
import { endGroup, type Groups } from "./groups.ts";
import { createMask, type Mask } from "./masking.ts";
import { createOutputSink, type OutputSink } from "./output.ts";
import { absolutePath } from "./paths.ts";
import { type RunningShell, type ShellExit, startShell } from "./spawn.ts";
import { within } from "./time.ts";
import type { Command, ExecError, ProcessResult } from "./types.ts";

const DEFAULT_OUTPUT_BYTES = 256 * 1024;
const DEFAULT_SPILL_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 150;
const YIELD_BYTES = 2 * 1024 * 1024;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ExecHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly groups: Groups;
  /** The keys in use, which no output shows. */
  readonly secrets: readonly string[];
}

type Ended = ProcessResult["ended"];

export async function execCommand(command: Command, host: ExecHost): Promise<Result<ProcessResult, ExecError>> {
  const cwd = absolutePath(command.cwd ?? host.cwd, host.cwd);
  const text = await commandWords(command.command);
  if (!text.ok) return text;
  try {
    return await run(command, { ...host, cwd }, text.value.words);
  } finally {
    await text.value.dispose();
  }
}

async function run(command: Command, host: ExecHost, words: CommandWords["words"]) {
  const startedAt = performance.now();
  const sink = sinkFor(command);
  if (command.signal?.aborted) {
    return ok({ ...NOT_RUN, ended: "cancelled" as const, ...sink.finish(), durationMs: 0 });
  }
  let shell: RunningShell;
  try {
    host.groups.ready();
    shell = startShell({ words, cwd: host.cwd, env: { ...host.env, ...command.env } });
  } catch (error) {
    return err((await folderRefusal(host.cwd)) ?? startRefusal(error));
  }
  host.groups.add(shell.group);
  const ran = await follow(shell, command, { sink, mask: createMask(command.exact ? [] : host.secrets) });
  host.groups.sweep();
  return ok({ ...ran, ...sink.finish(), durationMs: Math.round(performance.now() - startedAt) });
}

const NOT_RUN: ShellExit = { exitCode: null, signal: null };

const sinkFor = (command: Command): OutputSink =>
  createOutputSink({
    maxBytes: command.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES,
    maxSpillBytes: command.maxSpillBytes ?? DEFAULT_SPILL_BYTES,
    ...(command.spillFile !== undefined && { spillFile: command.spillFile }),
  });

/** A missing folder and a missing shell fail with the same error. */
export async function folderRefusal(cwd: string): Promise<ExecError | undefined> {
  try {
    if ((await stat(cwd)).isDirectory()) return undefined;
    return { kind: "no-such-directory", message: `${cwd} is not a directory, so nothing can run in it.` };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    const why = errorCode(error) === "ENOENT" ? "does not exist" : `cannot be used (${errorMessage(error)})`;
    return { kind: "no-such-directory", message: `The directory ${cwd} ${why}, so nothing can run in it.` };
  }
}

export function startRefusal(error: unknown): ExecError {
  const code = errorCode(error);
  if (code === undefined) throw error;
  if (code !== "E2BIG") return { kind: "io", message: `The shell could not be started: ${errorMessage(error)}` };
  return { kind: "too-long", message: "The command and the environment together are longer than the system allows." };
}

interface Taking {
  readonly sink: OutputSink;
  readonly mask: Mask;
}

async function follow(
  shell: RunningShell,
  command: Command,
  { sink, mask }: Taking,
): Promise<ShellExit & { ended: Ended }> {
  const keep = (chunk: Uint8Array) => {
    if (chunk.length === 0) return;
    sink.write(chunk);
    command.onOutput?.(chunk);
  };
  const take = (chunk: Uint8Array) => keep(mask.push(chunk));
  const reading = readAll(shell, take);
  // It is awaited below, with the rejection that a bug in `onOutput` causes; until then it must not count as unhandled.
  reading.catch(() => {});
  try {
    const ended = await untilEnd(shell, command);
    await within(reading, DRAIN_MS);
    // Still pending only for a process that even KILL could not end.
    const { exitCode, signal } = await Promise.race([shell.exited, NOT_RUN]);
    return { exitCode: ended === "exited" ? exitCode : null, signal, ended };
  } finally {
    await shell.closeOutput();
    await reading;
    keep(mask.end());
  }
}

/** Lets the loop breathe in a flood, which would otherwise be read in one long run of microtasks. */
async function readAll(shell: RunningShell, take: (chunk: Uint8Array) => void): Promise<void> {
  let sinceYield = 0;
  for (let chunk = await shell.next(); chunk; chunk = await shell.next()) {
    take(chunk);
    sinceYield += chunk.length;
    if (sinceYield < YIELD_BYTES) continue;
    sinceYield = 0;
    await new Promise(setImmediate);
  }
}

async function untilEnd(shell: RunningShell, { timeoutMs, signal }: Command): Promise<Ended> {
  const { promise: stop, resolve } = Promise.withResolvers<Ended>();
  const timer = setTimeout(() => resolve("timeout"), Math.min(timeoutMs, LONGEST_TIMER_MS));
  const cancel = () => resolve("cancelled");
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  try {
    const ended = await Promise.race([shell.exited.then((): Ended => "exited"), stop]);
    if (ended !== "exited") await endGroup(shell);
    return ended;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}
