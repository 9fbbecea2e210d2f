/** The least that a replay can be: streams a file in pieces of 1 MiB, parses each line, and drops it. */
import { closeSync, openSync, readSync } from "node:fs";
import { timed } from "./timed.ts";

const NEWLINE = 0x0a;
const [, , path = ""] = process.argv;

await timed(() => {
  const fd = openSync(path, "r");
  const chunk = Buffer.allocUnsafe(1024 * 1024);
  let rest = Buffer.alloc(0);
  let lines = 0;
  for (let count = readSync(fd, chunk); count > 0; count = readSync(fd, chunk)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk.subarray(0, count)]) : chunk.subarray(0, count);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      if (JSON.parse(bytes.toString("utf8", start, end))) lines++;
      start = end + 1;
    }
    rest = Buffer.from(bytes.subarray(start));
  }
  closeSync(fd);
  return lines;
});
