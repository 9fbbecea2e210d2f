/** What becomes of a turn in the conversation: interrupts, results in any order, and steering. */
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
  cancelled,
  done,
  ended,
  error,
  failed,
  given,
  injected,
  interrupted,
  queued,
  result,
  resumed,
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

describe("an interrupt", () => {
  const stop = failed("r1", { kind: "cancelled" });

  test("while thinking leaves nothing", () => {
    expect(messages(said("fix"), asked("r1"), interrupted(), stop)).toEqual([user("fix")]);
    expect(messages(said("fix"), asked("r1"), thought("r1", 0, "s"), interrupted(), stop, said("no"))).toEqual([
      user("fix", "no"),
    ]);
  });

  test("in the middle of text keeps what had come, and the signed thinking before it", () => {
    const cut = [asked("r1"), thought("r1", 0, "s"), interrupted(), text("r1", 1, "half a wo", true), stop];
    expect(messages(said("fix"), ...cut, said("no"))).toEqual([
      user("fix"),
      { role: "assistant", content: [thinking("s"), ...words("half a wo")] },
      user("no"),
    ]);
  });

  test("while tools run closes both calls, in order, before the user's next words", () => {
    const running = [
      called("r1", "a", "b"),
      interrupted("a", "b"),
      cancelled("b", "not run"),
      cancelled("a", "stopped"),
    ];
    expect(messages(said("fix"), ...running, said("other"))).toEqual([
      user("fix"),
      called1,
      { role: "user", content: [error("a", "stopped"), error("b", "not run"), ...words("other")] },
    ]);
  });

  test("behind settled calls keeps them, also one that settles only then", () => {
    const cut = [asked("r1"), call("r1", 0, "a"), interrupted("a"), call("r1", 1, "b"), stop];
    expect(messages(said("fix"), ...cut, cancelled("a"), cancelled("b"))).toEqual([
      user("fix"),
      { role: "assistant", content: [use("a"), use("b")] },
      { role: "user", content: [error("a", "stopped"), error("b", "stopped")] },
    ]);
  });

  test("in the same moment as the answer's end takes the answer as it ended", () => {
    const late = [asked("r1"), text("r1", 0, "I"), call("r1", 1, "a"), interrupted("a")];
    expect(messages(said("fix"), ...late, ended("r1", "max_tokens"))).toEqual([user("fix"), assistant("I")]);
    expect(messages(said("fix"), ...late, ended("r1", "refusal"))).toEqual([]);
  });

  test("whose end a crash hid is settled by what comes next", () => {
    const cut = [said("fix"), asked("r1"), text("r1", 0, "I"), interrupted()];
    expect(messages(...cut, said("next"))).toEqual([user("fix"), assistant("I"), user("next")]);
    expect(messages(...cut, queued("q"), injected(6))).toEqual([user("fix"), assistant("I"), user("q")]);
    expect(messages(...cut, asked("r2"))).toEqual([user("fix"), assistant("I")]);
  });
});

describe("results", () => {
  test("come in the order of the calls, in one message, when all are there", () => {
    const three = [said("fix"), called("r1", "a", "b", "c"), done("b", "B")];
    expect(messages(...three).length).toBe(2);
    const crashed = [...three, resumed(), cancelled("a", "unknown", "resume-recovery")];
    expect(messages(...crashed).length).toBe(2);
    expect(messages(...crashed, broken("c", "no"))[2]).toEqual({
      role: "user",
      content: [error("a", "unknown"), result("b", "B"), error("c", "no")],
    });
  });

  test("say so when they are blank", () => {
    expect(messages(said("fix"), called("r1", "a"), done("a", " \n"))[2]?.content).toEqual([
      result("a", "(no output)"),
    ]);
  });

  test("count once: the first of a call, and only for a call that is awaited", () => {
    const twice = [done("a", "first"), broken("a", "second"), done("ghost", "x"), done("b", "B"), cancelled("a")];
    expect(messages(said("fix"), called("r1", "a", "b"), ...twice)[2]?.content).toEqual([
      result("a", "first"),
      result("b", "B"),
    ]);
  });

  test("take any text for an id", () => {
    const ids = ["__proto__", "constructor"];
    const [, answer, results] = messages(
      said("fix"),
      called("r1", ...ids),
      done("constructor", "C"),
      done("__proto__", "P"),
    );
    expect(answer?.content.slice(1)).toEqual(ids.map((id) => use(id)));
    expect(results?.content).toEqual([result("__proto__", "P"), result("constructor", "C")]);
  });
});

describe("steering", () => {
  const batch = [said("fix"), called("r1", "a"), queued("use tabs"), done("a", "A")] as const; // 2, 3-6, 7, 8

  test("waits where it is queued, and follows the results in their message", () => {
    expect(messages(...batch)[2]).toEqual({ role: "user", content: [result("a", "A")] });
    expect(messages(...batch, injected(7))[2]).toEqual({
      role: "user",
      content: [result("a", "A"), ...words("use tabs")],
    });
  });

  test("goes into a message that was not answered yet, and else into a new one, never before what is bound", () => {
    expect(messages(said("fix"), queued("q"), injected(3, "pre-model-call"))).toEqual([user("fix", "q")]);
    expect(messages(said("fix"), answered("r1", "ok"), queued("q"), injected(6, "pre-model-call"))).toEqual([
      user("fix"),
      assistant("ok"),
      user("q"),
    ]);
  });

  test("is said once, and an unknown one not at all", () => {
    expect(messages(...batch, injected(7), injected(7), injected(99))).toEqual(messages(...batch, injected(7)));
  });

  test("of a parent is not said in its fork", () => {
    const fork = resumed({ fork: { sessionId: "parent", seq: 8, kind: "fork" } });
    expect(messages(...batch, fork, injected(7))).toEqual(messages(...batch));
  });
});
