/** What the transcript shows of a log: each rule of the timeline, said by example. */
import { describe, expect, test } from "bun:test";
import { type DurableInput, fold } from "../../src/shared/index.ts";
import { timeline } from "../../src/tui/model/timeline.ts";
import { changedSince } from "../../src/tui/model/timeline-state.ts";
import * as w from "../session/log-words.ts";
import { told } from "./item-words.ts";

const shown = (...inputs: readonly (DurableInput | readonly DurableInput[])[]) => fold(timeline, w.given(...inputs));
describe("answers", () => {
  test("a whole turn in the order of its blocks, whatever order they settled in", () => {
    const { items, open } = shown(
      w.begun,
      w.said("hi"),
      w.asked("r"),
      w.text("r", 1, "there"),
      w.thought("r", 0, "s", "hm"),
      w.call("r", 2, "t"),
      w.ended("r", "tool_use"),
      w.started("t"),
      w.done("t", "content"),
    );
    expect(told(items)).toEqual(["says: hi", "thinks: hm", "answer: there", "done read: content"]);
    expect(open).toBeUndefined();
  });

  test("blocks of an answer that has not ended are no items yet", () => {
    expect(told(shown(w.said("hi"), w.asked("r"), w.text("r", 0, "so far")).items)).toEqual(["says: hi"]);
  });

  test("a failed attempt leaves no trace, and its calls none either", () => {
    const { items } = shown(
      w.said("hi"),
      w.asked("r1"),
      w.text("r1", 0, "dead"),
      w.call("r1", 1, "t1"),
      w.failed("r1"),
      w.cancelled("t1", "closed", "discarded"),
      ...w.answered("r2", "alive"),
    );
    expect(told(items)).toEqual(["says: hi", "answer: alive"]);
  });

  test("an answer that a crash cut is dead when the next one begins", () => {
    const { items } = shown(w.said("hi"), w.asked("r1"), w.text("r1", 0, "dead"), ...w.answered("r2", "alive"));
    expect(told(items)).toEqual(["says: hi", "answer: alive"]);
  });

  test("what was kept of a stopped answer says itself that it was stopped, and only that", () => {
    const { items } = shown(
      w.said("hi"),
      w.asked("r"),
      w.text("r", 0, "first"),
      w.interrupted(),
      w.text("r", 1, "sec", true),
      w.failed("r", { kind: "cancelled" }),
    );
    expect(told(items)).toEqual(["says: hi", "answer: first", "partial: sec"]);
  });

  test("a stopped answer without its end settles with the next message", () => {
    const { items } = shown(w.said("a"), w.asked("r"), w.text("r", 0, "kept"), w.interrupted(), w.said("b"));
    expect(told(items)).toEqual(["says: a", "answer: kept", "notice: Stopped.", "says: b"]);
  });

  test("a refusal, a cut call, blank text and the summary of a compaction are not shown", () => {
    const { items } = shown(
      w.asked("a"),
      w.text("a", 0, "no"),
      w.ended("a", "refusal"),
      w.asked("b"),
      w.text("b", 0, " \n"),
      w.call("b", 1, "t"),
      w.ended("b", "max_tokens"),
      w.asked("c", { purpose: "compaction" }),
      w.text("c", 0, "summary"),
      w.ended("c"),
    );
    expect(items).toEqual([]);
  });

  test("redacted thinking is told as such", () => {
    const { items } = shown(w.asked("r"), w.redacted("r", 0, "x"), w.text("r", 1, "a"), w.ended("r"));
    expect(told(items)).toEqual(["redacted", "answer: a"]);
  });
});

describe("what the user says", () => {
  test("steering enters where it entered the conversation; what waits is a chip", () => {
    const state = shown(w.said("go"), w.queued("left"), w.queued("later", "next-turn"), w.injected(2));
    expect(told(state.items)).toEqual(["says: go", "steers: left"]);
    expect(state.queued.map(({ text, deliver }) => `${deliver} ${text}`)).toEqual(["next-turn later"]);
  });

  test("what was queued for the next turn, or enters between turns, is a message like any other", () => {
    const { items, queued } = shown(
      w.said("go"),
      w.queued("later", "next-turn"),
      w.queued("too"),
      w.completed,
      w.injected(2),
      w.completed,
      w.injected(3),
    );
    expect(told(items)).toEqual(["says: go", "says: later", "says: too"]);
    expect(queued).toEqual([]);
  });

  test("a fork begins without the queue of the other session", () => {
    const fork = { fork: { sessionId: "other", seq: 2, kind: "fork" as const } };
    const { queued, items } = shown(w.said("go"), w.queued("left"), w.resumed(fork));
    expect([queued, told(items)]).toEqual([[], ["says: go", "notice: Forked from other at 2."]]);
  });

  test("the program's own words are a notice, a command of the user's an item of its own", () => {
    const shell = { command: "ls", exitCode: 2, output: "nothing\n" };
    const { items } = shown(w.said("go"), w.nudge("check\nit"), w.said("", { shell }));
    expect(told(items)).toEqual(["says: go", "notice: Told the model: check …", "$ ls → 2"]);
  });
});

describe("what changed", () => {
  test("is found by its lowest index, for every reader by itself", () => {
    let state = shown(w.called("r", "t0", "t1", "t2", "t3"));
    const { revision: first } = state;
    const next = (...inputs: readonly (DurableInput | readonly DurableInput[])[]) => {
      for (const event of w.given(...inputs)) state = timeline.apply(state, event);
    };
    expect(changedSince(state, first)).toBe(4);
    next(w.started("t1"), w.started("t3"));
    const { revision: second } = state;
    expect([changedSince(state, first), changedSince(state, second)]).toEqual([1, 4]);
    next(w.started("t2"));
    expect([changedSince(state, first), changedSince(state, second)]).toEqual([1, 2]);
    next(w.started("t0"), w.said("more"));
    expect([changedSince(state, first), changedSince(state, second), changedSince(state, state.revision)]).toEqual([
      0, 0, 5,
    ]);
  });
});
