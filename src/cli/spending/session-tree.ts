/**
 * What the sessions of one lineage spent: where it began, and every fork of it. What a fork took over from its origin was spent
 * there, and is counted there alone.
 */
import {
  eventsOfTypes,
  type Price,
  type SessionListing,
  type SessionMeta,
  type SessionStore,
  usageTotals,
} from "../../session/index.ts";

export interface TreeRow {
  readonly id: string;
  /** 0 for the origin. */
  readonly depth: number;
  /** Undefined: its log is not there any more, and only what its forks took over is known. */
  readonly meta: SessionMeta | undefined;
  /** US dollars of its own, at least. */
  readonly usd: number;
  readonly isAtLeast: boolean;
}

interface TreeParts {
  readonly store: Pick<SessionStore, "list">;
  readonly price: Price;
  /** The project's hash: forks stay in their origin's project. */
  readonly project: string;
}

type Known = ReadonlyMap<string, SessionListing & { readonly meta: SessionMeta }>;

/** The origin first, each fork below what it began in, the oldest first. Throws StoreError. */
export async function sessionTree(id: string, { store, price, project }: TreeParts): Promise<readonly TreeRow[]> {
  const listed = await store.list({ projectHash: project });
  const known: Known = new Map(listed.flatMap(({ meta, ...rest }) => (meta ? [[rest.id, { ...rest, meta }]] : [])));
  const rows: TreeRow[] = [];
  const add = async (one: string, depth: number): Promise<void> => {
    if (rows.some((row) => row.id === one)) return;
    rows.push(await rowOf(one, depth, { known, price }));
    for (const fork of forksOf(one, known)) await add(fork, depth + 1);
  };
  await add(originOf(id, known), 0);
  return rows;
}

function originOf(id: string, known: Known, seen: readonly string[] = []): string {
  const from = known.get(id)?.meta.forkedFrom?.sessionId;
  return from === undefined || seen.includes(from) ? id : originOf(from, known, [...seen, id]);
}

const forksOf = (id: string, known: Known): readonly string[] =>
  [...known.values()]
    .filter(({ meta }) => meta.forkedFrom?.sessionId === id)
    .sort((a, b) => a.meta.createdAt - b.meta.createdAt)
    .map((fork) => fork.id);

async function rowOf(
  id: string,
  depth: number,
  { known, price }: { readonly known: Known; readonly price: Price },
): Promise<TreeRow> {
  const found = known.get(id);
  if (!found) {
    const taken = forksOf(id, known).flatMap((fork) => known.get(fork)?.meta.forkedFrom?.spentUsd ?? []);
    return { id, depth, meta: undefined, usd: Math.max(0, ...taken), isAtLeast: true };
  }
  const { meta, path, damaged } = found;
  const { spentUsd, unpriced } = await usageIn(path, price);
  const before = meta.forkedFrom ?? { spentUsd: 0, unpriced: 0 };
  const isAtLeast = damaged !== undefined || unpriced > before.unpriced;
  return { id, depth, meta, usd: Math.max(0, spentUsd - before.spentUsd), isAtLeast };
}

const TYPES: ReadonlySet<string> = new Set([
  "model.request-started",
  "model.response-completed",
  "model.request-failed",
]);

async function usageIn(path: string, price: Price) {
  const usage = usageTotals(price);
  let state = usage.initial();
  for await (const event of eventsOfTypes(path, TYPES)) state = usage.apply(state, event);
  return state;
}
