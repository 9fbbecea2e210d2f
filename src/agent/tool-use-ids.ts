/**
 * Ids of calls must be unique in a whole log: the API refuses a history that repeats one, and everything that hangs on a call
 * is found by its id. Gateways that number the calls of each answer anew would otherwise end the session for good.
 */
import type { ConversationState } from "../session/index.ts";
import { wellFormed } from "../shared/index.ts";

export function uniqueToolUseId({
  callIds,
}: Pick<ConversationState, "callIds">): (id: string, taken: readonly { readonly toolUseId: string }[]) => string {
  return (id, taken) => {
    const recorded = wellFormed(id); // as the log will hold it, for there the ids are compared
    let candidate = recorded;
    const isTaken = () => taken.some(({ toolUseId }) => toolUseId === candidate) || callIds?.has(candidate);
    for (let copy = 2; isTaken(); copy++) candidate = `${recorded}_${copy}`;
    return candidate;
  };
}
