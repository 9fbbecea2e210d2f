/** Unified diffs of one file as rows with their numbers. Text is made visible here: nothing in it can hide from who judges it. */
import { spellOut } from "../spelling.ts";
import { spelledCode } from "./plain-text.ts";

export type DiffRow = ContextRow | ChangedRow;

export interface ContextRow {
  readonly kind: "context";
  readonly old: number;
  readonly next: number;
  readonly text: string;
}

export interface ChangedRow {
  readonly kind: "added" | "removed";
  /** Its number: among the new lines, or among the old ones. */
  readonly at: number;
  readonly text: string;
  /** Where it differs from the line that it replaced, or that replaced it. */
  readonly changed?: Range;
}

/** Offsets into a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Hunk {
  /** Numbers of its first lines. */
  readonly old: number;
  readonly next: number;
  /** What the diff says of the place, such as the function around it. */
  readonly place: string;
  readonly rows: readonly DiffRow[];
  /** As it stands in the diff, with its head. */
  readonly source: string;
}

export interface FileDiff {
  /** What is said of the file: binary, renamed, cut. */
  readonly notes: readonly string[];
  readonly hunks: readonly Hunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
const PLAIN_HEADS = /^(diff |index |--- |\+\+\+ |={3,}$|Index: )/;

interface Draft {
  readonly head: string;
  readonly place: string;
  readonly old: number;
  readonly next: number;
  readonly lines: string[];
  /** Which of them end with their file, and not with a line break. */
  readonly unended: Set<number>;
  /** Lines that are still to come, as the head says. */
  oldLeft: number;
  nextLeft: number;
}

export function parseDiff(diff: string): FileDiff {
  const notes: string[] = [];
  const drafts: Draft[] = [];
  for (const line of diff.split("\n")) {
    const draft = drafts.at(-1);
    if (draft && isOf(draft, line)) take(draft, line);
    else if (line.startsWith("\\")) draft?.unended.add(draft.lines.length - 1);
    else if (HUNK.test(line)) drafts.push(draftOf(line));
    else if (line !== "" && !PLAIN_HEADS.test(line)) notes.push(spellOut(line));
  }
  const endsInReturns = drafts.every(({ lines, unended }) =>
    lines.every((line, at) => line.endsWith("\r") || unended.has(at)),
  );
  return { notes, hunks: drafts.map((draft) => hunkOf(draft, endsInReturns)) };
}

function draftOf(head: string): Draft {
  const [, old, oldLeft = "1", next, nextLeft = "1", place = ""] = HUNK.exec(head) ?? [];
  const counts = { oldLeft: Number(oldLeft), nextLeft: Number(nextLeft) };
  return {
    head,
    place: spellOut(place),
    old: Number(old),
    next: Number(next),
    lines: [],
    unended: new Set(),
    ...counts,
  };
}

/** An empty line is a context line that lost its blank. */
function isOf({ oldLeft, nextLeft }: Draft, line: string): boolean {
  if (line.startsWith("+")) return nextLeft > 0;
  if (line.startsWith("-")) return oldLeft > 0;
  return oldLeft > 0 && nextLeft > 0 && (line === "" || /^[ \t]/.test(line));
}

function take(draft: Draft, line: string): void {
  draft.lines.push(line === "" ? " " : line);
  if (!line.startsWith("+")) draft.oldLeft--;
  if (!line.startsWith("-")) draft.nextLeft--;
}

function hunkOf({ head, place, lines, unended, ...first }: Draft, endsInReturns: boolean): Hunk {
  let { old, next } = first;
  const rows = lines.map((line, index): DiffRow => {
    const text = spelledCode(endsInReturns && !unended.has(index) ? line.slice(1, -1) : line.slice(1));
    if (line.startsWith("+")) return { kind: "added", at: next++, text };
    if (line.startsWith("-")) return { kind: "removed", at: old++, text };
    return { kind: "context", old: old++, next: next++, text };
  });
  return { old: first.old, next: first.next, place, rows: compared(rows), source: [head, ...lines].join("\n") };
}

/** Lines that were replaced one by one are told where they differ. */
function compared(rows: readonly DiffRow[]): readonly DiffRow[] {
  const out: DiffRow[] = [];
  for (const run of changeRuns(rows)) {
    const removed = run.filter(isOfKind("removed"));
    const added = run.filter(isOfKind("added"));
    if (removed.length === 0 || removed.length !== added.length) {
      out.push(...run);
      continue;
    }
    const pairs = removed.map((row, index) => difference(row.text, added[index]?.text ?? ""));
    out.push(...removed.map((row, index) => withChange(row, pairs[index]?.before)));
    out.push(...added.map((row, index) => withChange(row, pairs[index]?.after)));
  }
  return out;
}

const isOfKind =
  (kind: ChangedRow["kind"]) =>
  (row: DiffRow): row is ChangedRow =>
    row.kind === kind;

const withChange = (row: ChangedRow, changed: Range | undefined): ChangedRow => (changed ? { ...row, changed } : row);

/** Changed rows that stand together, removed before added; each other row alone. */
export function changeRuns(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const runs: DiffRow[][] = [];
  let before: DiffRow | undefined;
  for (const row of rows) {
    const goesOn =
      row.kind !== "context" &&
      before !== undefined &&
      before.kind !== "context" &&
      !(before.kind === "added" && row.kind === "removed");
    if (goesOn) runs.at(-1)?.push(row);
    else runs.push([row]);
    before = row;
  }
  return runs;
}

/** Longer lines are not compared. */
const MAX_COMPARED_CHARS = 500;

/** Undefined when they have too little in common for a part to tell more than the whole. */
function difference(before: string, after: string): { readonly before: Range; readonly after: Range } | undefined {
  const shorter = Math.min(before.length, after.length);
  if (Math.max(before.length, after.length) > MAX_COMPARED_CHARS || shorter === 0) return undefined;
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let end = 0;
  while (end < shorter - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  from = wordStart(before, from);
  end = Math.min(end, shorter - from);
  if ((from + end) * 3 < shorter) return undefined;
  return { before: { from, to: before.length - end }, after: { from, to: after.length - end } };
}

/** Back to where the word begins, so that no character is torn. */
function wordStart(text: string, at: number): number {
  let from = at;
  while (from > 0 && /[^\s!-/:-@[-`{-~]/.test(text[from - 1] ?? "")) from--;
  return from;
}
