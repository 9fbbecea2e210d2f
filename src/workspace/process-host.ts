/**
 * Background processes: each in a session of its own, with one real pipe for its output and one for its input. What is left
 * of them ends with `close`, or by the watchdog when this program is killed.
 */
import { closeSync, writeSync } from "node:fs";
import { err, errorCode, ok, type Result } from "../shared/index.ts";
import { commandWords } from "./command-text.ts";
import { type ExecHost, folderRefusal, startRefusal } from "./exec.ts";
import { endGroup } from "./groups.ts";
import { createMask, type Mask } from "./masking.ts";
import { absolutePath } from "./paths.ts";
import { makePipe, neverBlock } from "./pipe.ts";
import type { BackgroundProcess, ProcessExit, ProcessHost, ProcessStart } from "./process-types.ts";
import { groupLives, type RunningShell, type ShellExit, startShell } from "./spawn.ts";
import { pause, within } from "./time.ts";
import type { ExecError } from "./types.ts";

const DRAIN_MS = 150;
const LOOK_AGAIN_MS = 250;
/** Some 20 MB a second: more than anybody reads, and little work. The pipe makes a faster writer wait. */
const BURST_BYTES = 1024 * 1024;
const BURST_PAUSE_MS = 50;

export interface ClosableProcessHost extends ProcessHost {
  /** Stops every process that is left. Idempotent. */
  close(): Promise<void>;
}

export function createProcessHost(host: ExecHost): ClosableProcessHost {
  const running = new Set<BackgroundProcess>();
  return {
    async spawn(start) {
      const cwd = absolutePath(start.cwd ?? host.cwd, host.cwd);
      const missing = await folderRefusal(cwd);
      if (missing) return err(missing);
      const text = await commandWords(start.command);
      if (!text.ok) return text;
      const { words, dispose } = text.value;
      const afterwards = async () => {
        host.groups.sweep();
        await dispose();
      };
      const began = begin(start, { ...host, cwd }, { words, afterwards });
      if (!began.ok) {
        await dispose();
        return began;
      }
      const process = began.value;
      const forget = () => void running.delete(process);
      running.add(process);
      process.exited.then(forget, forget);
      return began;
    },
    async close() {
      await Promise.all([...running].map((process) => process.stop()));
    },
  };
}

interface Preparation {
  readonly words: readonly [string, ...string[]];
  readonly afterwards: () => Promise<void>;
}

function begin(
  { env, onOutput }: ProcessStart,
  host: ExecHost,
  { words, afterwards }: Preparation,
): Result<BackgroundProcess, ExecError> {
  let input: Input | undefined;
  try {
    host.groups.ready();
    input = openInput();
    const shell = startShell({ words, cwd: host.cwd, env: { ...host.env, ...env }, stdin: input.read });
    host.groups.add(shell.group);
    return ok(supervised(shell, { input, mask: createMask(host.secrets), onOutput, afterwards }));
  } catch (error) {
    input?.end();
    return err(startRefusal(error));
  } finally {
    if (input) closeSync(input.read);
  }
}

interface Supervision extends Pick<ProcessStart, "onOutput"> {
  readonly input: Input;
  readonly mask: Mask;
  readonly afterwards: () => Promise<void>;
}

function supervised(shell: RunningShell, supervision: Supervision): BackgroundProcess {
  const { input, mask, onOutput, afterwards } = supervision;
  const keep = (chunk: Uint8Array) => {
    if (chunk.length > 0) onOutput(chunk);
  };
  const startedAt = performance.now();
  const stopped = Promise.withResolvers<undefined>(); // settles when `stop` has done all that can be done
  let stopping: Promise<void> | undefined;

  async function life(): Promise<ProcessExit> {
    try {
      const exit = await untilGone(shell, (chunk) => keep(mask.push(chunk)), stopped.promise);
      keep(mask.end());
      return { ...exit, durationMs: Math.round(performance.now() - startedAt) };
    } finally {
      input.end();
      await afterwards();
    }
  }

  const exited = life();
  const told = exited.then(
    () => {},
    () => {}, // `exited` itself rejects
  );
  return {
    pid: shell.group,
    exited,
    write: input.write,
    endInput: input.end,
    async stop() {
      stopping ??= endGroup(shell).then(() => stopped.resolve(undefined));
      await stopping;
      await told;
    },
  };
}

const UNKNOWN_EXIT: ShellExit = { exitCode: null, signal: null };

/** A shell that left its work in the background (`server &`) counts as running while that work holds the output. */
async function untilGone(
  shell: RunningShell,
  onOutput: ProcessStart["onOutput"],
  stopped: Promise<undefined>,
): Promise<ShellExit> {
  const reading = readSlowly(shell, onOutput);
  // It is awaited below; until then a rejection must not count as unhandled.
  reading.catch(() => {});
  try {
    // Still undefined only for a process that even KILL could not end.
    const exit = await Promise.race([shell.exited, stopped]);
    await groupGone(shell.group, Promise.race([reading, stopped]));
    await within(reading, DRAIN_MS);
    return exit ?? UNKNOWN_EXIT;
  } finally {
    await shell.closeOutput();
    await reading;
  }
}

/** The system tells nobody when the last of a group leaves it, so this looks; nearly always the first look is the last. */
async function groupGone(group: number, enough: Promise<unknown>): Promise<void> {
  let isEnough = false;
  const note = () => {
    isEnough = true;
  };
  const noted = enough.then(note, note);
  while (!isEnough && groupLives(group)) await within(noted, LOOK_AGAIN_MS);
}

async function readSlowly(shell: RunningShell, take: (chunk: Uint8Array) => void): Promise<void> {
  let burst = 0;
  for (let chunk = await shell.next(); chunk; chunk = await shell.next()) {
    take(chunk);
    burst += chunk.length;
    if (burst < BURST_BYTES) continue;
    burst = 0;
    await pause(BURST_PAUSE_MS);
  }
}

interface Input extends Pick<BackgroundProcess, "write"> {
  /** For the child; closed by whoever asked for it once the child has it. */
  readonly read: number;
  end(): void;
}

function openInput(): Input {
  const { read, write } = makePipe();
  let isOpen = true;
  const end = () => {
    if (isOpen) closeSync(write);
    isOpen = false;
  };
  try {
    neverBlock(write);
  } catch (error) {
    end();
    closeSync(read);
    throw error;
  }
  return {
    read,
    end,
    write(bytes) {
      if (!isOpen) return err("closed");
      try {
        return ok(writeAll(write, bytes));
      } catch (error) {
        if (errorCode(error) !== "EPIPE") throw error;
        end();
        return err("closed");
      }
    },
  };
}

/** As much as there is room for. */
function writeAll(fd: number, bytes: Uint8Array): number {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(fd, bytes, done);
  } catch (error) {
    if (errorCode(error) !== "EAGAIN") throw error;
  }
  return done;
}
