/** Publishes the events of a log into a new session: envelope, checks, line, folds, delivery. */
import { readFileSync } from "node:fs";
import type { DurableEvent } from "../../../src/shared/index.ts";
import { openBenchStore } from "./probe-store.ts";
import { timed } from "./timed.ts";

const [, , from = "", home = ""] = process.argv;
const [first, ...events] = readFileSync(from, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as DurableEvent);
if (first?.type !== "session.started") throw new Error(`${from} is no log`);
const session = await openBenchStore(home).create(first.payload);
await timed(() => {
  for (const event of events) session.publish(event);
  return events.length;
});
await session.close();
