/**
 * A compiled program on a pseudo-terminal, watched from outside: when which bytes came, how many, and what the process cost
 * meanwhile, threads and children included. Nothing is drawn: what is searched for are bytes.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cpuMsOf } from "./cpu-clock.ts";
import type { Ground } from "./ground.ts";
import { memoryOf } from "./programs/own-memory.ts";

export interface Watched {
  readonly pid: number;
  /** When the program was started, as `performance.now` counts. */
  readonly startedAt: number;
  write(bytes: string): void;
  /** Bytes that came so far. */
  received(): number;
  /** When the first byte came; undefined before. */
  firstByteAt(): number | undefined;
  /** Resolves with the time when this text has come, looked for from now on or from `since` bytes. Rejects after `mostMs`. */
  seen(text: string, options?: { readonly since?: number; readonly mostMs?: number }): Promise<number>;
  /** How often a frame began, by its synchronised update, within the bytes behind `since`. */
  frames(since: number): number;
  cost(): Cost;
  /** Ends it, by its own key first. */
  close(): Promise<void>;
}

export interface Cost {
  /** User and system time of the process and of its children that have ended, in milliseconds. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** The most of it so far. */
  readonly peakBytes: number;
  /** How often each of its threads was woken, by the thread's id. */
  readonly wakeUps: ReadonlyMap<string, number>;
}

interface WatchOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** What is typed to end the program. */
  readonly quit?: string;
}

interface Waiting {
  readonly text: string;
  readonly from: number;
  readonly resolve: (at: number) => void;
}

/** All bytes that came, a character for each. What is waited for is looked for in what is new only: this runs beside what is measured. */
function createReceived() {
  const chunks: string[] = [];
  let length = 0;
  let waiting: Waiting[] = [];
  /** The end of what came before, as long as what is waited for may begin in it. */
  let tail = "";
  const text = () => {
    const all = chunks.join("");
    chunks.splice(0, chunks.length, all);
    return all;
  };
  return {
    text,
    length: () => length,
    add(chunk: string, at: number): void {
      chunks.push(chunk);
      length += chunk.length;
      const fresh = tail + chunk;
      const start = length - fresh.length;
      tail = fresh.slice(-LONGEST_MARK);
      waiting = waiting.filter((one) => {
        if (fresh.indexOf(one.text, Math.max(0, one.from - start)) === -1) return true;
        one.resolve(at);
        return false;
      });
    },
    await(one: Waiting): void {
      const isThere = one.from < length && text().indexOf(one.text, one.from) !== -1;
      if (isThere) one.resolve(performance.now());
      else waiting.push(one);
    },
  };
}

const LONGEST_MARK = 64;
const LONGEST_MS = 60_000;
const TICKS_A_SECOND = 100; // what Linux tells user programs, whatever the kernel counts by

export function watch(ground: Ground, command: readonly string[], options: WatchOptions = {}): Watched {
  const { env = {}, columns = 100, rows = 30, quit = "\x03\x03" } = options;
  const came = createReceived();
  let firstByteAt: number | undefined;
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: ground.project,
    env: { ...ground.env, TERM: "xterm-256color", COLORTERM: "truecolor", LANG: "C.UTF-8", ...env },
    terminal: {
      cols: columns,
      rows,
      data(_terminal, bytes) {
        const at = performance.now();
        firstByteAt ??= at;
        came.add(Buffer.from(bytes).toString("latin1"), at);
      },
    },
  });
  const terminal = child.terminal;
  if (!terminal) throw new Error("this system gives no pseudo-terminal");
  return {
    pid: child.pid,
    startedAt,
    write: (bytes) => void terminal.write(bytes),
    received: came.length,
    firstByteAt: () => firstByteAt,
    seen(wanted, { since = came.length(), mostMs = LONGEST_MS } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const limit = setTimeout(
        () => reject(new Error(`"${wanted}" did not come within ${mostMs} ms:\n${came.text().slice(-2000)}`)),
        mostMs,
      );
      came.await({ text: Buffer.from(wanted).toString("latin1"), from: since, resolve });
      return promise.finally(() => clearTimeout(limit));
    },
    frames: (since) => came.text().slice(since).split("\x1b[?2026h").length - 1,
    cost: () => costOf(child.pid),
    async close() {
      terminal.write(quit);
      const killer = setTimeout(() => child.kill("SIGKILL"), 5000);
      await child.exited;
      clearTimeout(killer);
      terminal.close();
    },
  };
}

/** Zeros where there is no /proc: then the figures say that they were not measured. */
export function costOf(pid: number): Cost {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return { cpuMs: 0, rssBytes: 0, peakBytes: 0, wakeUps: new Map() };
  const fields = readFileSync(stat, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const msIn = (columns: readonly number[]) =>
    columns.reduce((sum, at) => sum + (Number(fields[at] ?? 0) * 1000) / TICKS_A_SECOND, 0);
  const cpuMs = (cpuMsOf(pid) ?? msIn([11, 12])) + msIn([13, 14]);
  const threads = readdirSync(`/proc/${pid}/task`);
  const wakeUps = new Map(threads.map((thread) => [thread, switchesOf(`/proc/${pid}/task/${thread}/status`)]));
  const { nowBytes = 0, peakBytes = 0 } = memoryOf(pid) ?? {};
  return { cpuMs, rssBytes: nowBytes, peakBytes, wakeUps };
}

/** Of the threads that were there both times: one that has ended meanwhile takes its count along. */
export function wokenBetween({ wakeUps: before }: Cost, { wakeUps: after }: Cost): number {
  return [...after].reduce((sum, [thread, count]) => sum + Math.max(0, count - (before.get(thread) ?? 0)), 0);
}

function switchesOf(path: string): number {
  if (!existsSync(path)) return 0; // the thread has ended meanwhile
  return Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(path, "utf8"))?.[1] ?? 0);
}
