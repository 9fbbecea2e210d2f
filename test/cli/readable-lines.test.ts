/** What reading a log for people remembers of it: nothing of a sound one, however long; of a ruined one a bounded number of names. */
import { expect, test } from "bun:test";
import { readableLines } from "../../src/cli/readable-lines.ts";
import type { LogLine } from "../../src/session/index.ts";
import * as w from "../session/log-words.ts";

const [FIRST, SECOND, THIRD] = w.given(w.begun, w.said("one"), w.said("two"));

/** A store with one log, that counts how often it is read. */
function storeOf(...lines: readonly LogLine[]) {
  let reads = 0;
  return {
    reads: () => reads,
    async *lines() {
      reads += 1;
      yield* lines;
    },
  };
}

const inPlace = (number: number, event: typeof FIRST): LogLine => {
  if (!event) throw new Error("the log has three events");
  return { number, event, text: "" };
};
const misplaced = (number: number, event: typeof FIRST): LogLine => ({
  number,
  byte: number,
  problem: "not here",
  ...(event && { misplaced: event }),
});

async function shown(store: ReturnType<typeof storeOf>) {
  const seen: string[] = [];
  for await (const line of readableLines(store, "ID")) {
    seen.push("event" in line ? `${line.number}: ${line.event.id}` : `${line.number}: ${line.problem.problem}`);
  }
  return { seen, reads: store.reads() };
}

test("a sound log is read once, and so is one that has lines which cannot be read", async () => {
  const sound = storeOf(inPlace(1, FIRST), inPlace(2, SECOND), inPlace(3, THIRD));
  expect(await shown(sound)).toEqual({ seen: ["1: e1", "2: e2", "3: e3"], reads: 1 });
  const damaged = storeOf(inPlace(1, FIRST), misplaced(2, undefined), inPlace(3, THIRD));
  expect(await shown(damaged)).toEqual({ seen: ["1: e1", "2: not here", "3: e3"], reads: 1 });
});

test("what stands in a wrong place is shown there, unless it stood elsewhere before", async () => {
  const twice = storeOf(
    inPlace(1, FIRST),
    inPlace(2, SECOND),
    misplaced(3, SECOND),
    inPlace(4, THIRD),
    misplaced(5, FIRST),
  );
  expect(await shown(twice)).toEqual({ seen: ["1: e1", "2: e2", "3: not here", "4: e3", "5: not here"], reads: 3 });
  const early = storeOf(inPlace(1, FIRST), misplaced(2, THIRD), inPlace(3, SECOND), inPlace(4, THIRD));
  expect(await shown(early)).toEqual({ seen: ["1: e1", "2: not here", "2: e3", "3: e2"], reads: 3 });
});
