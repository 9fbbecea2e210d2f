/**
 * What a resume appends so that the conversation is valid again. Recovery is itself recorded, so the next replay needs none.
 * Pure: it reads the replayed state and returns events.
 */
import type { DurableInput } from "../shared/index.ts";
import { countsFor } from "./settlement.ts";
import type { PendingCall, SessionState, TurnState } from "./types.ts";

const UNKNOWN_EFFECTS =
  "[The program ended while this call was running. It may have run in part or in full: its effects are unknown. " +
  "Look at the present state before repeating it.]";
const NOT_RUN = "[The program ended before this call started. It was not run.]";
const NEVER_ENDED = "[The answer that asked for this call never ended. It was not run.]";

/**
 * To be published after `session.resumed`, in this order. A call that waits for consent stays open with the calls behind it;
 * every other open call is closed, and an answer that was cut is declared dead.
 */
export function recoveryEvents({ turn }: Pick<SessionState, "turn">): readonly DurableInput[] {
  return [...closeCutRequest(turn), ...(turn.discarding ?? []).map(discarded), ...abandoned(turn).map(closed)];
}

/** The ends of processes that the log believes alive: none outlives the program. `lastSeenAt`: when it last wrote a line. */
export const lostProcesses = (
  { processes }: Pick<SessionState, "processes">,
  lastSeenAt: number,
): readonly DurableInput[] =>
  processes.live.map(({ processId, startedAt }) => {
    const durationMs = Math.max(0, lastSeenAt - startedAt);
    const how = { exitCode: null, cause: "khaelor-shutdown", durationMs } as const;
    return { type: "process.exited", payload: { processId, ...how } };
  });

/** Closes the calls that recovery left waiting too: for a resume that cannot carry their loop on. */
export const closingEvents = ({ turn }: Pick<SessionState, "turn">): readonly DurableInput[] =>
  turn.pending.map(closed);

function closeCutRequest(turn: TurnState): readonly DurableInput[] {
  const { request, phase } = turn;
  if (!request) return [];
  const failed: DurableInput = {
    type: "model.request-failed",
    payload: {
      requestId: request.requestId,
      kind: "cancelled",
      message: "The program ended while the answer was streaming.",
      retriesExhausted: false,
    },
  };
  // After an interrupt the calls already count as pending and are closed as such.
  const calls = phase === "interrupted" && countsFor(request.purpose) ? [] : request.calls;
  return [failed, ...calls.map(({ toolUseId }) => discarded(toolUseId))];
}

/** A call of a response that never ended: outside the conversation, and closed all the same. */
export const discarded = (toolUseId: string): DurableInput => ({
  type: "tool.cancelled",
  payload: { toolUseId, reason: "discarded", modelText: NEVER_ENDED },
});

function abandoned(turn: TurnState): readonly PendingCall[] {
  const open = leftOpen(turn);
  return turn.pending.filter((call) => !open.includes(call));
}

/** The calls that wait for consent, and those behind them that have not begun. */
export function leftOpen({ pending, phase }: TurnState): readonly PendingCall[] {
  const waiting = pending.findIndex((call) => call.stage === "waiting");
  if (waiting === -1 || phase === "interrupted") return [];
  return pending.filter(({ stage }, at) => stage === "waiting" || (at > waiting && stage === "requested"));
}

/** A refusal that had been given is the call's result: it is not asked for again, and its words are not lost. */
function closed({ toolUseId, stage, feedback }: PendingCall): DurableInput {
  if (feedback !== undefined && stage === "denied") {
    const ended = { modelText: feedback, errorKind: "permission-denied", durationMs: 0 } as const;
    return { type: "tool.failed", payload: { toolUseId, ...ended } };
  }
  const modelText = stage === "started" ? UNKNOWN_EFFECTS : NOT_RUN;
  return { type: "tool.cancelled", payload: { toolUseId, reason: "resume-recovery", modelText } };
}
