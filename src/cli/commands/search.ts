/**
 * `khaelor search`: where words stand in the sessions of this project, or of all. Exit code 0 when something was found and 1
 * when nothing was, as with grep.
 */
import { type Match, type SessionListing, searchLog } from "../../session/index.ts";
import { EXIT, type ExitCode, StoreError, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { openHere } from "../here.ts";
import type { Output } from "../output.ts";
import { excerpt, localMinute } from "../words.ts";

const NOTHING_FOUND: ExitCode = 1;
/** Shown in all, and of one session; a person who needs more asks more precisely. */
const MAX_MATCHES = 500;
const MAX_OF_ONE = 50;
const LINE_CHARACTERS = 160;
const JSON_LINE_CHARACTERS = 2_000;

export async function search(typed: Arguments, output: Output): Promise<ExitCode> {
  const words = typed.operands.join(" ");
  if (words.trim() === "") throw new UserError("Say what to look for: khaelor search WORDS.", EXIT.usage);
  const { store, project } = await openHere(typed);
  const listings = await store.list({ ...(typed.all ? {} : { projectHash: project }), quick: true });
  const ids = new Set(listings.map(({ id }) => id));
  const reading = { words, ids, output, isUnreadable: false };
  let count = 0;
  for (const listing of listings) {
    if (output.closed() || count >= MAX_MATCHES) break;
    const found = await matchesIn(listing, Math.min(MAX_OF_ONE, MAX_MATCHES - count), reading);
    count += found.length;
    for (const match of found) {
      if (typed.json) output.out(`${jsonLine(listing, match, words)}\n`);
      else output.show(line(listing, match, words));
    }
  }
  if (count >= MAX_MATCHES) output.err(`khaelor: the first ${MAX_MATCHES} are shown; use more words\n`);
  if (reading.isUnreadable) return EXIT.log;
  return count > 0 ? EXIT.done : NOTHING_FOUND;
}

interface Reading {
  readonly words: string;
  /** Of all sessions that are looked through. */
  readonly ids: ReadonlySet<string>;
  readonly output: Output;
  isUnreadable: boolean;
}

/** One that cannot be read is told, and hides none of the others. */
async function matchesIn({ id, path }: SessionListing, limit: number, reading: Reading): Promise<readonly Match[]> {
  const { words, ids, output } = reading;
  try {
    const found = await searchLog(path, words, { limit, skip: (owner) => owner !== id && ids.has(owner) });
    if (found.length === MAX_OF_ONE) {
      output.err(`khaelor: of session ${id} only the newest ${MAX_OF_ONE} are shown\n`);
    }
    return found;
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    output.err(`khaelor: ${cause.message}\n`);
    reading.isUnreadable = true;
    return [];
  }
}

const line = ({ id }: SessionListing, { seq, ts, who, line: said }: Match, words: string): string =>
  `${id}@${seq}  ${localMinute(ts)}  ${who.padEnd(7)}  ${excerpt(said, words, LINE_CHARACTERS)}\n`;

const jsonLine = ({ id, meta, glance }: SessionListing, { seq, ts, who, line: said }: Match, words: string): string =>
  JSON.stringify({
    session_id: id,
    title: (meta ?? glance)?.title ?? null,
    seq,
    ts,
    who,
    line: excerpt(said, words, JSON_LINE_CHARACTERS),
  });
