/** Where a turn stands: given these events, then exactly that state. */
import { describe, expect, test } from "bun:test";
import { openCalls, type TurnState, turnState } from "../../src/session/index.ts";
import { type DurableInput, fold } from "../../src/shared/index.ts";
import {
  answered,
  approved,
  asked,
  begun,
  broken,
  call,
  called,
  cancelled,
  compacted,
  completed,
  done,
  ended,
  event,
  failed,
  gaveUp,
  given,
  granted,
  injected,
  interrupted,
  nudge,
  question,
  queued,
  resumed,
  said,
  started,
  text,
  thought,
} from "./log-words.ts";

type Inputs = readonly (DurableInput | readonly DurableInput[])[];
const after = (...inputs: Inputs): TurnState => fold(turnState, given(begun, ...inputs));

const NO_VERIFICATION = {
  changedFiles: [],
  lastCodeChangeSeq: 0,
  attempts: 0,
  results: [],
  nudged: false,
  refused: false,
};
/** Before anything was said. */
const REST: TurnState = {
  model: "model-a",
  auxModel: "model-b",
  phase: "idle",
  objective: "",
  turnStartSeq: 0,
  turns: 0,
  pending: [],
  permissions: [],
  queued: [],
  iterations: 0,
  continuations: { maxTokens: 0, empty: 0 },
  responses: 0,
  compactionsInARow: 0,
  compactedAt: [],
  capturedContext: {},
  resultBytes: 0,
  recentCalls: [],
  loopGrants: [],
  verification: NO_VERIFICATION,
};
const OPEN: TurnState = { ...REST, phase: "open", objective: "fix", turnStartSeq: 2, turns: 1 };
const pending = (
  toolUseId: string,
  blockIndex: number,
  seq: number,
  stage: TurnState["pending"][number]["stage"] = "requested",
) => ({
  toolUseId,
  toolName: "read",
  input: {},
  requestId: "r1",
  blockIndex,
  seq,
  stage,
});

describe("the whole state", () => {
  test("before and behind the user's message", () => {
    expect(after()).toEqual(REST);
    const context = [{ name: "environment", text: "30 Nov" }];
    expect(after(said("fix", { context }))).toEqual({ ...OPEN, capturedContext: { environment: "30 Nov" } });
  });

  test("while an answer streams", () => {
    const stream = [
      thought("r1", 0, "s"),
      text("r1", 1, "I"),
      text("r1", 2, "\n"),
      call("r1", 3, "a"),
      text("r0", 9, "another's"),
    ];
    expect(after(said("fix"), asked("r1"), ...stream)).toEqual({
      ...OPEN,
      iterations: 1,
      request: {
        requestId: "r1",
        purpose: "main",
        model: "model-a",
        attempt: 1,
        lastBlockIndex: 3,
        calls: [pending("a", 3, 7)],
        texts: ["I"],
        textSeq: 5,
      },
    });
  });

  test("while its calls run", () => {
    expect(after(said("fix"), called("r1", "a", "b"), approved("a"), started("a"), question("p", "b"))).toEqual({
      ...OPEN,
      iterations: 1,
      responses: 1,
      lastResponse: { requestId: "r1", stopReason: "tool_use", seq: 7, text: "", textSeq: 7, toolCalls: 2 },
      pending: [pending("a", 1, 5, "started"), pending("b", 2, 6, "waiting")],
      permissions: [{ permissionRequestId: "p", toolUseId: "b", capability: "process.execute", descriptor: "d" }],
    });
  });

  test("behind them", () => {
    expect(
      after(
        said("fix"),
        called("r1", "a", "b"),
        question("p", "b"),
        broken("b", "B"),
        done("a", "A"),
        done("a", "late"),
      ),
    ).toEqual({
      ...OPEN,
      iterations: 1,
      responses: 1,
      lastResponse: { requestId: "r1", stopReason: "tool_use", seq: 7, text: "", textSeq: 7, toolCalls: 2 },
      resultBytes: 2,
      recentCalls: [
        { toolName: "read", input: {}, result: "B" },
        { toolName: "read", input: {}, result: "A" },
      ],
    });
  });

  test("counts answers and remembers the newest three compactions; the user's next message forgets them", () => {
    const compactions = [
      compacted(2),
      answered("r1", "ok"),
      compacted(2),
      compacted(2),
      answered("r2", "ok"),
      compacted(2),
    ];
    const counts = ({ responses, compactedAt }: TurnState) => [responses, compactedAt];
    expect(counts(after(said("fix"), ...compactions))).toEqual([2, [1, 1, 2]]);
    expect(counts(after(said("fix"), ...compactions, said("more")))).toEqual([0, []]);
  });

  test("while a compaction is asked for, keeps what it answers to, and what stopped it", () => {
    const ask = asked("c", { purpose: "compaction" });
    const overflow = [said("fix"), asked("r1"), failed("r1", { kind: "context-overflow" }), ask] as const;
    expect(after(...overflow).lastFailure?.kind).toBe("context-overflow");
    const stopped = after(...overflow, failed("c", { kind: "retryable" }));
    expect([stopped.lastFailure?.kind, stopped.compactionFailure?.kind]).toEqual(["context-overflow", "retryable"]);
    expect(after(...overflow, failed("c", { kind: "cancelled" })).compactionFailure).toBeUndefined();
    expect(after(ask, failed("c", { kind: "retryable" })).compactionFailure).toBeUndefined(); // no turn is open
    const interrupting = after(said("fix"), ask, call("c", 0, "a"), interrupted());
    expect([interrupting.pending, openCalls(interrupting).map(({ toolUseId }) => toolUseId)]).toEqual([[], ["a"]]);
  });

  test("behind a compaction, which takes all results out of the conversation", () => {
    const full = [said("fix"), called("r1", "a"), done("a", "A")] as const;
    expect([after(...full).resultBytes, after(...full, compacted(2)).resultBytes]).toEqual([1, 0]);
  });

  test("of a turn that is over, and of the next", () => {
    const over = [said("fix"), answered("r1", "ok"), completed];
    expect(after(...over)).toEqual({
      ...OPEN,
      phase: "idle",
      iterations: 1,
      responses: 1,
      lastResponse: { requestId: "r1", stopReason: "end_turn", seq: 5, text: "ok", textSeq: 4, toolCalls: 0 },
      verification: { ...NO_VERIFICATION, settled: true },
    });
    expect(after(...over, said("more"))).toEqual({ ...OPEN, objective: "more", turnStartSeq: 7, turns: 2 });
  });
});

describe("a turn", () => {
  test("begins with the user's message, or with a queued one that is delivered between turns", () => {
    const place = ({ phase, objective, turns, turnStartSeq }: TurnState) => [phase, objective, turns, turnStartSeq];
    expect(place(after(queued("fix"), injected(2)))).toEqual(["open", "fix", 1, 3]);
    expect(place(after(said("one"), gaveUp, queued("two"), injected(4)))).toEqual(["open", "two", 2, 5]);
    expect(place(after(said("one"), queued("two", "next-turn"), injected(3)))).toEqual(["open", "two", 2, 4]);
    expect(place(after(said("one"), interrupted(), queued("two"), injected(4)))).toEqual(["open", "two", 2, 5]);
  });

  test("goes on with steering and with the program's own words; both supersede the response", () => {
    const answer = [said("fix"), asked("r1"), text("r1", 0, "ok"), ended("r1")];
    const steered = after(...answer, queued("and"), injected(6));
    expect(steered).toEqual({ ...OPEN, iterations: 1, responses: 1 });
    expect(after(...answer, nudge())).toEqual({ ...OPEN, iterations: 1, responses: 1 });
    expect(after(said("fix"), interrupted(), nudge())).toEqual(OPEN);
    expect(after(said("fix"), injected(99))).toEqual(OPEN);
  });

  test("counts its requests, but no attempt twice, and none that is not of the conversation", () => {
    const requests = [
      asked("r1"),
      failed("r1"),
      asked("r2", { attempt: 2 }),
      asked("n", { purpose: "verification-nudge" }),
    ];
    const others = [asked("c", { purpose: "compaction" }), asked("l", { purpose: "added-later" as "compaction" })];
    expect(after(said("fix"), ...requests, ...others).iterations).toBe(2);
  });

  test("counts the program's own words by what they answer", () => {
    const counted = (...inputs: Inputs) => after(said("fix"), ...inputs).continuations;
    const cut = [asked("r1"), text("r1", 0, "half"), ended("r1", "max_tokens"), nudge()];
    const empty = [asked("r2"), ended("r2"), nudge()];
    expect(counted(cut)).toEqual({ maxTokens: 1, empty: 0 });
    expect(counted(empty)).toEqual({ maxTokens: 0, empty: 1 });
    expect(counted(empty, cut, cut)).toEqual({ maxTokens: 2, empty: 1 });
    expect(counted(cut, said("new"))).toEqual({ maxTokens: 0, empty: 0 });
  });

  test("remembers its last failure until a request begins or a checkpoint answers it", () => {
    const overflow = [asked("r1"), failed("r1", { kind: "context-overflow" })];
    expect(after(said("fix"), ...overflow).lastFailure?.kind).toBe("context-overflow");
    expect(after(said("fix"), ...overflow, compacted(2)).lastFailure).toBeUndefined();
    expect(after(said("fix"), ...overflow, asked("r2")).lastFailure).toBeUndefined();
    expect(after(said("fix"), ...overflow, gaveUp, said("more")).lastFailure).toBeUndefined();
  });

  test("counts checkpoints until a response", () => {
    expect(after(said("fix"), compacted(2), compacted(2)).compactionsInARow).toBe(2);
    expect(after(said("fix"), compacted(2), answered("r1", "ok")).compactionsInARow).toBe(0);
    expect(
      after(said("fix"), asked("r1"), ended("r1", "model_context_window_exceeded"), compacted(2)).lastResponse,
    ).toBeUndefined();
  });
});

test("what was captured is captured again when a refusal or a fork has taken it out of the conversation", () => {
  const context = [{ name: "environment", text: "30 Nov" }];
  const fork = resumed({ fork: { sessionId: "parent", seq: 4, kind: "fork" } });
  const captured = (...inputs: Inputs) => after(said("one", { context }), ...inputs).capturedContext;
  expect(captured(answered("r1", "no"), resumed())).toEqual({ environment: "30 Nov" });
  expect(captured(asked("r1"), ended("r1", "refusal"))).toEqual({});
  expect(captured(gaveUp, fork)).toEqual({ environment: "30 Nov" });
  expect(captured(gaveUp, queued("later"), fork)).toEqual({});
});

describe("settings", () => {
  test("come from the start, and change with the model", () => {
    const start = event("session.model-changed", { from: "model-a", to: "model-c", reason: "user", effort: "high" });
    expect(after(start)).toEqual({ ...REST, model: "model-c", effort: "high" });
    expect(after(resumed({ model: "model-d" }))).toEqual({ ...REST, model: "model-d" });
  });

  test("a fork starts without its parent's queue", () => {
    const fork = resumed({ fork: { sessionId: "parent", seq: 3, kind: "fork" } });
    expect(after(queued("later"), resumed()).queued).toEqual([{ eventId: "e2", text: "later", deliver: "now" }]);
    expect(after(queued("later"), fork)).toEqual(REST);
  });
});

test("no state is changed once it was shown", () => {
  const log = given(
    begun,
    said("fix"),
    called("r1", "a", "b"),
    question("p", "a"),
    granted("p"),
    approved("a"),
    done("a", "A"),
    interrupted("b"),
    cancelled("b"),
    said("more"),
    answered("r2", "ok"),
    completed,
  );
  const shown: { readonly state: TurnState; readonly json: string }[] = [];
  let state = turnState.initial();
  for (const next of log) {
    state = turnState.apply(state, next);
    shown.push({ state, json: JSON.stringify(state) });
  }
  expect(shown.map((it) => JSON.stringify(it.state))).toEqual(shown.map(({ json }) => json));
});
