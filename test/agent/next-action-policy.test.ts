/** What a limit, the end of the time, a second model and the form of an answer change in the order of the steps. */
import { describe } from "bun:test";
import type { DurableInput, Payload } from "../../src/shared/index.ts";
import { AT_LIMIT, call, callModel, failure, gaveUp, later, now, type Row, stopped, testRows } from "./rows.ts";
import { noVerification } from "./states.ts";

const TIME_IS_UP: Payload<"task.failed"> = { reason: "budget", detail: "time is up" };
const SWITCHED: DurableInput = {
  type: "session.model-changed",
  payload: { from: "a", to: "b", reason: "fallback" },
};

const ROWS: readonly Row[] = [
  {
    when: "a limit is reached, and the model would be asked",
    turn: stopped("tool_use", { toolCalls: 1 }),
    policy: { exceeded: () => AT_LIMIT },
    next: { kind: "give-up", failure: AT_LIMIT },
  },
  {
    when: "a limit is reached, and a compaction would cost a request",
    turn: {},
    policy: { exceeded: () => AT_LIMIT, needsCompaction: () => true },
    next: { kind: "give-up", failure: AT_LIMIT },
  },
  {
    when: "a limit is reached, and the calls of the last answer still have to run",
    turn: { pending: [call] },
    policy: { exceeded: () => AT_LIMIT },
    next: { kind: "execute-tools" },
  },
  {
    when: "a limit is reached, and the answer is there",
    turn: stopped("end_turn"),
    policy: { exceeded: () => AT_LIMIT },
    next: { kind: "complete" },
  },

  // The end of the time comes before everything but an interrupt, and an answer that is there counts.
  ...[
    { when: "nothing was asked yet", turn: {} },
    { when: "calls are open", turn: { pending: [call] } },
    { when: "an attempt failed and another was to come", turn: { lastFailure: failure({ retriesExhausted: false }) } },
    { when: "steering waits", turn: { queued: [now] } },
    {
      when: "a change is not proven",
      turn: { ...stopped("end_turn"), verification: { ...noVerification, lastCodeChangeSeq: 6 } },
    },
  ].map(
    ({ when, turn }): Row => ({
      when: `time is up, and ${when}`,
      turn,
      policy: { overdue: () => TIME_IS_UP },
      next: { kind: "give-up", failure: TIME_IS_UP },
    }),
  ),
  {
    when: "time is up, and the answer is there",
    turn: stopped("end_turn"),
    policy: { overdue: () => TIME_IS_UP },
    next: { kind: "complete" },
  },
  {
    when: "time is up, and the user stopped it as well",
    turn: { phase: "interrupted", pending: [call] },
    policy: { overdue: () => TIME_IS_UP },
    next: { kind: "interrupted" },
  },
  {
    when: "time is up, and something waits for the next turn",
    turn: { phase: "idle", queued: [later] },
    policy: { overdue: () => TIME_IS_UP },
    next: { kind: "idle" },
  },

  // Another model, where one can help.
  {
    when: "the request failed for good, and another model can take over",
    turn: { lastFailure: failure({}) },
    policy: { fallback: () => [SWITCHED] },
    next: { kind: "fall-back", events: [SWITCHED] },
  },
  {
    when: "an attempt failed and another was to come, before the other model is asked for",
    turn: { lastFailure: failure({ retriesExhausted: false }) },
    policy: { fallback: () => [SWITCHED] },
    next: callModel,
  },
  {
    when: "the prompt is too long, whatever other model there is",
    turn: { lastFailure: failure({ kind: "context-overflow" }) },
    policy: { fallback: () => [SWITCHED] },
    next: { kind: "compact", trigger: "reactive-overflow" },
  },

  // The form of the answer: asked for again once, and only when nothing else withholds it.
  {
    when: "the answer has the wrong form",
    turn: stopped("end_turn"),
    policy: { answerProblem: () => "no JSON" },
    next: { kind: "continue", because: "misfit", problem: "no JSON" },
  },
  {
    when: "the answer has the wrong form, and follows an unproven change",
    turn: { ...stopped("end_turn"), verification: { ...noVerification, lastCodeChangeSeq: 6 } },
    policy: { answerProblem: () => "no JSON" },
    next: { kind: "verify", step: { kind: "run", attempt: 1 } },
  },
  {
    when: "the answer has the wrong form again",
    turn: { ...stopped("end_turn"), answerRepair: true },
    policy: { answerProblem: () => "no JSON" },
    next: gaveUp(
      "model-fatal-error",
      "The answer does not fit the JSON schema, also after it was asked for again: no JSON.",
    ),
  },
];

describe("what the policy changes", () => testRows(ROWS));
