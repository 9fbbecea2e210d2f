/** Sessions of the project, what was said in them, and outputs that the screen keeps only a part of. Reads only; every look is bounded. */
import { join } from "node:path";
import { projectHash, type SessionListing, searchLog } from "../../session/index.ts";
import { StoreError } from "../../shared/index.ts";
import type { Queries, SaidBefore, SessionRow } from "../../tui/index.ts";
import { projectRootOf } from "../project-root.ts";
import { resolveRealPath } from "../real-path.ts";
import { openStore } from "../state.ts";
import { damageWord, excerpt } from "../words.ts";
import type { EngineHost } from "./host.ts";
import { outputOf } from "./output-query.ts";
import { promptsSaid } from "./prompt-history.ts";
import type { Surroundings } from "./surroundings.ts";
import { withoutLeftovers } from "./unsaid.ts";

/** More rows than anybody reads; whoever looks for an older one types words of it. */
export const MAX_ROWS = 500;
const EXCERPT_CHARACTERS = 120;

export function createSessionQueries(
  host: EngineHost,
  { places, env, log }: Surroundings,
): Pick<Queries, "sessions" | "promptHistory" | "fullOutput"> {
  const { store } = openStore(places, log);
  const spillFolder = join(resolveRealPath(places.home) ?? places.home, "spill");
  let listed:
    | { readonly beside: string | undefined; readonly sessions: Promise<readonly SessionListing[]> }
    | undefined;
  let history: Promise<readonly SaidBefore[]> | undefined;

  const openNow = () => host.onScreen()?.id;
  async function listNow(open = openNow()): Promise<readonly SessionListing[]> {
    const project = projectHash(await projectRootOf(places.cwd, env));
    const all = await store.list({ projectHash: project, quick: true });
    return withoutLeftovers(
      store,
      all.filter(({ id }) => id !== open),
    );
  }

  return {
    async sessions(text, signal) {
      // A list that is being narrowed is the list that was opened: it is read anew when it is opened again, or beside another session.
      const open = openNow();
      if (text === "" || listed?.beside !== open) listed = undefined;
      listed ??= { beside: open, sessions: listNow(open) };
      const listings = await listed.sessions;
      return text === "" ? listings.slice(0, MAX_ROWS).map((one) => rowOf(one)) : rowsWith(listings, text, signal);
    },
    promptHistory() {
      history ??= promptsSaid(listNow, host.onScreen()?.path);
      return history;
    },
    fullOutput: (toolUseId) => outputOf(host, toolUseId, spillFolder),
  };
}

function rowOf({ id, meta, glance, damaged, newer }: SessionListing, found?: string): SessionRow {
  const known = meta ?? glance;
  const title = known?.title || "(no title)";
  return {
    id,
    title: damaged === undefined ? title : `${meta ? title : id} (${damageWord({ newer })})`,
    updatedAt: known?.updatedAt ?? 0,
    userMessages: meta?.userMessages,
    pendingApprovals: meta?.pendingApprovals ?? 0,
    costUsd: meta?.costUsd ?? null,
    ...(found !== undefined && { excerpt: found }),
  };
}

/** Those whose title has the words first, for these cost nothing; each list is newest first. */
async function rowsWith(
  listings: readonly SessionListing[],
  words: string,
  signal: AbortSignal,
): Promise<readonly SessionRow[]> {
  const wanted = words.toLowerCase();
  const isNamed = ({ id, meta, glance }: SessionListing) =>
    id.toLowerCase().startsWith(wanted) || (meta ?? glance)?.title.toLowerCase().includes(wanted) === true;
  const rows = listings.filter(isNamed).map((one) => rowOf(one));
  const ids = new Set(listings.map(({ id }) => id));
  for (const listing of listings) {
    if (signal.aborted || rows.length >= MAX_ROWS) break;
    if (isNamed(listing)) continue;
    const line = await lineWith(listing, words, ids);
    if (line !== undefined) rows.push(rowOf(listing, excerpt(line, words, EXCERPT_CHARACTERS)));
  }
  return signal.aborted ? [] : rows.slice(0, MAX_ROWS);
}

/** One that cannot be read hides no other. What a fork took over counts as its parent's, as long as there is one. */
async function lineWith(
  { id, path }: SessionListing,
  words: string,
  ids: ReadonlySet<string>,
): Promise<string | undefined> {
  const skip = (owner: string) => owner !== id && ids.has(owner);
  try {
    return (await searchLog(path, words, { limit: 1, only: ["user", "model"], skip }))[0]?.line;
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
