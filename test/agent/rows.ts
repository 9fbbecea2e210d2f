/** What the rows about the next step are made of. */
import { expect, test } from "bun:test";
import { deriveNext, type NextAction, type TurnPolicy } from "../../src/agent/index.ts";
import type { QueuedSteering, TurnState } from "../../src/session/index.ts";
import type { Payload } from "../../src/shared/index.ts";
import { endedCall, openTurn, pendingCall, response, stateWith } from "./states.ts";

export interface Row {
  readonly when: string;
  readonly turn: Partial<TurnState>;
  readonly policy?: Partial<TurnPolicy>;
  readonly next: NextAction;
}

/** A policy under which nothing is limited, full or fallen back from. */
export const QUIET: TurnPolicy = { exceeded: () => undefined, prune: () => undefined, needsCompaction: () => false };
export const AT_LIMIT: Payload<"task.failed"> = {
  reason: "iteration-budget-exhausted",
  detail: "the limit is reached",
};

export const now: QueuedSteering = { eventId: "event-1", text: "use tabs", deliver: "now" };
export const later: QueuedSteering = { eventId: "event-2", text: "then the docs", deliver: "next-turn" };

export const call = pendingCall();
export const repeated = [endedCall(call, "same"), endedCall(call, "same")];

export const failure = (changes: Partial<Payload<"model.request-failed">>): Payload<"model.request-failed"> => ({
  requestId: "request-1",
  kind: "retryable",
  message: "the server is overloaded",
  retriesExhausted: true,
  ...changes,
});

export const gaveUp = (reason: Payload<"task.failed">["reason"], detail: string): NextAction => ({
  kind: "give-up",
  failure: { reason, detail },
});
export const inject = (item: QueuedSteering, seam: "pre-model-call" | "post-tool-batch"): NextAction => ({
  kind: "inject-steering",
  item,
  seam,
});
export const stopped = (stopReason: string, changes: Partial<NonNullable<TurnState["lastResponse"]>> = {}) => ({
  lastResponse: response({ stopReason, ...changes }),
});
export const callModel: NextAction = { kind: "call-model" };
export const tooFull = gaveUp(
  "irreducible",
  "The conversation does not fit the model's window, even after three compactions: what fills it is the newest message, the " +
    "checkpoint before it, and the instructions and tools. /context tells how large each is; a model with a larger window may go on.",
);

export function testRows(rows: readonly Row[]): void {
  for (const { when, turn, policy, next } of rows) {
    test(`${when}: ${next.kind}`, () => {
      expect(deriveNext(stateWith(openTurn(turn)), { ...QUIET, ...policy })).toEqual(next);
    });
  }
}
