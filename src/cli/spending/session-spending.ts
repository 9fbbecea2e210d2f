/** What one session's log tells of money and cache, read once from its beginning to its end. */
import { type CacheLedger, cacheLedger, type Price, type SessionStore } from "../../session/index.ts";
import { type WorkSpan, workSpans } from "./work-spans.ts";

export interface SessionSpending {
  readonly ledger: CacheLedger;
  readonly work: readonly WorkSpan[];
}

/** Ends at the first damaged line. Throws StoreError. */
export async function sessionSpending(
  store: Pick<SessionStore, "read">,
  idOrPath: string,
  price: Price,
): Promise<SessionSpending> {
  const ledger = cacheLedger(price);
  let state = ledger.initial();
  let work = workSpans.initial();
  for await (const event of store.read(idOrPath)) {
    state = ledger.apply(state, event);
    work = workSpans.apply(work, event);
  }
  return { ledger: state, work: work.spans };
}
