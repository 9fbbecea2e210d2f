/** `khaelor stats`: what the sessions of this project, or of all, came to. Everything is counted from logs, and each line once. */
import {
  ACTIVITY_TYPES,
  activity,
  activityOf,
  addActivity,
  eventsOfTypes,
  forgotten,
  lastWritten,
  noActivity,
  type Price,
  type SessionListing,
} from "../../session/index.ts";
import { EXIT, type ExitCode, type LogEvent, StoreError, systemClock } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { DAY_MS, dayCount } from "../days.ts";
import { openHere } from "../here.ts";
import type { Output } from "../output.ts";
import { type Counted, statsJson, statsText } from "../stats-report.ts";

export async function stats(typed: Arguments, output: Output): Promise<ExitCode> {
  const days = typed.days === undefined ? undefined : dayCount(typed.days);
  const since = days === undefined ? 0 : systemClock.now() - days * DAY_MS;
  const { store, project, price } = await openHere(typed);
  const listings = await store.list(typed.all ? {} : { projectHash: project });
  const counted = await countAll(listings, { since, price });
  for (const problem of counted.problems) output.err(`khaelor: not counted: ${problem}\n`);
  if (typed.json) output.out(`${JSON.stringify(statsJson(counted, days))}\n`);
  else output.show(statsText(counted, { days, all: typed.all }));
  return counted.problems.length > 0 ? EXIT.log : EXIT.done;
}

/**
 * A fork's inherited lines are its parent's to count. Where the parent is gone they are counted with the first fork that has
 * them, and with every other only from where it goes further.
 */
async function countAll(
  listings: readonly SessionListing[],
  { since, price }: { readonly since: number; readonly price: Price },
): Promise<Counted> {
  const present = new Set(listings.map(({ id }) => id));
  const reached = new Map<string, number>();
  let total = activityOf(noActivity());
  let sessions = 0;
  const problems: string[] = [];
  for (const { id, path, damaged } of listings.filter((listing) => mayCount(listing, since))) {
    const isOwn = ({ sessionId, seq, ts }: LogEvent): boolean => {
      if (ts < since || (sessionId !== id && present.has(sessionId))) return false;
      return sessionId === id || seq > (reached.get(sessionId) ?? 0);
    };
    try {
      const { own, ancestors } = await countOne({ path, id, price, isOwn });
      for (const [ancestor, seq] of ancestors) reached.set(ancestor, Math.max(seq, reached.get(ancestor) ?? 0));
      if (own.requests > 0 || own.turns > 0) sessions++;
      total = addActivity(total, own);
      if (damaged !== undefined) problems.push(`what is damaged in session ${id} (${damaged}); the rest is counted`);
    } catch (cause) {
      if (!(cause instanceof StoreError)) throw cause;
      problems.push(cause.message);
    }
  }
  return { sessions, total, problems };
}

/** A log that nobody can list is opened all the same, so that it is told. */
const mayCount = (listing: SessionListing, since: number): boolean => !listing.meta || lastWritten(listing) >= since;

interface Counting {
  readonly path: string;
  readonly id: string;
  readonly price: Price;
  readonly isOwn: (event: LogEvent) => boolean;
}

async function countOne({ path, id, price, isOwn }: Counting) {
  const fold = activity(price);
  const ancestors = new Map<string, number>();
  let state = noActivity();
  for await (const event of eventsOfTypes(path, ACTIVITY_TYPES)) {
    const counts = isOwn(event);
    state = fold.apply(state, event);
    if (!counts) state = forgotten(state);
    if (event.sessionId !== id) ancestors.set(event.sessionId, event.seq);
  }
  return { own: activityOf(state), ancestors };
}
