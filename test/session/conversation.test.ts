/** The fold that writes the messages: given these events, then exactly that conversation. */
import { describe, expect, test } from "bun:test";
import { conversation } from "../../src/session/index.ts";
import type { Conversation } from "../../src/session/projections/conversation-state.ts";
import { type DurableInput, fold, type Message } from "../../src/shared/index.ts";
import {
  answered,
  asked,
  assistant,
  begun,
  call,
  called,
  cancelled,
  completed,
  done,
  ended,
  failed,
  gaveUp,
  given,
  nudge,
  PREFIX,
  queued,
  redacted,
  result,
  said,
  text,
  thinking,
  thought,
  use,
  user,
  words,
} from "./log-words.ts";

type Inputs = readonly (DurableInput | readonly DurableInput[])[];
const after = (...inputs: Inputs): Conversation => fold(conversation, given(begun, ...inputs));
const messages = (...inputs: Inputs): readonly Message[] => after(...inputs).messages;
const called1: Message = { role: "assistant", content: [thinking("sig-r1"), use("a"), use("b")] };

describe("the whole state", () => {
  test("before anything was said names the prefix", () => {
    expect(after()).toEqual({
      messages: [],
      spans: [],
      sentBlocks: 0,
      breaks: 0,
      ...PREFIX,
      awaiting: [],
      callIds: new Set(),
      results: new Map(),
      held: [],
      queued: new Map(),
      inTurn: false,
    });
  });

  test("while one of two results is missing and something was said", () => {
    // 2 said  3-7 called  8 queued  9 b done  10 said
    expect(after(said("fix"), called("r1", "a", "b"), queued("hurry"), done("b", "B"), said("and more"))).toEqual({
      messages: [user("fix"), called1],
      spans: [
        { first: 2, last: 2 },
        { first: 7, last: 7 },
      ],
      sentBlocks: 1,
      sentTail: { message: 0, block: 0 },
      countedTail: { message: 1, block: 2 },
      breaks: 0,
      ...PREFIX,
      awaiting: ["a", "b"],
      callIds: new Set(["a", "b"]),
      results: new Map([["b", result("b", "B")]]),
      held: words("and more"),
      queued: new Map([["e8", { blocks: words("hurry"), beginsTurn: false }]]),
      inTurn: true,
      turnStart: { messages: 2, blocks: 3 },
    });
  });

  test("behind two turns", () => {
    expect(
      after(said("fix"), called("r1", "a", "b"), done("b", "B"), done("a", "A"), answered("r2", "ok"), completed),
    ).toEqual({
      messages: [
        user("fix"),
        called1,
        { role: "user", content: [result("a", "A"), result("b", "B")] },
        assistant("ok"),
      ],
      spans: [
        { first: 2, last: 2 },
        { first: 7, last: 7 },
        { first: 9, last: 9 },
        { first: 12, last: 12 },
      ],
      sentBlocks: 6,
      sentTail: { message: 2, block: 1 },
      countedTail: { message: 3, block: 0 },
      breaks: 0,
      ...PREFIX,
      awaiting: [],
      callIds: new Set(["a", "b"]),
      results: new Map(),
      held: [],
      queued: new Map(),
      inTurn: false,
    });
  });
});

describe("what the user says", () => {
  test("is sent as recorded, each captured piece as a block of its own, and blank ones not at all", () => {
    const context = [
      { name: "environment", text: "<date>\r\n1 Dec</date>" },
      { name: "git", text: " \n" },
    ];
    expect(messages(said(" fix\n", { context }))).toEqual([user("<date>\r\n1 Dec</date>", " fix\n")]);
    expect(messages(said("\n", { context }))).toEqual([user("<date>\r\n1 Dec</date>")]);
  });

  test("never changes what was said before: a new day stands first in the new message", () => {
    const day = (date: string) => ({ context: [{ name: "environment", text: date }] });
    const first = [said("fix", day("30 Nov")), answered("r1", "done")] as const;
    const before = messages(...first);
    expect(messages(...first, said("more", day("1 Dec")))).toEqual([...before, user("1 Dec", "more")]);
  });

  test("goes into the user's last message when no answer stands between", () => {
    expect(messages(said("fix"), asked("r1"), failed("r1"), gaveUp, said("again"))).toEqual([user("fix", "again")]);
    expect(messages(said("fix"), asked("r1"), ended("r1"), nudge())).toEqual([user("fix", "go on")]);
  });
});

describe("an answer", () => {
  test("is one message, its blocks in the order of their index, each as it was recorded", () => {
    const input = { z: 1, a: { "10": 1, "9": [] } };
    const blocks = [
      call("r1", 3, "a", input),
      text("r1", 2, "words "),
      redacted("r1", 1, "data"),
      thought("r1", 0, "s"),
    ];
    const [, answer] = messages(said("fix"), asked("r1"), ...blocks, ended("r1", "tool_use"));
    const content = [thinking("s"), { type: "redacted_thinking", data: "data" }, ...words("words "), use("a", input)];
    expect(JSON.stringify(answer)).toBe(JSON.stringify({ role: "assistant", content }));
  });

  test("that holds nothing is no message", () => {
    expect(messages(said("fix"), asked("r1"), ended("r1"))).toEqual([user("fix")]);
    expect(messages(said("fix"), asked("r1"), thought("r1", 0, "s"), text("r1", 1, "\n\n"), ended("r1"))).toEqual([
      user("fix"),
    ]);
  });

  test("counts from its end on, and only its own", () => {
    const open = [said("fix"), asked("r1"), text("r1", 0, "I"), text("r0", 1, "another's")];
    expect(messages(...open)).toEqual([user("fix")]);
    expect(messages(...open, ended("r0"))).toEqual([user("fix")]);
    expect(messages(...open, ended("r1"))).toEqual([user("fix"), assistant("I")]);
    expect(messages(...open, ended("r1"), ended("r1"))).toEqual([user("fix"), assistant("I")]);
  });

  test("that failed is dead, and so are its calls and whatever becomes of them", () => {
    const dead = [asked("r1"), text("r1", 0, "I"), call("r1", 1, "a"), failed("r1"), cancelled("a", "x", "discarded")];
    expect(messages(said("fix"), ...dead)).toEqual([user("fix")]);
    expect(
      messages(said("fix"), ...dead, asked("r2"), call("r2", 0, "b"), ended("r2", "tool_use"), done("a", "late")),
    ).toEqual([user("fix"), { role: "assistant", content: [use("b")] }]);
  });

  test("to a request that is not of the conversation is none", () => {
    for (const purpose of ["compaction", "added-later"]) {
      const request = [asked("c", { purpose: purpose as "compaction" }), text("c", 0, "summary"), ended("c")];
      expect(after(said("fix"), request)).toEqual(after(said("fix")));
    }
    const nudged = asked("n", { purpose: "verification-nudge" });
    expect(messages(said("fix"), nudged, text("n", 0, "ok"), ended("n"))).toEqual([user("fix"), assistant("ok")]);
  });

  test("that its limit cut loses the call that was cut, and the kernel's closing of it is no result", () => {
    const cut = [asked("r1"), call("r1", 0, "a"), call("r1", 1, "b"), ended("r1", "max_tokens")];
    expect(messages(said("fix"), ...cut, cancelled("b", "x", "discarded"), done("a", "A"))).toEqual([
      user("fix"),
      { role: "assistant", content: [use("a")] },
      { role: "user", content: [result("a", "A")] },
    ]);
  });
});

describe("what a reader holds", () => {
  test("is not changed by what comes later", () => {
    const log = given(
      begun,
      said("fix"),
      called("r1", "a"),
      done("a", "A"),
      said("more"),
      asked("r2"),
      ended("r2", "refusal"),
    );
    const shown: { readonly list: readonly Message[]; readonly copy: readonly Message[]; readonly json: string }[] = [];
    let state = conversation.initial();
    for (const next of log) {
      state = conversation.apply(state, next);
      shown.push({ list: state.messages, copy: [...state.messages], json: JSON.stringify(state.messages) });
    }
    for (const { list, copy, json } of shown) {
      expect(list.slice(0, copy.length).every((message, at) => message === copy[at])).toBe(true);
      expect(JSON.stringify(copy)).toBe(json);
    }
  });

  test("is the same object when nothing changed", () => {
    const state = after(said("fix"));
    const [opaque] = given(begun).map((it) => ({ ...it, type: "future.fact", payload: {}, opaque: true as const }));
    for (const next of [
      ...given(completed).map((it) => ({ ...it, type: "session.renamed" as const, payload: { title: "x" } })),
      opaque,
    ]) {
      if (next) expect(conversation.apply(state, next)).toBe(state);
    }
  });
});
