/** Calls in the turn state: which are pending, which dead, and what consent does to them. */
import { describe, expect, test } from "bun:test";
import { isSameCall, type TurnState, turnState } from "../../src/session/index.ts";
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
const after = (...inputs: Inputs): TurnState => fold(turnState, given(begun, ...inputs));

describe("calls", () => {
  const ids = ({ pending: calls, discarding }: TurnState) => [
    calls.map(({ toolUseId }) => toolUseId),
    discarding ?? [],
  ];
  const stream = [said("fix"), asked("r1"), call("r1", 0, "a"), call("r1", 1, "b")] as const;

  test("are pending as far as their answer counts; the others are to be discarded, each until it is", () => {
    expect(ids(after(...stream, ended("r1", "tool_use")))).toEqual([["a", "b"], []]);
    expect(ids(after(...stream, ended("r1", "max_tokens")))).toEqual([["a"], ["b"]]);
    expect(ids(after(...stream, ended("r1", "max_tokens"), text("r1", 2, "x")))).toEqual([["a"], ["b"]]);
    expect(ids(after(...stream, ended("r1", "refusal")))).toEqual([[], ["a", "b"]]);
    expect(ids(after(...stream, failed("r1")))).toEqual([[], ["a", "b"]]);
    expect(ids(after(...stream, failed("r1"), cancelled("a", "x", "discarded")))).toEqual([[], ["b"]]);
    const closed = after(...stream, failed("r1"), cancelled("a", "x", "discarded"), cancelled("b", "x", "discarded"));
    expect(closed.discarding).toBeUndefined();
    expect(closed.recentCalls).toEqual([]);
  });

  test("of a checkpoint's request are never pending", () => {
    const request = [asked("c", { purpose: "compaction" }), call("c", 0, "a"), ended("c", "tool_use")];
    expect(ids(after(said("fix"), request))).toEqual([[], ["a"]]);
  });

  test("of an interrupted answer are pending at once, and once, however the answer ends", () => {
    const cut = [...stream.slice(0, 3), interrupted("a"), call("r1", 1, "b")];
    expect(ids(after(...cut))).toEqual([["a", "b"], []]);
    expect(ids(after(...cut, failed("r1")))).toEqual([["a", "b"], []]);
    expect(ids(after(...cut, ended("r1", "tool_use")))).toEqual([["a", "b"], []]);
    expect(ids(after(...cut, ended("r1", "max_tokens")))).toEqual([["a"], ["b"]]);
    expect(ids(after(...cut, ended("r1", "refusal")))).toEqual([[], ["a", "b"]]);
    expect(after(...cut, ended("r1", "tool_use")).phase).toBe("interrupted");
  });

  test("leave a trace of the last two, equal for equal input and result", () => {
    const two = [call("r1", 0, "a", { x: 1, y: 2 }), call("r1", 1, "b", { y: 2, x: 1 }), call("r1", 2, "c", { x: 2 })];
    const { recentCalls } = after(
      said("fix"),
      asked("r1"),
      ...two,
      ended("r1", "tool_use"),
      done("c", "no"),
      done("a", "same"),
      done("b", "same"),
    );
    const [first, second, ...older] = recentCalls;
    expect(older).toEqual([]);
    expect(first && second && isSameCall(first, second) && first.result === second.result).toBe(true);
  });
});

describe("consent", () => {
  const batch = [said("fix"), called("r1", "a", "b")] as const;
  const stages = (...inputs: Inputs) => after(...batch, ...inputs).pending.map(({ stage }) => stage);

  test("moves a call from question to answer to start", () => {
    expect(stages(question("p", "a"))).toEqual(["waiting", "requested"]);
    expect(stages(question("p", "a"), granted("p"))).toEqual(["granted", "requested"]);
    expect(stages(question("p", "a"), granted("p"), approved("a"))).toEqual(["approved", "requested"]);
    expect(stages(question("p", "a"), granted("p"), approved("a"), started("a"))).toEqual(["started", "requested"]);
    expect(stages(question("p", "a"), denied("p"))).toEqual(["denied", "requested"]);
    expect(stages(question("p", "a"), granted("q"))).toEqual(["waiting", "requested"]);
  });

  test("to a repetition lets the call be asked about itself", () => {
    const state = after(...batch, question("p", "a", "loop.continue"), granted("p"));
    expect(state.pending.map(({ stage }) => stage)).toEqual(["requested", "requested"]);
    expect(state.loopGrants).toEqual(["a"]);
  });

  test("is no longer asked for when the call has its result, or the session was forked", () => {
    const open = (...inputs: Inputs) => after(...batch, ...inputs).permissions.map((it) => it.permissionRequestId);
    expect(open(question("p", "a"), question("q", "b"), cancelled("a"))).toEqual(["q"]);
    const fork = resumed({ fork: { sessionId: "parent", seq: 8, kind: "fork" } });
    expect(open(question("p", "a"), fork)).toEqual([]);
    expect(stages(question("p", "a"), fork)).toEqual(["requested", "requested"]);
    expect(open(question("p", "a"), resumed())).toEqual(["p"]);
    expect(stages(question("p", "a"), resumed())).toEqual(["waiting", "requested"]);
  });

  test("that the gate asked for on its own is asked for again, not waited for", () => {
    const open = (...inputs: Inputs) =>
      after(...batch, question("p"), ...inputs).permissions.map((it) => it.permissionRequestId);
    expect(open()).toEqual(["p"]);
    expect(open(resumed())).toEqual([]);
    expect(open(interrupted("a", "b"))).toEqual([]);
    expect(after(...batch, question("p"), denied("p")).verification.refused).toBe(true);
  });
});
