/** One run of a compiled program, with what it cost by the system's own account. A run that fails ends the bench. */
import type { Ground } from "./ground.ts";
import { memoryOf } from "./programs/own-memory.ts";
import type { Timed } from "./programs/timed.ts";

export interface Ran {
  readonly wallMs: number;
  /** User and system time of the program and of every child it has waited for. */
  readonly cpuMs: number;
  /** The most it held whenever it was looked at; undefined where the system does not tell. */
  readonly peakBytes: number | undefined;
  readonly stdout: string;
}

/** Looks at the running program's memory; handed to whoever knows a good moment. */
export type Look = () => void;

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly onStart?: (look: Look) => void;
}

const LONGEST_MS = 120_000;

export async function run(ground: Ground, command: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const start = performance.now();
  const child = Bun.spawn([...command], {
    cwd: ground.project,
    env: { ...ground.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LONGEST_MS,
  });
  let peakBytes: number | undefined;
  options.onStart?.(() => {
    peakBytes = memoryOf(child.pid)?.peakBytes ?? peakBytes;
  });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const wallMs = performance.now() - start;
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}:\n${stderr}`);
  const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0n) / 1000;
  return { wallMs, cpuMs, peakBytes, stdout };
}

/** A program that times its own work. */
export async function runTimed(ground: Ground, command: readonly string[]): Promise<Timed> {
  return JSON.parse((await run(ground, command)).stdout) as Timed;
}

export interface Pair<T> {
  readonly floor: readonly T[];
  readonly product: readonly T[];
}

/** Both by turns, so that whatever else the machine does strikes both alike. The first pair warms up and is not counted. */
export async function pairs<T>(rounds: number, floor: () => Promise<T>, product: () => Promise<T>): Promise<Pair<T>> {
  const seen: { floor: T[]; product: T[] } = { floor: [], product: [] };
  for (let round = 0; round <= rounds; round++) {
    const [below, ours] = [await floor(), await product()];
    if (round === 0) continue;
    seen.floor.push(below);
    seen.product.push(ours);
  }
  return seen;
}
