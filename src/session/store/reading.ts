/**
 * The lines of a log as they stand in it, each with its event, also behind damage and also while another process writes. Holds
 * one chunk at a time.
 */
import { closeSync, fstatSync, watch } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { decode } from "../../shared/index.ts";
import type { LogLine, ReadingOptions } from "../store-types.ts";
import { createJudge, type Damage, type Judge } from "./judge.ts";
import { type LineStart, lineBatches, type RawLine } from "./lines.ts";
import { openLog } from "./log-file.ts";
import { lastBytes } from "./torn.ts";

/** Where the file system tells nothing, the log is looked at this often. */
const LOOK_MS = 1_000;

interface Log {
  readonly path: string;
  /** The session that it should hold, if that is known. */
  readonly id?: string | undefined;
}

export async function* readLogLines({ path, id }: Log, { follow }: ReadingOptions = {}): AsyncGenerator<LogLine> {
  const { fd, stat } = openLog(path, "read");
  const found: Damage[] = [];
  const judge = createJudge({ id, onDamage: (damage) => void found.push(damage) });
  const reading = { path, fd, judge, found };
  try {
    if (!follow) {
      for (const batch of lineBatches(fd, stat.size)) {
        yield* judged(reading, [batch]);
        await setImmediate(); // a screen stays alive
      }
      yield* atTheEnd(reading, stat.size);
    } else {
      yield* followed(reading, follow);
    }
  } finally {
    closeSync(fd);
  }
}

interface Reading {
  readonly path: string;
  readonly fd: number;
  readonly judge: Judge;
  /** Damage that nobody was told of yet. */
  readonly found: Damage[];
}

function* judged({ judge, found }: Reading, batches: Iterable<readonly RawLine[]>): Generator<LogLine> {
  for (const batch of batches) {
    for (const line of batch) {
      const event = judge.take(line);
      yield* found.splice(0).map(problemLine);
      if (event && line.text !== undefined) yield { number: line.number, event, text: line.text };
    }
  }
}

function* atTheEnd({ judge, found }: Reading, size: number): Generator<LogLine> {
  const { torn } = judge.finish();
  if (torn) {
    const { line: number, byte, looksLike } = torn;
    const problem = `the ${lastBytes(size - byte)} no whole line`;
    yield { number, byte, problem, torn: true, ...(looksLike !== undefined && { looksLike }) };
  }
  yield* found.splice(0).map(problemLine);
}

const problemLine = ({ line, byte, reason, newer, looksLike, event }: Damage): LogLine => ({
  number: line,
  byte,
  problem: reason,
  ...(newer && { newer }),
  ...(looksLike !== undefined && { looksLike }),
  ...(event && { misplaced: event }),
});

/**
 * A last line that is no event yet is not taken: its writer may still be at it, and whoever resumes the log takes it out. The
 * descriptor stays with the file when that gets another name.
 */
async function* followed(reading: Reading, signal: AbortSignal): AsyncGenerator<LogLine> {
  const { path, fd } = reading;
  let from: LineStart = { byte: 0, number: 1 };
  const growth = watched(path, signal);
  try {
    while (!signal.aborted) {
      const { size, nlink } = fstatSync(fd);
      for (const batch of lineBatches(fd, size, from)) {
        const whole = wholeLines(batch, size);
        yield* judged(reading, [whole]);
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
