/** Makes a checkpoint fit a number of bytes: what is dropped first is fixed, and each list tells how much it lost. */
import { byteLength } from "../../shared/index.ts";
import { cutText, type Dropped, gapCount, gapText } from "./lists.ts";
import type { Checkpoint } from "./types.ts";

type ListKey = Exclude<keyof Checkpoint, "objective" | "current_state">;

/**
 * In this order, down to so many entries: what is evidence for what the texts say, then what is done with, then what can be looked
 * up again, then what would be lost for ever, and last the newest evidence: what the user said. Of what happened the oldest goes
 * first, of what is wanted the last.
 */
const ORDER: readonly (readonly [key: ListKey, drop: Dropped, kept: number])[] = [
  ["raw_evidence", "first", 1],
  ["completed", "first", 0],
  ["changes", "first", 0],
  ["important_files", "last", 0],
  ["failed_attempts", "first", 0],
  ["running_processes", "first", 0],
  ["decisions", "first", 0],
  ["next_steps", "last", 1],
  ["raw_evidence", "first", 0],
  ["next_steps", "last", 0],
];

/** What the smallest one needs: shortened texts, keys and gaps. */
export const MIN_BYTES = 4 * 1024;

/** `bytes`: of the YAML that is written from it, at least MIN_BYTES. The beginnings of the objective and of the state always stay. */
export function fitted(checkpoint: Checkpoint, bytes: number): Checkpoint {
  const limit = Math.max(MIN_BYTES, bytes);
  const share = Math.floor(limit / 8);
  let fitting: Checkpoint = {
    ...checkpoint,
    objective: cutTo(checkpoint.objective, share),
    current_state: cutTo(checkpoint.current_state, share),
  };
  for (const [key, drop, kept] of ORDER) {
    const excess = yamlBytes(fitting) - limit;
    if (excess <= 0) break;
    fitting = { ...fitting, [key]: shortened(fitting[key], { drop, kept, excess }) };
  }
  return fitting;
}

/** By what it takes in YAML. */
function cutTo(text: string, bytes: number): string {
  let kept = text;
  while (textBytes(kept) > bytes && kept !== "") kept = cutText(text, Math.floor(byteLength(kept) * SMALLER));
  return kept;
}
const SMALLER = 0.9;

type Entry = Checkpoint[ListKey][number];

interface Shortening {
  readonly drop: Dropped;
  readonly kept: number;
  readonly excess: number;
}

function shortened(list: readonly Entry[], { drop, kept, excess }: Shortening): readonly Entry[] {
  const inOrder = drop === "first" ? list : list.toReversed();
  const [sample] = list;
  if (sample === undefined || list.length <= kept) return list;
  const gone: Entry[] = [];
  let freed = -GAP_BYTES;
  for (const entry of inOrder.slice(0, inOrder.length - kept)) {
    if (freed >= excess) break;
    gone.push(entry);
    freed += entryBytes(entry);
  }
  if (freed <= 0) return list; // the note would be longer
  const count = gone.reduce((sum, entry) => sum + Math.max(1, gapCount(firstText(entry))), 0);
  const gap = gapLike(sample, gapText(count));
  const rest = inOrder.slice(gone.length);
  return drop === "first" ? [gap, ...rest] : [...rest.toReversed(), gap];
}

const GAP_BYTES = 96;

const firstText = (entry: Entry): string =>
  typeof entry === "string" ? entry : (Object.values<string>(entry)[0] ?? "");

/** The note in the first field of a record. */
const gapLike = (sample: Entry, note: string): Entry =>
  typeof sample === "string"
    ? note
    : (Object.fromEntries(Object.keys(sample).map((field, at) => [field, at === 0 ? note : ""])) as unknown as Entry); // as: the sample's own fields

/** Never less than what is written. */
export const yamlBytes = (checkpoint: Checkpoint): number =>
  Object.values(checkpoint).reduce<number>((sum, value: Checkpoint[keyof Checkpoint]) => {
    if (typeof value === "string") return sum + KEY_BYTES + textBytes(value);
    for (const entry of value) sum += entryBytes(entry);
    return sum + KEY_BYTES;
  }, 0);

const KEY_BYTES = 24;

const entryBytes = (entry: Entry): number =>
  typeof entry === "string"
    ? textBytes(entry) + INDENT
    : Object.values<string>({ ...entry }).reduce((sum, text) => sum + textBytes(text) + RECORD_FIELD, 0);

const INDENT = 8;
const RECORD_FIELD = 20;

/** As a block each line is indented; in quotes each strange character has up to six bytes. */
export function textBytes(text: string): number {
  const lines = text.split("\n").length;
  const strange = text.match(STRANGE)?.length ?? 0;
  return byteLength(text) + lines * INDENT + strange * 6;
}

const STRANGE = /[^\t\n\x20-\x7e\u00a0-\uffff]|["\\\t\ud800-\udfff\ufffe\uffff]|<(?=\/?(?:checkpoint|user-words))/gi;
