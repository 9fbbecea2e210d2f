/**
 * Files by fuzzy letters, those first that were used often and lately. The names are listed when somebody asks, and again when
 * the list has grown old and somebody asks; never by itself. Works in slices, so that whoever waits for a key never waits for
 * this; nothing is shown that `mayShow` refuses.
 */
import { join } from "node:path";
import { fuzzyMatcher, type Matcher } from "../shared/index.ts";
import { fileNames } from "./file-names.ts";
import type { SearchPlace, SearchPorts } from "./ripgrep-run.ts";
import type { MayShow } from "./shown.ts";

export interface FileFinderParts {
  readonly ports: SearchPorts;
  readonly place: SearchPlace;
  readonly mayShow: MayShow;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** What a path counts for being used; relative to the place. Asked once a search. */
  readonly weights: () => ReadonlyMap<string, number>;
  /** Another value than before: files have changed, and the names are listed again when somebody asks. */
  readonly revision: () => number;
}

interface FoundName {
  /** Relative to the place; a folder ends in a slash. */
  readonly path: string;
  /** Offsets that matched. */
  readonly matched: readonly number[];
}

export interface FileFinder {
  /** Best first. Empty when cancelled. Rejects with a reason for people when nothing can be listed. */
  find(text: string, limit: number, signal: AbortSignal): Promise<readonly FoundName[]>;
  /** Ends a listing that is under way. */
  dispose(): void;
}

const STALE_MS = 10_000;
/** A list that took long is kept longer: at most a twentieth of the time is spent on it. */
const REST_FACTOR = 20;
/** Names that are scored between two breaths, some milliseconds at most. */
const SLICE = 1_000;
/** Verdicts between two breaths; each takes some 50 µs. */
const JUDGED_AT_ONCE = 20;
/** So many of the best are judged, whatever the limit. */
const MAX_JUDGED = 300;

interface Asked {
  readonly limit: number;
  readonly signal: AbortSignal;
}

interface Listing {
  readonly names: readonly string[];
  readonly at: number;
  readonly tookMs: number;
  readonly revision: number;
  readonly verdicts: Map<string, boolean>;
}

/** Which names fit a text: those of a longer text are among them. */
interface Survivors {
  readonly text: string;
  readonly listing: Listing;
  readonly at: readonly number[];
}

export function createFileFinder(parts: FileFinderParts): FileFinder {
  const { ports, place, now } = parts;
  const ending = new AbortController();
  let listing: Listing | undefined;
  let listed: Promise<Listing> | undefined;
  let survivors: Survivors | undefined;

  async function list(): Promise<Listing> {
    const [begun, revision] = [now(), parts.revision()];
    const names = await fileNames(ports, place, ending.signal);
    if (!names.ok) throw new Error(`The files cannot be listed: ${names.error.message}`);
    const at = now();
    return { names: names.value, at, tookMs: at - begun, revision, verdicts: new Map() };
  }
  /** One at a time. When it fails and there is an older list, that one stays. */
  function renew(): Promise<Listing> {
    listed ??= list()
      .then((next) => {
        listing = next;
        return next;
      })
      .finally(() => {
        listed = undefined;
      });
    return listed;
  }
  const rests = ({ at, tookMs }: Listing) => now() - at < tookMs * REST_FACTOR;
  function current(): Listing | Promise<Listing> {
    if (!listing) return renew();
    const isOld = now() - listing.at > STALE_MS || listing.revision !== parts.revision();
    if (isOld && !rests(listing)) renew().catch(() => undefined); // the older list stays, and the next question asks again
    return listing;
  }

  async function findIn(from: Listing, text: string, { limit, signal }: Asked): Promise<readonly FoundName[]> {
    const isNarrower = survivors?.listing === from && text.startsWith(survivors.text);
    const ranking = await rank({ names: from.names, among: isNarrower ? survivors?.at : undefined }, text, {
      weights: parts.weights(),
      signal,
    });
    if (signal.aborted) return [];
    survivors = { text, listing: from, at: ranking.fitting };
    const shown = await judged(ranking.best, from, { ...parts, limit, signal });
    if (signal.aborted) return [];
    const matcher = fuzzyMatcher(text);
    return shown.map((path) => ({ path, matched: matcher.matched(path) }));
  }

  return {
    async find(text, limit, signal) {
      const from = await current();
      const found = await findIn(from, text, { limit, signal });
      if (found.length > 0 || signal.aborted || rests(from)) return found;
      // That there is no such file is said of what is there now, not of what was there when it was listed.
      return findIn(await renew().catch(() => from), text, { limit, signal });
    },
    dispose: () => ending.abort(),
  };
}

interface Ranking {
  /** Best first. */
  readonly best: readonly string[];
  /** Offsets of all that fit. */
  readonly fitting: readonly number[];
}

interface Scored {
  readonly path: string;
  readonly score: number;
}

interface RankRoom {
  readonly weights: ReadonlyMap<string, number>;
  readonly signal: AbortSignal;
}

interface Candidates {
  readonly names: readonly string[];
  readonly among: readonly number[] | undefined;
}

async function rank({ names, among }: Candidates, text: string, { weights, signal }: RankRoom): Promise<Ranking> {
  const matcher = fuzzyMatcher(text);
  const fitting: number[] = [];
  const best = createBest();
  function take(at: number): void {
    const path = names[at] ?? "";
    const score = scoreOf(path, text, { matcher, weight: weights.get(path) ?? 0 });
    if (score === undefined) return;
    fitting.push(at);
    best.add({ path, score });
  }
  const count = among?.length ?? names.length;
  for (let from = 0; from < count && !signal.aborted; from += SLICE) {
    for (let next = from; next < Math.min(count, from + SLICE); next++) take(among ? (among[next] ?? 0) : next);
    await new Promise(setImmediate);
  }
  return { best: best.paths(), fitting };
}

interface ScoreParts {
  readonly matcher: Matcher;
  readonly weight: number;
}

const MAX_USE_BONUS = 40;

/** Being used counts up to about two letters that begin words; of equals the shorter, and without letters the higher up. */
function scoreOf(path: string, text: string, { matcher, weight }: ScoreParts): number | undefined {
  const fit = text === "" ? -DEPTH * depthOf(path) : matcher.score(path);
  if (fit === undefined) return undefined;
  return fit + Math.min(MAX_USE_BONUS, 12 * Math.log2(1 + weight)) - path.length / 64;
}

const DEPTH = 16;

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf("/"); at !== -1 && at < path.length - 1; at = path.indexOf("/", at + 1)) depth++;
  return depth;
}

/** The best of many without sorting them all; each path once. */
function createBest() {
  let kept: Scored[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  function trim(): void {
    kept = [...new Map(kept.map((one) => [one.path, one])).values()];
    kept.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
    kept.length = Math.min(kept.length, MAX_JUDGED);
    if (kept.length === MAX_JUDGED) floor = kept.at(-1)?.score ?? floor;
  }
  return {
    add(one: Scored): void {
      if (one.score <= floor) return;
      kept.push(one);
      if (kept.length >= 4 * MAX_JUDGED) trim();
    },
    paths(): readonly string[] {
      trim();
      return kept.map(({ path }) => path);
    },
  };
}

interface Judging extends Pick<FileFinderParts, "mayShow" | "place"> {
  readonly limit: number;
  readonly signal: AbortSignal;
}

async function judged(
  paths: readonly string[],
  { verdicts }: Listing,
  { mayShow, place, limit, signal }: Judging,
): Promise<readonly string[]> {
  const shown: string[] = [];
  for (const [at, path] of paths.entries()) {
    if (shown.length >= limit || signal.aborted) break;
    const verdict = verdicts.get(path) ?? mayShow(join(place.root, path));
    verdicts.set(path, verdict);
    if (verdict) shown.push(path);
    if (at % JUDGED_AT_ONCE === JUDGED_AT_ONCE - 1) await new Promise(setImmediate);
  }
  return shown;
}
