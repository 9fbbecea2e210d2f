/** Counts what this process reads from files, by the system's own account. */
import { readFileSync } from "node:fs";

/** Bytes that read calls returned while `work` ran; whatever else this process reads meanwhile is in it. */
export async function bytesRead<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly bytes: number }> {
  const before = readSoFar();
  const value = await work();
  return { value, bytes: readSoFar() - before };
}

const readSoFar = (): number => Number(/^rchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
