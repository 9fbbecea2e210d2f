/** The list of sessions: from meta caches where they are current, from the logs where not. One bad file never hides the others. */
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { errorCode, isUlid } from "../../shared/index.ts";
import type { ListFilter, SessionListing } from "../store-types.ts";
import { storeFailure } from "./failure.ts";
import { type AccountParts, type Allowance, accountOf } from "./log-account.ts";

interface ListingParts extends AccountParts {
  /** The folder that holds a folder for each project. */
  readonly sessions: string;
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

/** What a quick list reads of logs that it does not know: some tenths of a second. No line is longer. */
const QUICK_BYTES = 16 * 1024 * 1024;
/** Caches are read without a pause in which a screen could be drawn, but not many of them. */
const BETWEEN_PAUSES = 32;

/** Newest first. */
export async function listSessions(
  parts: ListingParts,
  { projectHash, writtenSince = 0, except, quick = false }: ListFilter = {},
): Promise<readonly SessionListing[]> {
  const projects = projectHash === undefined ? await namesIn(parts.sessions) : [projectHash];
  const all = (await Promise.all(projects.map((name) => logsIn(join(parts.sessions, name))))).flat();
  const logs = all
    .filter((path) => basename(path, ".jsonl") !== except)
    .map((path) => ({ path, at: modifiedAt(path) }))
    .filter(({ at }) => writtenSince <= 0 || at >= writtenSince)
    .sort((a, b) => b.at - a.at); // what may be read is for those first that will stand first
  const allowance: Allowance = { left: quick ? QUICK_BYTES : Number.POSITIVE_INFINITY };
  const found: { readonly listing: SessionListing; readonly at: number }[] = [];
  for (const [index, { path }] of logs.entries()) {
    const listing = await accountOf(path, allowance, parts);
    if (listing) found.push({ listing, at: lastWritten(listing) });
    if (index % BETWEEN_PAUSES === BETWEEN_PAUSES - 1) await setImmediate();
  }
  return found.sort((a, b) => b.at - a.at || (a.listing.id < b.listing.id ? 1 : -1)).map(({ listing }) => listing);
}

async function logsIn(folder: string): Promise<readonly string[]> {
  const names = await namesIn(folder);
  return names
    .filter((name) => name.endsWith(".jsonl") && isUlid(basename(name, ".jsonl")))
    .map((name) => join(folder, name));
}

/** When the log was last written to; of a damaged one only the file's own time says it. Epoch milliseconds; 0: nobody knows. */
export function lastWritten({ meta, glance, damaged, path }: SessionListing): number {
  const known = (meta ?? glance)?.updatedAt;
  return known !== undefined && damaged === undefined ? known : Math.max(known ?? 0, modifiedAt(path));
}

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0; // the listing says already why it cannot be read
  }
}
