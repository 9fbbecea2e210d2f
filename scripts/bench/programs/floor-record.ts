/** The least that recording a call can be: its six lines (what asked for it, what came of it), and when the call has effects the disk is asked once. */
import { closeSync, fdatasync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { timed } from "./timed.ts";

const [, , path = "", calls = "0", kind = "reads"] = process.argv;
const LINE = `${"x".repeat(220)}\n`;
const LINES_PER_CALL = 6;
const flush = promisify(fdatasync);
const fd = openSync(path, "ax");
await timed(async () => {
  for (let call = 0; call < Number(calls); call++) {
    for (let line = 0; line < LINES_PER_CALL; line++) writeSync(fd, LINE);
    if (kind === "acts") await flush(fd);
  }
  return Number(calls);
});
closeSync(fd);
