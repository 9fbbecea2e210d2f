/** The life of one background process: started, recorded, followed to its end, and that recorded too. */
import { createSanitizer, ok, type Payload, type Result } from "../../shared/index.ts";
import type { BackgroundProcess, ExecError, ProcessHost } from "../../workspace/index.ts";
import { createLiveOutput } from "../live-output.ts";
import { type Cause, createProcessSlot, type ManagedProcess, type ProcessSlot } from "./managed-process.ts";

/** Where the facts go. `exited` and `output` are called at any time and must not throw. */
export interface ProcessRecorder {
  started(fact: Payload<"process.started">): void;
  exited(fact: Payload<"process.exited">): void;
  /** For a screen: clean, and not more than somebody can read. */
  output(processId: string, chunk: string): void;
}

export interface LifePorts {
  readonly host: ProcessHost;
  readonly cwd: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly recorder: ProcessRecorder;
}

export interface Birth {
  readonly id: string;
  readonly command: string;
  /** The call that asked for it. */
  readonly toolUseId?: string;
}

export interface Life {
  readonly process: ManagedProcess;
  /** Resolves when its end is recorded. */
  readonly over: Promise<void>;
  /** Ends it, if it still runs, and resolves with `over`. The first cause counts. */
  end(cause: Cause): Promise<void>;
}

/** Throws what `started` throws; then nothing runs. */
export async function beginLife(
  { id, command, toolUseId }: Birth,
  { host, cwd, now, recorder }: LifePorts,
): Promise<Result<Life, ExecError>> {
  const slot = createProcessSlot(id, command, now);
  const sanitizer = createSanitizer();
  const live = createLiveOutput((chunk) => recorder.output(id, sanitizer.push(chunk)));
  const onOutput = (chunk: Uint8Array) => {
    slot.printed(chunk);
    live.push(chunk);
  };
  const spawned = await host.spawn({ command, cwd, onOutput });
  if (!spawned.ok) return spawned;
  const running = spawned.value;
  slot.attach(running);
  try {
    const fact = { processId: id, pid: running.pid, command, cwd };
    recorder.started({ ...fact, ...(toolUseId !== undefined && { toolUseId }) });
  } catch (error) {
    await running.stop();
    live.end();
    throw error;
  }
  return ok(follow(slot, running, { endOutput: live.end, recorder }));
}

interface Following {
  readonly endOutput: () => void;
  readonly recorder: ProcessRecorder;
}

function follow(slot: ProcessSlot, running: BackgroundProcess, { endOutput, recorder }: Following): Life {
  const { process } = slot;
  let stopping: Cause | undefined;

  async function untilOver(): Promise<void> {
    const { exitCode, signal, durationMs } = await running.exited;
    endOutput();
    const cause = stopping ?? (exitCode === null ? "crashed" : "exited");
    slot.end({ cause, exitCode, signal });
    recorder.exited({ processId: process.id, exitCode, ...(signal !== null && { signal }), cause, durationMs });
  }

  const over = untilOver();
  return {
    process,
    over,
    async end(cause) {
      if (!process.ending()) {
        stopping ??= cause;
        await running.stop();
      }
      await over;
    },
  };
}
