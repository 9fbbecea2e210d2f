/** A log while it is written: what its writers share, and how the program itself stops and ends a turn. */
import type { ContextEngine } from "../../src/context/index.ts";
import type { SessionHandle } from "../../src/session/index.ts";
import type { Tally } from "./types.ts";

export interface Writing {
  readonly session: SessionHandle;
  readonly context: ContextEngine;
  readonly tally: Tally;
  /** The log's id of each call, by the transcript's. */
  readonly ids: Map<string, string>;
  /** Where the result of each call stands, by the log's id. */
  readonly resultsAt: Map<string, number>;
  requests: number;
}

const NOT_RUN = "[Cancelled by the user. It was not run.]";

/** The user's interrupt. Calls that are open, or settle later, are closed by `closeCalls`. */
export function interrupt({ session }: Writing): void {
  const { phase, pending, request } = session.state().turn;
  if (phase !== "open") return;
  const pendingToolUseIds = [...pending, ...(request?.calls ?? [])].map(({ toolUseId }) => toolUseId);
  session.publish({ type: "user.interrupted", payload: { scope: "turn", pendingToolUseIds } });
}

export function closeCalls({ session, tally }: Writing): void {
  const { pending } = session.state().turn;
  tally.add("calls that were never answered, cancelled", pending.length);
  for (const { toolUseId } of pending) {
    session.publish({ type: "tool.cancelled", payload: { toolUseId, reason: "interrupted", modelText: NOT_RUN } });
  }
}

export function stopTurn(writing: Writing): void {
  interrupt(writing);
  closeCalls(writing);
}

const EVIDENCE = { changedFiles: [], checks: [], unresolvedIssues: [] };

/** Says that the turn is done, if it is: answered, and nothing open. */
export function endTurn(session: SessionHandle): void {
  const { phase, pending, lastResponse, objective } = session.state().turn;
  if (phase !== "open" || pending.length > 0 || lastResponse?.toolCalls !== 0) return;
  session.publish({ type: "task.completed", payload: { evidence: { objective, ...EVIDENCE } } });
}

/** What was said while the model worked enters the conversation. */
export function injectQueued({ session }: Writing): void {
  if (session.state().turn.pending.length > 0) return;
  for (const { eventId: queuedEventId } of session.state().turn.queued) {
    const { lastSeq: afterSeq } = session.state();
    session.publish({ type: "user.steering-injected", payload: { queuedEventId, seam: "post-tool-batch", afterSeq } });
  }
}
