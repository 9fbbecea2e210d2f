/** How much of a session is held to be shown, as counts: whatever its length, a bounded part, with a true word about the rest. */
import { describe, expect, test } from "bun:test";
import type { DurableInput, LogEvent } from "../../src/shared/index.ts";
import type { Item } from "../../src/tui/model/items.ts";
import { createViewModel, type ViewModel } from "../../src/tui/model/view-model.ts";
import { weightOf } from "../../src/tui/model/weight.ts";
import { HELD } from "../../src/tui/model/window.ts";
import * as w from "../session/log-words.ts";
import { ID } from "../session/workshop.ts";
import { told } from "./item-words.ts";

const exchange = (at: number, result = "x"): readonly DurableInput[] => [
  w.said(`message ${at}`),
  ...w.called(`r${at}`, `t${at}`),
  w.started(`t${at}`),
  w.done(`t${at}`, result),
  ...w.answered(`s${at}`, `answer ${at}`),
];

const exchanges = (count: number, result?: string): readonly LogEvent[] =>
  w.given(w.begun, ...Array.from({ length: count }, (_, at) => exchange(at, result)));

const weightIn = (items: readonly Item[]): number => items.reduce((sum, item) => sum + weightOf(item), 0);

const frameOf = (...durables: readonly LogEvent[]): Parameters<ViewModel["apply"]>[0] => ({
  durables: durables as Parameters<ViewModel["apply"]>[0]["durables"], // of this version all
  thinkingAppends: new Map(),
  textAppends: new Map(),
  toolCallsStarted: new Map(),
  toolInputPreviews: new Map(),
  toolOutputAppends: new Map(),
  processOutputAppends: new Map(),
});

describe("of a session of 100,000 events", () => {
  const events = exchanges(10_000, "a result of some length, in several words; ".repeat(20));
  const model = createViewModel({ id: ID });
  const most = { items: 0, chars: 0 };
  for (const [at, event] of events.entries()) {
    model.replay(event);
    if (at % 997 !== 0) continue;
    const { items } = model.state();
    most.items = Math.max(most.items, items.length);
    most.chars = Math.max(most.chars, weightIn(items));
  }
  const { items } = model.state();

  test("a bounded part is held, at every moment", () => {
    expect(events.length).toBeGreaterThan(100_000);
    expect(most.items).toBeLessThanOrEqual(HELD.items);
    expect(most.chars).toBeLessThanOrEqual(HELD.chars);
    expect(items.length).toBeGreaterThan(1000);
    expect(told(items).slice(-3)).toEqual([
      "says: message 9999",
      expect.stringMatching(/^done read: /),
      "answer: answer 9999",
    ]);
  });

  test("its top says how many events are not shown and how to see them", () => {
    const [first, next] = items;
    const count = ((next?.seq ?? 0) - 1).toLocaleString("en");
    expect(first).toEqual({
      id: "earlier",
      seq: 0,
      kind: "notice",
      tone: "muted",
      text: `${count} earlier events are not shown here.\nkhaelor sessions show ${ID} prints them, khaelor log ${ID} lists them one by one.`,
    });
  });
});

test("what is held is bounded by its text as well", () => {
  const held = { items: 10_000, chars: 1_000_000 };
  const model = createViewModel({ held });
  for (const event of exchanges(200, "y".repeat(15_000))) {
    model.replay(event);
    expect(weightIn(model.state().items)).toBeLessThanOrEqual(held.chars);
  }
  expect(model.state().items.length).toBeGreaterThan(30);
});

test("of a text that is too long the newest is shown all the same", () => {
  const model = createViewModel({ held: { items: 8, chars: 1000 } });
  for (const event of w.given(w.begun, w.said("go"), ...w.answered("r", "long ".repeat(5000)))) model.replay(event);
  expect(told(model.state().items)).toEqual(["says: go", `answer: ${"long ".repeat(5000)}`]);
});

test("a session that goes on is as bounded as one that is opened, and a reader that follows it has the same", () => {
  const held = { items: 40, chars: 1_000_000 };
  const [live, replayed] = [createViewModel({ held }), createViewModel({ held })];
  const copy: Item[] = [];
  let known = { revision: 0, moved: 0 };
  for (const event of exchanges(60)) {
    live.apply(frameOf(event));
    replayed.replay(event);
    const { items, moved, revision, changedSince } = live.state();
    copy.splice(0, moved - known.moved);
    for (let at = Math.min(copy.length, changedSince(known.revision)); at < items.length; at++)
      copy[at] = items[at] as Item;
    known = { revision, moved };
    expect(items.length).toBeLessThanOrEqual(held.items);
    expect(copy).toEqual([...items]);
  }
  expect(live.state().items).toEqual(replayed.state().items);
  expect(live.state().moved).toBeGreaterThan(100);
});

test("what happens to a call finds it where it stands now, and one that is held no more is left alone", () => {
  const model = createViewModel({ held: { items: 12, chars: 1_000_000 } });
  const events = [...exchanges(20), ...w.given(w.begun, ...w.called("r", "late")).slice(1)];
  for (const event of events) model.replay(event);
  const [old, now] = w.given(w.done("t0", "again"), w.done("late", "found"));
  if (old) model.replay(old);
  if (now) model.replay(now);
  const shown = told(model.state().items);
  expect(shown.at(-1)).toBe("done read: found");
  expect(shown.filter((words) => words.includes("again"))).toEqual([]);
});

test("damage that is out of sight is named where the rest is", () => {
  const model = createViewModel({ id: ID, readOnly: {}, held: { items: 12, chars: 1_000_000 } });
  for (const [at, event] of exchanges(30).entries()) {
    if (at === 20 || at === 40) model.replayGap(`Damaged here: ${at}`);
    model.replay(event);
  }
  const [first] = model.state().items;
  expect(first?.kind === "notice" && first.text.split("\n")[0]).toMatch(
    /^\d+ earlier events are not shown here, with 2 damaged places of the log among them\.$/,
  );
});
