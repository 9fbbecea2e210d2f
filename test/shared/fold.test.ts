import { expect, test } from "bun:test";
import { type DurableEvent, type DurableType, fold, type LogEvent, projection, total } from "../../src/shared/index.ts";
import { DURABLE } from "../support/generators.ts";

const renamed = (seq: number, title: string): DurableEvent => ({
  v: 1,
  id: `e${seq}`,
  sessionId: "s",
  seq,
  ts: 0,
  type: "session.renamed",
  payload: { title },
});
const started: DurableEvent = {
  ...renamed(9, ""),
  type: "tool.started",
  payload: { toolUseId: "t", toolName: "read" },
};
const unknown: LogEvent = { ...renamed(9, ""), type: "future.thing", payload: {}, opaque: true };

const titles = projection<readonly string[]>("titles", () => [], {
  "session.renamed": (state, { payload }) => [...state, payload.title],
});

test("a fold starts anew each time and meets its events in order", () => {
  const log = [renamed(1, "a"), started, renamed(2, "b")];
  expect([fold(titles, log), fold(titles, log), fold(titles, [])]).toEqual([["a", "b"], ["a", "b"], []]);
});

test("what a projection does not name, known to this build or not, leaves the same state", () => {
  const state = ["a"];
  expect([titles.apply(state, started) === state, titles.apply(state, unknown) === state]).toEqual([true, true]);
});

test("a type named like an inherited property finds no reducer", () => {
  const state = ["a"];
  expect(titles.apply(state, { ...unknown, type: "constructor" }) === state).toBe(true);
});

test("a total projection takes a position on every type; the ignored ones and unknown ones leave the same state", () => {
  const ignored = Object.fromEntries(DURABLE.map(({ type }) => [type, "ignored"])) as Ignored;
  const renames = total<{ count: number }>("renames", () => ({ count: 0 }), {
    ...ignored,
    "session.renamed": ({ count }) => ({ count: count + 1 }),
  });
  expect(fold(renames, [renamed(1, "a"), started, unknown, renamed(2, "b")])).toEqual({ count: 2 });
  const state = { count: 5 };
  expect([renames.apply(state, started) === state, renames.apply(state, unknown) === state]).toEqual([true, true]);
});

/** What asking the catalogue for every type gives, which the compiler cannot see. */
type Ignored = { readonly [T in DurableType]: "ignored" };
