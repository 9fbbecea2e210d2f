/**
 * Repetition that changes nothing: the same call for the third time in a row, with the same result twice. The question that
 * it raises stands until it is answered, also across a restart.
 */
import { isSameCall, type PendingCall, type TurnState } from "../session/index.ts";
import type { NextAction } from "./actions.ts";

export function isDoomLoop({ pending: [call], recentCalls, loopGrants, permissions }: TurnState): boolean {
  const [first, second] = recentCalls;
  if (!call) return false;
  if (permissions.some(({ toolUseId, capability }) => toolUseId === call.toolUseId && capability === LOOP)) return true;
  if (!first || !second || call.stage !== "requested" || loopGrants.includes(call.toolUseId)) return false;
  return first.result === second.result && isSameCall(first, second) && isSameCall(call, second);
}

const LOOP = "loop.continue";

export const nextForCall = (turn: TurnState, { toolUseId }: PendingCall): NextAction =>
  isDoomLoop(turn) ? { kind: "ask-user", toolUseId } : { kind: "execute-tools" };
