/**
 * The folds that a session keeps, live and at replay alike. Adding one is a file in projections/ and a line in `folds`
 * (and in SessionState, for its readers).
 */
import type { LogEvent, Projection } from "../shared/index.ts";
import { cacheLedger } from "./projections/cache-ledger.ts";
import { openPermissions } from "./projections/consent.ts";
import { conversation } from "./projections/conversation.ts";
import { fileChangeSet } from "./projections/file-change-set.ts";
import { processTable } from "./projections/processes.ts";
import { sessionGrants } from "./projections/session-grants.ts";
import { type MetaFold, metaOf, sessionMeta } from "./projections/session-meta.ts";
import { turnState } from "./projections/turn-state.ts";
import { type Price, usageTotals } from "./projections/usage-totals.ts";
import type { SessionState } from "./types.ts";

const folds = (price: Price) => ({
  conversation,
  turn: turnState,
  files: fileChangeSet,
  processes: processTable,
  grants: sessionGrants,
  meta: sessionMeta(price),
});

/** Every fold under the name that it calls itself, for whoever wants to look at one. */
export const namedFolds = (price: Price): readonly Projection<unknown>[] => [
  ...(Object.values(folds(price)) as readonly Projection<unknown>[]), // each only ever meets the state that it made itself
  usageTotals(price) as Projection<unknown>,
  cacheLedger(price) as Projection<unknown>,
  openPermissions as Projection<unknown>,
];

type Folds = ReturnType<typeof folds>;
type States = { readonly [K in keyof Folds]: ReturnType<Folds[K]["initial"]> };

/** What all folds say after the events applied so far. Owned by one session. */
export interface FoldedState {
  apply(event: LogEvent): void;
  read(): SessionState;
  /** Of the last event; `read` tells it too, and costs more. */
  lastSeq(): number;
  /** The state that `meta` and `usage` are read from, to go on with in another process. */
  metaFold(): MetaFold;
}

export function createFoldedState(price: Price): FoldedState {
  // Each fold only ever meets the state that it made itself, under its own name.
  const named = Object.entries(folds(price)) as readonly (readonly [string, Projection<unknown>])[];
  const states = named.map(([, fold]) => fold.initial());
  let lastSeq = 0;
  let snapshot: SessionState | undefined;
  return {
    apply(event) {
      for (let at = 0; at < named.length; at++) states[at] = named[at]?.[1].apply(states[at], event);
      lastSeq = event.seq;
      snapshot = undefined;
    },
    read() {
      snapshot ??= stateOf(lastSeq, Object.fromEntries(named.map(([name], at) => [name, states[at]])) as States);
      return snapshot;
    },
    lastSeq: () => lastSeq,
    metaFold: () => states[named.findIndex(([name]) => name === "meta")] as MetaFold, // only that fold has made it
  };
}

/** The meta's fold counts what was used already. */
const stateOf = (lastSeq: number, { meta, ...states }: States): SessionState => ({
  lastSeq,
  ...states,
  usage: meta.tally,
  meta: metaOf(meta),
});
