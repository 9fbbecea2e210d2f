/** Repetition that changes nothing: the same call for the third time in a row, with the same result twice. */
import { callKey, type TurnState } from "../session/index.ts";

export function isDoomLoop({ pending: [call], recentCalls: [first, second], loopGrants }: TurnState): boolean {
  if (!call || !first || !second || call.stage !== "requested" || loopGrants.includes(call.toolUseId)) return false;
  return first.key === second.key && first.result === second.result && callKey(call) === second.key;
}
