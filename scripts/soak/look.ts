/** A look at a program that should be at rest: what it holds, and what it does while nothing is asked of it. Needs /proc. */
import { readdirSync, readFileSync } from "node:fs";
import { costOf, wokenBetween } from "../bench/pty.ts";
import type { Rest } from "./verdict.ts";

export interface Looked {
  readonly pid: number;
  /** Bytes that it has written so far. */
  readonly written: () => number;
}

/** What it leaves behind for a moment is gone then: memory that is given back, watchdogs, a last frame. */
const SETTLE_MS = 4000;
const WATCH_MS = 4000;

export async function lookAtRest({ pid, written }: Looked): Promise<Omit<Rest, "minutes" | "rounds">> {
  await Bun.sleep(SETTLE_MS);
  const [before, bytes] = [costOf(pid), written()];
  await Bun.sleep(WATCH_MS);
  const after = costOf(pid);
  const seconds = WATCH_MS / 1000;
  const count = (folder: string): number => readdirSync(`/proc/${pid}/${folder}`).length;
  return {
    rssMb: after.rssBytes / 1e6,
    threads: count("task"),
    descriptors: count("fd"),
    children: childrenOf(pid),
    bytesWritten: written() - bytes,
    wakeUpsPerSecond: wokenBetween(before, after) / seconds,
    cpuMsPerSecond: (after.cpuMs - before.cpuMs) / seconds,
  };
}

/** Of all its threads; the guardian is one of them. */
function childrenOf(pid: number): number {
  const lists = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`));
  return lists.join(" ").split(/\s+/).filter(Boolean).length;
}
