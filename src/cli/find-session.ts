/** Which session `--resume` and `--continue` mean, and what a command's ID means. */
import { type Match, type SessionListing, type SessionStore, searchLog } from "../session/index.ts";
import { EXIT, isUlid, StoreError, UserError } from "../shared/index.ts";
import { excerpt, localMinute } from "./words.ts";

/** By id, by the beginning of one, or (empty) the newest of the project. Throws UserError with what to do. */
export async function findSession(store: SessionStore, typed: string, projectHash: string): Promise<string> {
  const wanted = typed.toUpperCase();
  if (isUlid(wanted)) return wanted;
  if (wanted === "") {
    const all = await store.list({ projectHash, quick: true });
    const [latest] = all;
    // To take an older one in its place would go on with the wrong work: whoever opens it is told what is wrong.
    if (latest?.damaged !== undefined) return latest.id;
    const sound = all.filter(({ damaged }) => damaged === undefined);
    // One that was stopped before its first message holds nothing to go on with, and must not hide one that does.
    const newest = sound.find(({ meta, glance }) => ((meta ?? glance)?.userMessages ?? 0) > 0) ?? sound[0];
    if (newest) return newest.id;
    throw new UserError("There is no session of this project to go on with. Start one with a prompt.", EXIT.usage);
  }
  const matching = (await store.list({ quick: true })).filter(({ id }) => id.startsWith(wanted));
  const [only, second] = matching;
  if (only && !second) return only.id;
  const what = second
    ? `${matching.length} sessions begin with ${wanted}:\n${matching.slice(0, SHOWN).map(line).join("\n")}${
        matching.length > SHOWN ? "\n  …" : ""
      }\nType more of the id.`
    : `No session begins with ${wanted}.`;
  throw new UserError(`${what} See khaelor sessions list --all.`, EXIT.usage);
}

const line = ({ id, meta, glance }: SessionListing): string => `  ${id}  ${(meta ?? glance)?.title ?? ""}`;

/** What may be the beginning of an id. */
const SESSION_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{0,25}$/i;

/** As `findSession`, or by words that stand in the title, in what the user said, or in an answer. Throws UserError. */
export async function findSessionOrWords(store: SessionStore, typed: string, projectHash: string): Promise<string> {
  if (typed === "" || isUlid(typed.toUpperCase())) return findSession(store, typed, projectHash);
  if (SESSION_ID.test(typed)) {
    const isId = (await store.list({ quick: true })).some(({ id }) => id.startsWith(typed.toUpperCase()));
    if (isId) return findSession(store, typed, projectHash);
  }
  const found = await sessionsWith(store, typed, projectHash);
  const [only, second] = found;
  if (only && !second) return only.listing.id;
  if (!only) {
    throw new UserError(
      `No session of this project has the id or the words "${typed}". See khaelor sessions list and khaelor search.`,
      EXIT.usage,
    );
  }
  const shown = found.slice(0, SHOWN).map(({ listing, match }) => choice(listing, match, typed));
  const more = found.length > SHOWN ? [`  and ${found.length - SHOWN} older ones`] : [];
  throw new UserError(
    [
      `${found.length} sessions have the words "${typed}":`,
      ...shown,
      ...more,
      "Name one by its id, or use more words.",
    ].join("\n"),
    EXIT.usage,
  );
}

/** All that `typed` may mean, as above, newest first. */
export async function sessionsNamed(
  store: SessionStore,
  typed: string,
  projectHash: string,
): Promise<readonly string[]> {
  const wanted = typed.toUpperCase();
  if (isUlid(wanted)) return [wanted];
  const begun = SESSION_ID.test(typed)
    ? (await store.list({ quick: true })).filter(({ id }) => id.startsWith(wanted))
    : [];
  if (begun.length > 0) return begun.map(({ id }) => id);
  return (await sessionsWith(store, typed, projectHash)).map(({ listing }) => listing.id);
}

const SHOWN = 10;

interface Found {
  readonly listing: SessionListing;
  readonly match: Match;
}

/** Newest first. Words that a fork took over count as its parent's, as long as there is one. */
async function sessionsWith(store: SessionStore, words: string, projectHash: string): Promise<readonly Found[]> {
  const all = await store.list({ projectHash, quick: true });
  const ids = new Set(all.map(({ id }) => id));
  const found: Found[] = [];
  for (const listing of all) {
    const skip = (id: string) => id !== listing.id && ids.has(id);
    const [match] = await searchLog(listing.path, words, { limit: 1, only: ["title", "user", "model"], skip }).catch(
      (error: unknown) => {
        if (error instanceof StoreError) return []; // one that cannot be read hides no other
        throw error;
      },
    );
    if (match) found.push({ listing, match });
  }
  return found;
}

function choice({ id, meta, glance }: SessionListing, match: Match, words: string): string {
  const known = meta ?? glance;
  const when = localMinute(known?.updatedAt ?? match.ts);
  return `  ${id}  ${when}  ${known?.title ?? ""}\n      ${match.who}: ${excerpt(match.line, words, 100)}`;
}
