/** What this process holds and has held, and what it has read, by the system's own account. Undefined where there is no /proc. */
import { existsSync, readFileSync } from "node:fs";

export interface Memory {
  readonly nowBytes: number;
  /** Since this program was loaded; `getrusage` would count its parent as well, up to the moment of the fork. */
  readonly peakBytes: number;
}

export function memoryOf(pid: number | "self"): Memory | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const status = readFileSync(path, "utf8");
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  const [nowBytes, peakBytes] = [bytes("VmRSS"), bytes("VmHWM")];
  return Number.isNaN(nowBytes) || Number.isNaN(peakBytes) ? undefined : { nowBytes, peakBytes };
}

/** What all read calls of this process have returned. */
export function readBytesSoFar(): number | undefined {
  const path = "/proc/self/io";
  if (!existsSync(path)) return undefined;
  const bytes = Number(/^rchar: (\d+)/m.exec(readFileSync(path, "utf8"))?.[1]);
  return Number.isNaN(bytes) ? undefined : bytes;
}
