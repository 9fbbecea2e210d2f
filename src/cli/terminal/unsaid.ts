/** Sessions in which nothing was said: they hold nothing to go on with, so they are neither kept nor shown. */
import type { SessionListing, SessionState, SessionStore } from "../../session/index.ts";
import { StoreError } from "../../shared/index.ts";

/** A title of its own is something that the user said too. */
export const isUnsaid = ({ meta, conversation, turn }: SessionState): boolean =>
  meta.title === "" &&
  meta.userMessages === 0 &&
  meta.forkedFrom === undefined &&
  conversation.messages.length === 0 &&
  turn.queued.length === 0;

/** A session that was begun and given up has a few lines at most; a longer one holds something. */
const MAX_EVENTS = 12;
const SAYS: ReadonlySet<string> = new Set(["user.message-created", "user.steering-queued"]);

/** What the end of a program that was killed has left. A damaged log is told, whatever it holds. */
async function isLeftover(store: SessionStore, { id, meta, damaged }: SessionListing): Promise<boolean> {
  if (!meta || damaged !== undefined) return false;
  const mayHoldNothing = meta.title === "" && meta.userMessages === 0 && meta.forkedFrom === undefined;
  if (!mayHoldNothing || meta.events > MAX_EVENTS) return false;
  try {
    for await (const { type } of store.read(id)) if (SAYS.has(type)) return false;
    return true;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.kind === "not-found"; // gone meanwhile, with its own terminal; whoever opens another one is told what is wrong
  }
}

/** The listing without them, in its order. */
export async function withoutLeftovers(
  store: SessionStore,
  listings: readonly SessionListing[],
): Promise<readonly SessionListing[]> {
  const kept: SessionListing[] = [];
  for (const listing of listings) if (!(await isLeftover(store, listing))) kept.push(listing);
  return kept;
}
