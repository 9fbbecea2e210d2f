/** Every fault of the wire, through the whole house: it ends in an answer or in words that say what to do, and costs no session. */
import { afterAll, describe, expect, test } from "bun:test";
import { type Held, heldBeyond, watchResources } from "../../support/resources.ts";
import { COURSE_FAULTS } from "./course-faults.ts";
import { type FaultCase, seenOf } from "./fault-run.ts";
import { isUpdating, readTable, writeTable } from "./golden.ts";
import { STATUS_FAULTS } from "./status-faults.ts";
import { STREAM_FAULTS } from "./stream-faults.ts";
import { WIRE_FAULTS } from "./wire-faults.ts";

const TABLES: Readonly<Record<string, readonly FaultCase[]>> = {
  "an answer that is no stream": STATUS_FAULTS,
  "a connection that breaks": WIRE_FAULTS,
  "a stream that says something strange": STREAM_FAULTS,
  "a fault in the course of a task": COURSE_FAULTS,
};

const golden = isUpdating ? new Map<string, string>() : readTable();
const seen = new Map<string, string>();
const all = Object.values(TABLES).flat();

for (const [kind, cases] of Object.entries(TABLES)) {
  describe(kind, () => {
    for (const fault of cases) {
      test(fault.name, async () => {
        const lines = (await seenOf(fault)).join("\n");
        seen.set(fault.name, lines);
        if (!isUpdating) expect(lines).toBe(golden.get(fault.name) ?? "");
      }, 30_000);
    }
  });
}

test("the table names every fault, each once", () => {
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  if (!isUpdating) expect([...golden.keys()]).toEqual(names);
});

test("of none of them a timer, a socket or a file stays open", async () => {
  const holder = { simulator: { openConnections: () => 0 } };
  using watch = watchResources();
  const before = watch.held(holder);
  for (const fault of all.filter((_fault, at) => at % 12 === 0)) await seenOf(fault);
  const isAsBefore = ({ timers, sockets }: Held) => timers.length === 0 && sockets <= before.sockets;
  const after = heldBeyond(await watch.heldOnce(holder, isAsBefore), before);
  expect({ ...after, sockets: Math.min(after.sockets, before.sockets) }).toEqual({
    ...before,
    timers: [],
    descriptors: [],
  });
}, 60_000);

afterAll(() => {
  if (isUpdating) writeTable(seen);
});
