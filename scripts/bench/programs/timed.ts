/** Times one piece of work inside a process, and prints what it took as the line of JSON that the bench reads. */
import { memoryOf, readBytesSoFar } from "./own-memory.ts";

/** Milliseconds, bytes. `risenBytes` is the peak of the whole process over what it held when the work began. */
export interface Timed {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly risenBytes?: number;
  /** What read calls returned meanwhile; undefined where the system does not tell. */
  readonly readBytes?: number;
  /** How much was done: events, lines, calls. */
  readonly units: number;
}

export async function timed(work: () => Promise<number> | number): Promise<void> {
  Bun.gc(true);
  const before = memoryOf("self");
  const readBefore = readBytesSoFar();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const units = await work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const after = memoryOf("self");
  const readAfter = readBytesSoFar();
  const risenBytes = before && after ? Math.max(0, after.peakBytes - before.nowBytes) : undefined;
  const result: Timed = {
    wallMs,
    cpuMs: (user + system) / 1000,
    units,
    ...(risenBytes !== undefined && { risenBytes }),
    ...(readBefore !== undefined && readAfter !== undefined && { readBytes: readAfter - readBefore }),
  };
  console.log(JSON.stringify(result));
}
