/** The events of a few types out of a long log: every other line is passed over without being decoded. */
import { closeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { decode, type LogEvent } from "../../shared/index.ts";
import { lineBatches, type RawLine } from "./lines.ts";
import { openLog } from "./log-file.ts";

/** How every line begins that this program wrote; of another the type is only known when it is decoded. */
const TYPE = /^\{"v":\d+,"id":"[^"]*","sessionId":"[^"]*","seq":\d+,"ts":[\d.]+,"type":"([^"]+)"/;

/** Lines that are no events are passed over. Throws StoreError when the log cannot be read. */
export async function* eventsOfTypes(path: string, types: ReadonlySet<string>): AsyncGenerator<LogEvent> {
  const { fd, stat } = openLog(path, "read");
  try {
    for (const batch of lineBatches(fd, stat.size)) {
      for (const line of batch) {
        const event = eventIn(line, types);
        if (event) yield event;
      }
      await setImmediate();
    }
  } finally {
    closeSync(fd);
  }
}

function eventIn({ text, complete }: RawLine, types: ReadonlySet<string>): LogEvent | undefined {
  if (text === undefined || !complete) return undefined;
  const type = TYPE.exec(text)?.[1];
  if (type !== undefined && !types.has(type)) return undefined;
  const read = decode(text);
  return read.ok && types.has(read.value.type) ? read.value : undefined;
}
