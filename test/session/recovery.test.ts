/** What a resume appends, by where the crash came. */
import { describe, expect, test } from "bun:test";
import { recoveryEvents, turnState } from "../../src/session/index.ts";
import { type DurableInput, fold } from "../../src/shared/index.ts";
import {
  approved,
  asked,
  begun,
  call,
  called,
  cancelled,
  denied,
  done,
  ended,
  event,
  failed,
  given,
  granted,
  interrupted,
  question,
  resumed,
  said,
  started,
  text,
} from "./log-words.ts";

type Inputs = readonly (DurableInput | readonly DurableInput[])[];
const recovery = (...inputs: Inputs) =>
  recoveryEvents({ turn: fold(turnState, given(begun, said("fix"), ...inputs, resumed())) });
/** What becomes of each call, and of the request that was cut. */
const outcome = (...inputs: Inputs) =>
  recovery(...inputs).map(({ type, payload }) => {
    if (type === "tool.cancelled") return `${payload.toolUseId} ${payload.reason}`;
    return type === "model.request-failed" ? `${payload.requestId} ${payload.kind}` : type;
  });

const NOT_RUN = "[The program ended before this call started. It was not run.]";
const UNKNOWN =
  "[The program ended while this call was running. It may have run in part or in full: its effects are unknown. " +
  "Look at the present state before repeating it.]";

describe("after a crash", () => {
  test("in nothing, nothing is appended", () => {
    expect(outcome()).toEqual([]);
    expect(outcome(called("r", "a"), done("a", "x"))).toEqual([]);
    expect(outcome(asked("r"), text("r", 0, "done"), ended("r"))).toEqual([]);
  });

  test("in a stream, the request is declared dead and its calls with it", () => {
    expect(outcome(asked("r"), text("r", 0, "I"))).toEqual(["r cancelled"]);
    expect(outcome(asked("r"), call("r", 0, "a"), call("r", 1, "b"))).toEqual([
      "r cancelled",
      "a discarded",
      "b discarded",
    ]);
  });

  test("between the end of an answer that does not count and its calls, these are discarded", () => {
    const request = [asked("r"), call("r", 0, "a"), call("r", 1, "b")];
    expect(outcome(request, failed("r"))).toEqual(["a discarded", "b discarded"]);
    expect(outcome(request, failed("r"), cancelled("a", "x", "discarded"))).toEqual(["b discarded"]);
    expect(outcome(request, ended("r", "refusal"))).toEqual(["a discarded", "b discarded"]);
    expect(outcome(request, ended("r", "max_tokens"))).toEqual(["b discarded", "a resume-recovery"]);
    expect(outcome(request, failed("r"), asked("r2", { attempt: 2 }))).toEqual([
      "r2 cancelled",
      "a discarded",
      "b discarded",
    ]);
  });

  test("in a batch, what had started is said to have unknown effects, the rest not to have run", () => {
    const events = recovery(
      called("r", "a", "b", "c", "d"),
      done("b", "x"),
      approved("a"),
      started("a"),
      approved("c"),
    );
    expect(events).toEqual(
      ["a", "c", "d"].map((toolUseId) =>
        event("tool.cancelled", {
          toolUseId,
          reason: "resume-recovery",
          modelText: toolUseId === "a" ? UNKNOWN : NOT_RUN,
        }),
      ),
    );
  });

  test("while a call waits for consent, it stays, with those behind it; what is before it or under way does not", () => {
    const batch = called("r", "a", "b", "c", "d");
    expect(outcome(batch, question("p", "a"))).toEqual([]);
    expect(outcome(batch, question("p", "b"))).toEqual(["a resume-recovery"]);
    expect(outcome(batch, approved("c"), question("p", "b"))).toEqual(["a resume-recovery", "c resume-recovery"]);
    expect(outcome(batch, question("p", "b"), question("q", "d"))).toEqual(["a resume-recovery"]);
    expect(outcome(batch, question("p", "a", "loop.continue"))).toEqual([]);
  });

  test("between consent and what follows from it, the call waits no longer", () => {
    const batch = called("r", "a", "b");
    const all = ["a resume-recovery", "b resume-recovery"];
    expect(outcome(batch, question("p", "a"), granted("p"))).toEqual(all);
    expect(outcome(batch, question("p", "a", "loop.continue"), granted("p"))).toEqual(all);
  });

  test("between a refusal and what follows from it, the refusal is the call's result", () => {
    const events = recovery(called("r", "a", "b"), question("p", "a"), denied("p"));
    expect(events).toEqual([
      event("tool.failed", { toolUseId: "a", modelText: "no", errorKind: "permission-denied", durationMs: 0 }),
      event("tool.cancelled", { toolUseId: "b", reason: "resume-recovery", modelText: NOT_RUN }),
    ]);
  });

  test("between an interrupt and what follows from it, everything is closed, once", () => {
    const streaming = [asked("r"), call("r", 0, "a"), interrupted("a")];
    expect(outcome(streaming)).toEqual(["r cancelled", "a resume-recovery"]);
    expect(outcome(streaming, call("r", 1, "b"))).toEqual(["r cancelled", "a resume-recovery", "b resume-recovery"]);
    expect(outcome(streaming, failed("r"))).toEqual(["a resume-recovery"]);
    expect(outcome(streaming, ended("r", "tool_use"))).toEqual(["a resume-recovery"]);
    expect(outcome(called("r", "a", "b"), question("p", "a"), interrupted("a", "b"))).toEqual([
      "a resume-recovery",
      "b resume-recovery",
    ]);
  });

  test("of a checkpoint's own request, that alone is closed", () => {
    expect(outcome(asked("c", { purpose: "compaction" }))).toEqual(["c cancelled"]);
  });
});

test("a fork closes what waited for consent in the session it came from", () => {
  const fork = resumed({ fork: { sessionId: "parent", seq: 9, kind: "fork" } });
  const turn = fold(turnState, given(begun, said("fix"), called("r", "a", "b"), question("p", "a"), fork));
  expect(turn.permissions).toEqual([]);
  expect(recoveryEvents({ turn }).map(({ payload }) => payload)).toMatchObject([
    { toolUseId: "a", reason: "resume-recovery" },
    { toolUseId: "b", reason: "resume-recovery" },
  ]);
});
