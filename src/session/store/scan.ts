/** Reads a log from its first byte, hands each event on and drops it. Pauses between chunks, so that a screen stays alive. */
import { setImmediate } from "node:timers/promises";
import type { LogEvent } from "../../shared/index.ts";
import type { Integrity } from "./integrity.ts";
import { createJudge, type Findings } from "./judge.ts";
import { lineBatches } from "./lines.ts";

interface ScanOptions {
  readonly fd: number;
  readonly size: number;
  /** The session that the log should hold, if that is known. */
  readonly id?: string | undefined;
  readonly onEvent: (event: LogEvent) => void;
  /** Whether to go on behind damage, to find all of it. */
  readonly whole: boolean;
  readonly integrity?: Integrity;
}

export async function scanLog({ fd, size, id, onEvent, whole, integrity }: ScanOptions): Promise<Findings> {
  const judge = createJudge({ id, integrity });
  for (const batch of lineBatches(fd, size)) {
    for (const line of batch) {
      const event = judge.take(line);
      if (!whole && judge.damage.length > 0) return judge.finish();
      if (event) onEvent(event);
    }
    await setImmediate();
  }
  return judge.finish();
}

/** The events up to the first damage or the torn tail. Pauses as well. */
export async function* readEvents(fd: number, size: number): AsyncGenerator<LogEvent> {
  const judge = createJudge();
  for (const batch of lineBatches(fd, size)) {
    for (const line of batch) {
      const event = judge.take(line);
      if (judge.damage.length > 0) return;
      if (event) yield event;
    }
    await setImmediate();
  }
}
