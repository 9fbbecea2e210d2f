/**
 * The lines of a log as they stand in it, each with its event, also behind damage and also while another process writes. Holds
 * one chunk at a time.
 */
import { closeSync, fstatSync, watch } from "node:fs";
import { decode } from "../../shared/index.ts";
import type { LogLine, ReadingOptions } from "../store-types.ts";
import { createJudge, type Judge } from "./judge.ts";
import { type LineStart, lineBatches, type RawLine } from "./lines.ts";
import { openLog } from "./log-file.ts";

/** Where the file system tells nothing, the log is looked at this often. */
const LOOK_MS = 1_000;

export async function* readLogLines(path: string, { follow }: ReadingOptions = {}): AsyncGenerator<LogLine> {
  const { fd, stat } = openLog(path, "read");
  const judge = createJudge();
  try {
    if (!follow) {
      yield* judged(judge, lineBatches(fd, stat.size));
      yield* atTheEnd(judge, stat.size);
    } else {
      yield* followed({ path, fd, judge }, follow);
    }
  } finally {
    closeSync(fd);
  }
}

function* judged(judge: Judge, batches: Iterable<readonly RawLine[]>): Generator<LogLine> {
  let told = judge.damage.length;
  for (const batch of batches) {
    for (const line of batch) {
      const event = judge.take(line);
      for (; told < judge.damage.length; told++) {
        const damage = judge.damage[told];
        if (damage) yield { number: damage.line, byte: damage.byte, problem: damage.reason };
      }
      if (event && line.text !== undefined) yield { number: line.number, event, text: line.text };
    }
  }
}

function* atTheEnd(judge: Judge, size: number): Generator<LogLine> {
  const { tornFrom, events } = judge.finish();
  if (tornFrom === undefined) return;
  const problem = `the last ${size - tornFrom} bytes are no whole line`;
  yield { number: events + judge.damage.length + 1, byte: tornFrom, problem, torn: true };
}

interface Opened {
  readonly path: string;
  readonly fd: number;
  readonly judge: Judge;
}

/**
 * A last line that is no event yet is not taken: its writer may still be at it, and whoever resumes the log takes it out. The
 * descriptor stays with the file when that gets another name.
 */
async function* followed({ path, fd, judge }: Opened, signal: AbortSignal): AsyncGenerator<LogLine> {
  let from: LineStart = { byte: 0, number: 1 };
  const growth = watched(path, signal);
  try {
    while (!signal.aborted) {
      const { size, nlink } = fstatSync(fd);
      for (const batch of lineBatches(fd, size, from)) {
        const whole = wholeLines(batch, size);
        yield* judged(judge, [whole]);
        const last = whole.at(-1);
        if (last) from = { byte: last.offset + last.length + 1, number: last.number + 1 };
      }
      if (nlink === 0) return;
      if (fstatSync(fd).size === size) await growth.next();
    }
  } finally {
    growth.stop();
  }
}

function wholeLines(batch: readonly RawLine[], size: number): readonly RawLine[] {
  const last = batch.at(-1);
  if (!last || last.offset + last.length + 1 < size) return batch;
  return last.complete && !isTorn(last.text) ? batch : batch.slice(0, -1);
}

/** As the judge has it: no event at all, so that it would be torn if nothing followed. */
function isTorn(text = ""): boolean {
  const read = decode(text);
  return !read.ok && (read.error.kind === "json" || read.error.kind === "envelope");
}

/** `next` resolves when the file changed, when it is time to look again, or when the signal aborts. */
function watched(path: string, signal: AbortSignal): { next(): Promise<void>; stop(): void } {
  let wake: () => void = () => undefined;
  let isChanged = false;
  const changed = () => {
    isChanged = true;
    wake();
  };
  const watcher = startWatching(path, changed);
  const timer = setInterval(changed, LOOK_MS);
  signal.addEventListener("abort", changed);
  return {
    async next() {
      if (!isChanged && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      isChanged = false;
    },
    stop() {
      watcher?.close();
      clearInterval(timer);
      signal.removeEventListener("abort", changed);
    },
  };
}

function startWatching(path: string, changed: () => void): { close(): void } | undefined {
  try {
    return watch(path, changed).on("error", () => undefined); // the timer goes on looking
  } catch {
    return undefined;
  }
}
