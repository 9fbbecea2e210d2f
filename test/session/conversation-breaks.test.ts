/** What ends the bindings of the conversation, and what a refusal takes back. */
import { describe, expect, test } from "bun:test";
import { conversation } from "../../src/session/index.ts";
import type { Conversation } from "../../src/session/projections/conversation-state.ts";
import { type DurableInput, fold, type Message } from "../../src/shared/index.ts";
import {
  answered,
  asked,
  assistant,
  begun,
  broken,
  call,
  called,
  compacted,
  completed,
  done,
  ended,
  error,
  event,
  failed,
  gaveUp,
  given,
  injected,
  interrupted,
  nudge,
  pruned,
  queued,
  result,
  resumed,
  said,
  text,
  thinking,
  thought,
  use,
  user,
} from "./log-words.ts";

type Inputs = readonly (DurableInput | readonly DurableInput[])[];
const after = (...inputs: Inputs): Conversation => fold(conversation, given(begun, ...inputs));
const messages = (...inputs: Inputs): readonly Message[] => after(...inputs).messages;

/** 2 said  3-7 called  8 a  9 b  10-13 answered with thinking  14 completed */
const TURN: Inputs = [
  said("fix"),
  called("r1", "a", "b"),
  done("a", "A"),
  broken("b", "B"),
  [asked("r2"), thought("r2", 0, "sig-r2"), text("r2", 1, "ok"), ended("r2")],
  completed,
];
const bare: readonly Message[] = [
  user("fix"),
  { role: "assistant", content: [use("a"), use("b")] },
  { role: "user", content: [result("a", "A"), error("b", "B")] },
  assistant("ok"),
];
const thinkingLoop = [
  asked("r1"),
  thought("r1", 0, "sig-r1"),
  call("r1", 1, "a"),
  ended("r1", "tool_use"),
  done("a", "A"),
];
const refused = (requestId: string) => [
  asked(requestId),
  text(requestId, 0, "I will not"),
  ended(requestId, "refusal"),
];

describe("a prune", () => {
  test("puts the event's own text in the place of the named results, and drops the thinking before it", () => {
    const state = after(...TURN, pruned("[gone]", "b", "unknown"));
    const [first, second, , last] = bare;
    expect(state.messages).toEqual([
      ...[first, second].flatMap((it) => it ?? []),
      { role: "user", content: [result("a", "A"), error("b", "[gone]")] },
      ...(last ? [last] : []),
    ]);
    expect(JSON.stringify(state.messages[2])).toContain(
      '{"type":"tool_result","tool_use_id":"b","content":"[gone]","is_error":true}',
    );
    expect({ sentBlocks: state.sentBlocks, sentTail: state.sentTail, breaks: state.breaks }).toEqual({
      sentBlocks: 0,
      sentTail: undefined,
      breaks: 1,
    });
  });

  test("leaves the thinking of later answers alone", () => {
    const later = [asked("r3"), thought("r3", 0, "sig-r3"), text("r3", 1, "ok"), ended("r3")];
    expect(messages(...TURN, pruned("[gone]", "a"), said("more"), later).at(-1)?.content[0]).toEqual(
      thinking("sig-r3"),
    );
  });
});

describe("another prefix", () => {
  test("drops the thinking before it, and names what is in force", () => {
    const state = after(...TURN, resumed({ systemSha256: "other" }));
    expect(state).toMatchObject({
      messages: bare,
      systemSha256: "other",
      toolsSha256: "tools",
      breaks: 1,
      sentBlocks: 0,
    });
    expect(state.sentTail).toBeUndefined();
    expect(messages(...TURN, resumed({ toolsSha256: "other" }))).toEqual([...bare]);
  });

  test("is none when the hashes are those in force: a resume sends what was sent", () => {
    const state = after(...TURN);
    const [line] = given(resumed());
    expect(line && conversation.apply(state, line)).toBe(state);
    const { systemSha256: _, toolsSha256: __, ...unnamed } = (line?.payload ?? {}) as Record<string, unknown>;
    expect(line && conversation.apply(state, { ...line, payload: unnamed } as typeof line)).toBe(state);
  });

  test("drops also the thinking of an interrupted answer that settles only behind it", () => {
    const cut = [asked("r1"), thought("r1", 0, "old"), text("r1", 1, "half", true), interrupted()];
    const epoch = resumed({ systemSha256: "other" });
    expect(messages(said("fix"), ...cut, epoch, failed("r1", { kind: "cancelled" }))).toEqual([
      user("fix"),
      assistant("half"),
    ]);
  });
});

test("another model drops the thinking of the one before it", () => {
  const changed = event("session.model-changed", { from: "model-a", to: "model-c", reason: "user" });
  expect(after(...TURN, changed)).toMatchObject({ messages: bare, breaks: 1, sentBlocks: 0 });
});

describe("a compaction", () => {
  test("of everything leaves the event's own text, and what comes then goes on in its message", () => {
    const state = after(...TURN, compacted(14));
    expect(state).toMatchObject({
      messages: [user("checkpoint")],
      spans: [{ first: 2, last: 13 }],
      sentBlocks: 0,
      breaks: 1,
    });
    expect(messages(...TURN, compacted(14), said("more"))).toEqual([user("checkpoint", "more")]);
  });

  test("keeps the messages behind the cut, without their thinking; roles alternate", () => {
    expect(after(...TURN, compacted(9))).toMatchObject({
      messages: [user("checkpoint"), assistant("ok")],
      spans: [
        { first: 2, last: 9 },
        { first: 13, last: 13 },
      ],
    });
    const state = after(...TURN, said("more"), compacted(13));
    expect(state).toMatchObject({ messages: [user("checkpoint", "more")], spans: [{ first: 2, last: 15 }] });
  });

  test("swallows an earlier checkpoint like any message", () => {
    const twice = [...TURN, compacted(9), compacted(13, { message: "second" })];
    expect(messages(...twice)).toEqual([user("second")]);
    expect(messages(...TURN, compacted(9), compacted(9, { message: "again" }))).toEqual([
      user("again"),
      assistant("ok"),
    ]);
  });

  test("says the checkpoint itself where no text was recorded", () => {
    const { payload } = compacted(14) as DurableInput<"context.compacted">;
    const { message: _, ...older } = payload;
    expect(messages(...TURN, event("context.compacted", older))).toEqual([user("yaml")]);
  });

  test("made by the server is sent back verbatim, first, and joined to an answer that follows", () => {
    const block = { type: "compaction", content: "sealed", signature: "s" };
    const first = JSON.stringify(block);
    expect(JSON.stringify(messages(...TURN, said("more"), compacted(13, { block })))).toBe(
      `[{"role":"assistant","content":[${first}]},${JSON.stringify(user("more"))}]`,
    );
    expect(JSON.stringify(messages(...TURN, compacted(9, { block })))).toBe(
      `[{"role":"assistant","content":[${first},{"type":"text","text":"ok"}]}]`,
    );
  });

  test("that would part a call from its result is not applied, nor one that says nothing", () => {
    const state = after(...TURN);
    const waiting = after(said("fix"), called("r1", "a"));
    for (const toSeq of [1, 7, 8]) {
      const [line] = given(compacted(toSeq));
      expect(line && conversation.apply(state, line)).toBe(state);
    }
    const [last] = given(compacted(6));
    expect(last && conversation.apply(waiting, last)).toBe(waiting);
    const [blank] = given(compacted(14, { message: " \n" }));
    expect(blank && conversation.apply(state, blank)).toBe(state);
  });
});

describe("a refusal", () => {
  test("does not take a turn back to the loop before it once a break has taken that loop's thinking", () => {
    const stopped: Inputs = [said("fix"), thinkingLoop, interrupted(), said("go on")];
    const paused: Inputs = [asked("r2"), text("r2", 0, "well"), ended("r2", "pause_turn"), nudge()];
    const other = event("session.model-changed", { from: "model-a", to: "model-b", reason: "fallback" });
    expect(messages(...stopped, ...paused, refused("r3"))).toHaveLength(3);
    expect(messages(...stopped, ...paused, other, refused("r3"))).toEqual([
      user("fix"),
      { role: "assistant", content: [use("a")] },
      { role: "user", content: [result("a", "A"), { type: "text", text: "go on" }] },
      assistant("well"),
      user("go on"),
    ]);
  });
  test("takes its turn back, and leaves every earlier one", () => {
    const state = after(...TURN, said("attack"), refused("r3"));
    expect(state.messages).toEqual(after(...TURN).messages);
    expect(state.spans).toEqual(after(...TURN).spans);
    expect(messages(said("attack"), refused("r1"))).toEqual([]);
  });

  test("leaves nothing counted as sent that is not there any more", () => {
    // fix | thinking a b | A B | thinking ok: 8 blocks, of which the last answer's two were never sent.
    expect(after(...TURN, said("attack"), refused("r3"))).toMatchObject({
      sentBlocks: 8,
      sentTail: { message: 3, block: 1 },
    });
    const first = after(said("attack"), refused("r1"));
    expect(first.sentBlocks).toBe(0);
    expect(first.sentTail).toBeUndefined();
  });

  test("takes back answers and words of the program that came since the turn began", () => {
    const cut = [asked("r3"), text("r3", 0, "half"), ended("r3", "max_tokens"), nudge()];
    expect(messages(...TURN, said("attack"), ...cut, queued("do it"), injected(20), refused("r4"))).toEqual(
      after(...TURN).messages,
    );
  });

  test("takes back only what was added to a message that stood before", () => {
    const unanswered = [said("fix"), asked("r1"), failed("r1"), gaveUp];
    expect(messages(...unanswered, said("attack"), refused("r2"))).toEqual([user("fix")]);
  });

  test("takes nothing back once a tool has acted on the turn", () => {
    const acted = [said("attack"), called("r3", "c"), done("c", "C")];
    expect(messages(...TURN, ...acted, refused("r4"))).toEqual(messages(...TURN, ...acted));
    const waited = [called("r1", "a"), resumed(), said("attack"), done("a", "A")];
    expect(messages(said("fix"), ...waited, refused("r2"))).toEqual(messages(said("fix"), ...waited));
    const thenCompacted = [...acted, compacted(20), queued("and"), injected(22)];
    expect(messages(...TURN, ...thenCompacted, refused("r4"))).toEqual([user("checkpoint", "and")]);
  });

  test("of a turn that a queued message began takes that turn back, and not the one before it", () => {
    const next = [queued("attack", "next-turn"), injected(15, "pre-model-call")];
    expect(messages(...TURN, ...next, refused("r3"))).toEqual(after(...TURN).messages);
    const now = [queued("attack", "now"), injected(15, "pre-model-call")];
    expect(messages(...TURN, ...now, refused("r3"))).toEqual(after(...TURN).messages);
  });

  test("behind a checkpoint takes back what was said after it, in its message or behind a kept tail", () => {
    const spoken = [...TURN, said("attack")]; // seq 15
    expect(messages(...spoken, compacted(13), refused("r3"))).toEqual([user("checkpoint")]);
    expect(messages(...spoken, compacted(9), refused("r3"))).toEqual([user("checkpoint"), assistant("ok")]);
    expect(messages(...spoken, compacted(15), nudge(), refused("r3"))).toEqual([user("checkpoint")]);
    const joined = [said("one"), asked("r1"), failed("r1"), gaveUp, said("attack")];
    expect(messages(said("zero"), answered("r0", "ok"), ...joined, compacted(5), refused("r2"))).toEqual([
      user("checkpoint", "one"),
    ]);
  });

  test("behind a new epoch finds its turn where it is", () => {
    expect(messages(...TURN, said("attack"), resumed({ systemSha256: "other" }), refused("r3"))).toEqual([...bare]);
  });
});
