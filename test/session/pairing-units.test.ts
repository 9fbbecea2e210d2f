/** Which calls are open, where a cut may fall, and when nothing may be dropped. */
import { describe, expect, test } from "bun:test";
import { conversation, isLoopOpen, isSafeCut, openCalls, safeCuts, turnState } from "../../src/session/index.ts";
import { type DurableInput, fold } from "../../src/shared/index.ts";
import {
  answered,
  asked,
  begun,
  call,
  called,
  cancelled,
  compacted,
  done,
  ended,
  failed,
  given,
  interrupted,
  said,
} from "./log-words.ts";

const open = (...inputs: readonly (DurableInput | readonly DurableInput[])[]) =>
  openCalls(fold(turnState, given(begun, said("fix"), ...inputs))).map(({ toolUseId }) => toolUseId);

describe("open are", () => {
  test("the calls of an answer that is still coming, and of one that has ended", () => {
    expect(open(asked("r"), call("r", 0, "a"))).toEqual(["a"]);
    expect(open(called("r", "a", "b"))).toEqual(["a", "b"]);
    expect(open(called("r", "a", "b"), done("a", "x"))).toEqual(["b"]);
  });

  test("once, the calls of an interrupted answer, also those that settle behind the interrupt", () => {
    const cut = [asked("r"), call("r", 0, "a"), interrupted("a"), call("r", 1, "b")];
    expect(open(cut)).toEqual(["a", "b"]);
    expect(open(cut, failed("r", { kind: "cancelled" }))).toEqual(["a", "b"]);
    expect(open(cut, ended("r", "tool_use"))).toEqual(["a", "b"]);
    expect(open(cut, ended("r", "max_tokens"))).toEqual(["a"]);
    expect(open(cut, ended("r", "refusal"))).toEqual([]);
  });

  test("not the calls of a failed or refused answer", () => {
    expect(open(asked("r"), call("r", 0, "a"), failed("r"))).toEqual([]);
    expect(open(asked("r"), call("r", 0, "a"), ended("r", "refusal"))).toEqual([]);
  });
});

//  1 begun  2 said  3-7 called a, b  8 a  9 b  10-12 answer  13 said
const LOG = given(
  begun,
  said("fix"),
  called("r1", "a", "b"),
  done("b", "x"),
  done("a", "y"),
  answered("r2", "ok"),
  said("more"),
);
const upTo = (seq: number) => fold(conversation, LOG.slice(0, seq));

describe("a cut", () => {
  test("may fall behind any message but one whose results are missing or follow", () => {
    expect(safeCuts(upTo(1))).toEqual([]);
    expect(safeCuts(upTo(2))).toEqual([2]);
    expect(safeCuts(upTo(7))).toEqual([2]);
    expect(safeCuts(upTo(8))).toEqual([2]);
    expect(safeCuts(upTo(9))).toEqual([2, 9]);
    expect(safeCuts(upTo(13))).toEqual([2, 9, 12, 13]);
  });

  test("is judged by the last message that it holds whole", () => {
    const state = upTo(13);
    const safe = [1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 99].filter((seq) => isSafeCut(state, seq));
    expect(safe).toEqual([2, 3, 6, 9, 10, 11, 12, 13, 99]);
  });

  test("that begins a kept tail with a result is refused, also behind a checkpoint", () => {
    const state = fold(conversation, [
      ...LOG.slice(0, 9),
      ...given(...LOG.slice(0, 9).map(() => begun), compacted(2)).slice(9),
    ]);
    expect(state.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(isSafeCut(state, 7)).toBe(false);
    expect(isSafeCut(state, 9)).toBe(true);
  });
});

describe("a tool loop is open", () => {
  test("from its first call until an answer without one", () => {
    expect([2, 7, 8, 9, 12, 13].map((seq) => [seq, isLoopOpen(upTo(seq))])).toEqual([
      [2, false],
      [7, true],
      [8, true],
      [9, true],
      [12, false],
      [13, false],
    ]);
  });

  test("behind an interrupt and what the user says then, for it goes into the message of the results", () => {
    const stopped = given(begun, said("fix"), called("r", "a"), interrupted("a"), cancelled("a"), said("other"));
    expect(isLoopOpen(fold(conversation, stopped))).toBe(true);
  });
});
