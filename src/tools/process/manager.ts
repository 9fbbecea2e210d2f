/**
 * The background processes of a session: gives them names, holds them to a number, remembers those that have ended. They live
 * as long as the program, not as long as a turn.
 */
import { err, ok, type Result } from "../../shared/index.ts";
import type { ExecError } from "../../workspace/index.ts";
import { beginLife, type Life, type LifePorts, type ProcessRecorder } from "./life.ts";
import type { ManagedProcess } from "./managed-process.ts";

const MAX_RUNNING = 16;
/** Of those that have ended, with what they printed last. */
export const MAX_ENDED = 16;

export interface StartError {
  readonly kind: ExecError["kind"] | "too-many" | "closed";
  readonly message: string;
}

export interface ProcessManager {
  /** Called once, before anything is started. `lastNumber`: the highest that this session has given to a process. */
  open(recorder: ProcessRecorder, lastNumber: number): void;
  /** Throws what the recorder's `started` throws; then nothing runs. */
  start(command: string, toolUseId?: string): Promise<Result<ManagedProcess, StartError>>;
  /** The processes of this run of the program that are remembered, oldest first. */
  all(): readonly ManagedProcess[];
  /** Whether this id was given, by an earlier run of the program or long ago, to a process that is remembered no more. */
  isPast(id: string): boolean;
  /** Resolves when it has ended and that is recorded. */
  stop(id: string): Promise<void>;
  /** Stops all; from then on nothing starts and nothing is recorded. Called before the log closes. Idempotent. */
  stopAll(): Promise<void>;
}

export function createProcessManager(ports: Omit<LifePorts, "recorder">): ProcessManager {
  const lives = new Map<string, Life>();
  const starting = new Set<Promise<unknown>>();
  let recorder: ProcessRecorder | undefined;
  let lastNumber = 0;

  async function launch(to: ProcessRecorder, command: string, toolUseId: string | undefined) {
    const id = `p${++lastNumber}`;
    const birth = { id, command, ...(toolUseId !== undefined && { toolUseId }) };
    const begun = await beginLife(birth, { ...ports, recorder: to });
    if (!begun.ok) return begun;
    lives.set(id, begun.value);
    forgetOldest(lives);
    return ok(begun.value.process);
  }

  return {
    open(to, last) {
      recorder = to;
      lastNumber = last;
    },
    async start(command, toolUseId) {
      if (!recorder) return err({ kind: "closed", message: "Nothing can be started: the session is not open." });
      const running = [...lives.values()].filter(isRunning).length + starting.size;
      if (running >= MAX_RUNNING) {
        const message = `${MAX_RUNNING} processes run already: stop one that is not needed any more.`;
        return err({ kind: "too-many", message });
      }
      const launching = launch(recorder, command, toolUseId);
      starting.add(launching);
      try {
        return await launching;
      } finally {
        starting.delete(launching);
      }
    },
    all: () => [...lives.values()].map(({ process }) => process),
    isPast(id) {
      const number = /^p([1-9]\d*)$/.exec(id)?.[1];
      return number !== undefined && Number(number) <= lastNumber && !lives.has(id);
    },
    stop: async (id) => lives.get(id)?.end("stopped-by-tool"),
    async stopAll() {
      recorder = undefined;
      await Promise.allSettled(starting);
      await Promise.all([...lives.values()].map((life) => life.end("khaelor-shutdown")));
    },
  };
}

const isRunning = ({ process }: Life): boolean => process.ending() === undefined;

function forgetOldest(lives: Map<string, Life>): void {
  const ended = [...lives].filter(([, life]) => !isRunning(life));
  for (const [id] of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) lives.delete(id);
}
