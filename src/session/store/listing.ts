/** The list of sessions: from meta caches where they are current, from the log where not. One bad file never hides the others. */
import { closeSync, type Stats, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorCode, errorMessage, isUlid, type Logger } from "../../shared/index.ts";
import { metaOf, sessionMeta } from "../projections/session-meta.ts";
import type { Price } from "../projections/usage-totals.ts";
import type { ListFilter, SessionListing } from "../store-types.ts";
import { storeFailure } from "./failure.ts";
import { openLog } from "./log-file.ts";
import { keepMeta, readMeta } from "./meta-cache.ts";
import { scanLog } from "./scan.ts";

interface ListingParts {
  /** The folder that holds a folder for each project. */
  readonly sessions: string;
  readonly price: Price;
  readonly priceList?: string;
  readonly logger: Logger;
}

/** The names in a folder, or none when there is no such folder. Rejects with a StoreError otherwise. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw storeFailure(cause, `read the folder ${folder}`);
  }
}

/** Newest first. */
export async function listSessions(
  parts: ListingParts,
  { projectHash, writtenSince = 0, except }: ListFilter = {},
): Promise<readonly SessionListing[]> {
  const projects = projectHash === undefined ? await namesIn(parts.sessions) : [projectHash];
  const found: { readonly listing: SessionListing; readonly at: number }[] = [];
  for (const folder of projects.map((name) => join(parts.sessions, name))) {
    for (const name of await namesIn(folder)) {
      const id = basename(name, ".jsonl");
      if (!name.endsWith(".jsonl") || !isUlid(id) || id === except) continue;
      const path = join(folder, name);
      if (writtenSince > 0 && modifiedAt(path) < writtenSince) continue;
      const listing = await listed(path, parts);
      if (listing) found.push({ listing, at: lastWritten(listing) });
    }
  }
  return found.sort((a, b) => b.at - a.at || (a.listing.id < b.listing.id ? 1 : -1)).map(({ listing }) => listing);
}

/** When the log was last written to; of a damaged one only the file's own time says it. Epoch milliseconds; 0: nobody knows. */
export const lastWritten = ({ meta, damaged, path }: SessionListing): number =>
  meta && damaged === undefined ? meta.updatedAt : Math.max(meta?.updatedAt ?? 0, modifiedAt(path));

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0; // the listing says already why it cannot be read
  }
}

async function listed(path: string, parts: ListingParts): Promise<SessionListing | undefined> {
  const id = basename(path, ".jsonl");
  try {
    const { fd, stat } = openLog(path, "read");
    try {
      if (stat.size === 0) return undefined;
      const cached = await readMeta(path, madeFrom(stat, parts));
      if (cached) return { id, path, meta: cached };
      return await rebuilt({ id, path, fd, stat }, parts);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    return { id, path, damaged: errorMessage(cause) };
  }
}

interface OpenedLog {
  readonly id: string;
  readonly path: string;
  readonly fd: number;
  readonly stat: Stats;
}

const madeFrom = ({ size, mtimeMs }: Stats, { priceList = "" }: ListingParts) => ({ size, mtimeMs, prices: priceList });

async function rebuilt({ id, path, fd, stat }: OpenedLog, parts: ListingParts): Promise<SessionListing | undefined> {
  const fold = sessionMeta(parts.price);
  let state = fold.initial();
  const found = await scanLog({
    fd,
    size: stat.size,
    id,
    whole: false,
    onEvent: (event) => {
      state = fold.apply(state, event);
    },
  });
  const meta = metaOf(state);
  const first = found.damage[0];
  if (first) {
    const damaged = `line ${first.line} (byte ${first.byte}): ${first.reason}`;
    const newer = found.damage.every((one) => one.newer) && { newer: true as const };
    return { id, path, ...(found.events > 0 && { meta }), damaged, ...newer };
  }
  if (found.events === 0) return undefined;
  keepMeta(path, meta, madeFrom(stat, parts), parts.logger);
  return { id, path, meta };
}
