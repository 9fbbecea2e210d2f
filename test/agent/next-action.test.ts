/** The policy of the loop, row by row: which recorded state leads to which step, and what comes before what. */
import { describe, expect, test } from "bun:test";
import { deriveNext } from "../../src/agent/index.ts";
import type { Payload } from "../../src/shared/index.ts";
import {
  AT_LIMIT,
  call,
  callModel,
  failure,
  gaveUp,
  inject,
  later,
  now,
  type Row,
  repeated,
  stopped,
  testRows,
  tooFull,
} from "./rows.ts";
import { noVerification, openTurn, ranCheck, stateWith } from "./states.ts";

const UNKNOWN_END =
  "The model stopped for a reason unknown to this version: out_of_ink. Nothing that it asked for was done; update khaelor, " +
  "or go on with other words.";

const PRUNED: Payload<"context.pruned"> = {
  toolUseIds: ["toolu_0"],
  placeholder: "[gone]",
  tokensReclaimedEstimate: 9,
};
const ROWS: readonly Row[] = [
  // An interrupt comes before everything, and an ended turn before all that an open one would do.
  {
    when: "interrupted, with calls, steering and a failure",
    turn: { phase: "interrupted", pending: [call], queued: [now], lastFailure: failure({}) },
    next: { kind: "interrupted" },
  },
  { when: "idle", turn: { phase: "idle" }, next: { kind: "idle" } },
  {
    when: "idle, although an old answer stands",
    turn: { phase: "idle", ...stopped("pause_turn") },
    next: { kind: "idle" },
  },
  {
    when: "idle, with something queued for the next turn",
    turn: { phase: "idle", queued: [later, now] },
    next: inject(later, "pre-model-call"),
  },
  {
    when: "idle, with steering that came too late",
    turn: { phase: "idle", queued: [now], ...stopped("tool_use", { toolCalls: 1 }) },
    next: inject(now, "pre-model-call"),
  },

  // Open calls come before a failure, steering, and the answer that asked for them.
  {
    when: "calls are open",
    turn: { pending: [call], queued: [now], lastFailure: failure({}), ...stopped("refusal") },
    next: { kind: "execute-tools" },
  },
  {
    when: "the open call repeats itself",
    turn: { pending: [call], recentCalls: repeated },
    next: { kind: "ask-user", toolUseId: "toolu_1" },
  },

  // A failed request: before steering, which would only be sent into the same failure.
  {
    when: "the request failed for good",
    turn: { lastFailure: failure({}), queued: [now] },
    next: gaveUp("model-fatal-error", "the server is overloaded"),
  },
  {
    when: "an attempt failed and another was to come",
    turn: { lastFailure: failure({ retriesExhausted: false }) },
    next: callModel,
  },
  {
    when: "the request is not repeatable, whatever the count of attempts says",
    turn: { lastFailure: failure({ kind: "invalid-request", message: "odd", retriesExhausted: false }) },
    next: gaveUp("model-fatal-error", "odd"),
  },
  {
    when: "there is no key",
    turn: { lastFailure: failure({ kind: "auth", message: "no key", retriesExhausted: false }) },
    next: gaveUp("model-fatal-error", "no key"),
  },
  {
    when: "a request was cut by the end of the program",
    turn: { lastFailure: failure({ kind: "cancelled", retriesExhausted: true }) },
    next: callModel,
  },
  {
    when: "the prompt is too long",
    turn: { lastFailure: failure({ kind: "context-overflow" }), queued: [now] },
    next: { kind: "compact", trigger: "reactive-overflow" },
  },
  {
    when: "the prompt is too long, after two compactions",
    turn: { lastFailure: failure({ kind: "context-overflow" }), compactionsInARow: 2 },
    next: { kind: "compact", trigger: "reactive-overflow" },
  },
  {
    when: "the prompt is too long, after three compactions",
    turn: { lastFailure: failure({ kind: "context-overflow" }), compactionsInARow: 3 },
    next: tooFull,
  },

  // Steering: before the answer that it may overtake.
  { when: "steering waits before the first request", turn: { queued: [now] }, next: inject(now, "pre-model-call") },
  {
    when: "steering waits and the results of a batch are in",
    turn: { queued: [later, now], ...stopped("tool_use", { toolCalls: 2 }) },
    next: inject(now, "post-tool-batch"),
  },
  {
    when: "steering waits behind an answer",
    turn: { queued: [now], ...stopped("end_turn") },
    next: inject(now, "pre-model-call"),
  },
  { when: "something waits for the next turn only", turn: { queued: [later] }, next: callModel },

  // How the answer ended.
  { when: "nothing was asked yet", turn: {}, next: callModel },
  { when: "the results of the calls are in", turn: stopped("tool_use", { toolCalls: 1 }), next: callModel },
  {
    when: "the model refused",
    turn: stopped("refusal"),
    next: gaveUp("refused", "The model refused this request. Its answer was left out of the conversation."),
  },
  {
    when: "the window was full in the middle of the answer",
    turn: stopped("model_context_window_exceeded", { toolCalls: 1 }),
    next: { kind: "compact", trigger: "reactive-overflow" },
  },
  {
    when: "the window was full again after three compactions",
    turn: { ...stopped("model_context_window_exceeded"), compactionsInARow: 3 },
    next: tooFull,
  },
  { when: "the server paused", turn: stopped("pause_turn"), next: { kind: "continue", because: "paused" } },
  {
    when: "the text was cut at the limit",
    turn: stopped("max_tokens"),
    next: { kind: "continue", because: "max-tokens" },
  },
  {
    when: "the text was cut at the limit a second time",
    turn: { ...stopped("max_tokens"), continuations: { maxTokens: 1, empty: 0 } },
    next: gaveUp("budget", "The answer reached the output limit again after it had been continued once."),
  },
  {
    when: "the limit cut the last call, and those before it have run",
    turn: { ...stopped("max_tokens", { toolCalls: 1 }), continuations: { maxTokens: 1, empty: 0 } },
    next: callModel,
  },
  { when: "the model answered", turn: stopped("end_turn"), next: { kind: "complete" } },
  {
    when: "the answer says that it calls, and calls nothing",
    turn: stopped("tool_use"),
    next: { kind: "complete" },
  },
  {
    when: "the answer says that it calls, and holds nothing",
    turn: stopped("tool_use", { text: "" }),
    next: { kind: "continue", because: "empty" },
  },
  {
    when: "the answer says for the second time that it calls, and holds nothing",
    turn: { ...stopped("tool_use", { text: "" }), continuations: { maxTokens: 0, empty: 1 } },
    next: gaveUp("model-fatal-error", "The model ended its turn twice without saying anything."),
  },
  { when: "the model answered up to a stop sequence", turn: stopped("stop_sequence"), next: { kind: "complete" } },
  {
    when: "a gateway says end_turn in spite of calls",
    turn: stopped("end_turn", { text: "", toolCalls: 1 }),
    next: callModel,
  },
  {
    when: "the answer follows an unproven change",
    turn: { ...stopped("end_turn"), verification: { ...noVerification, lastCodeChangeSeq: 6 } },
    next: { kind: "verify", step: { kind: "run", attempt: 1 } },
  },
  {
    when: "the change is proven",
    turn: {
      ...stopped("end_turn"),
      verification: { ...noVerification, lastCodeChangeSeq: 6, results: [ranCheck(0, 7)] },
    },
    next: { kind: "complete" },
  },
  {
    when: "the answer is empty, even after an unproven change",
    turn: { ...stopped("end_turn", { text: "" }), verification: { ...noVerification, lastCodeChangeSeq: 6 } },
    next: { kind: "continue", because: "empty" },
  },
  {
    when: "the answer is empty again",
    turn: { ...stopped("end_turn", { text: "" }), continuations: { maxTokens: 0, empty: 1 } },
    next: gaveUp("model-fatal-error", "The model ended its turn twice without saying anything."),
  },
  {
    when: "the stop reason is unknown, and calls are open",
    turn: { ...stopped("out_of_ink", { toolCalls: 1 }), pending: [call] },
    next: gaveUp("model-fatal-error", UNKNOWN_END),
  },
  {
    when: "the stop reason is unknown",
    turn: stopped("out_of_ink", { toolCalls: 1 }),
    next: gaveUp("model-fatal-error", UNKNOWN_END),
  },

  // Room, then the model, then the end of the budget.
  {
    when: "the turn begins and results can be blanked",
    turn: { iterations: 0 },
    policy: { prune: () => PRUNED, needsCompaction: () => true, exceeded: () => AT_LIMIT },
    next: { kind: "prune", decision: PRUNED },
  },
  {
    when: "the turn has begun, so nothing is blanked",
    turn: { iterations: 1 },
    policy: { prune: () => PRUNED },
    next: callModel,
  },
  {
    when: "there is too little room",
    turn: { iterations: 10 },
    policy: { needsCompaction: () => true },
    next: { kind: "compact", trigger: "proactive-token-budget" },
  },
  {
    when: "there is too little room after three compactions",
    turn: { compactionsInARow: 3 },
    policy: { needsCompaction: () => true },
    next: tooFull,
  },
];

describe("what happens next", () => {
  testRows(ROWS);

  test("the policy's questions are asked about this very state", () => {
    const state = stateWith(openTurn());
    const asked: unknown[] = [];
    deriveNext(state, {
      exceeded: (of) => void asked.push(of),
      prune: (of) => void asked.push(of),
      needsCompaction: (of) => asked.push(of) === 0,
    });
    expect(asked).toEqual([state, state, state]);
  });
});
