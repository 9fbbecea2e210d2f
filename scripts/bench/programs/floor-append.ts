/** The least that recording can be: the same objects, stringified, and one write for each line. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { timed } from "./timed.ts";

const [, , from = "", to = ""] = process.argv;
const events: unknown[] = readFileSync(from, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const fd = openSync(to, "ax");
await timed(() => {
  for (const event of events) {
    const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
    writeSync(fd, bytes, 0, bytes.length);
  }
  return events.length;
});
closeSync(fd);
