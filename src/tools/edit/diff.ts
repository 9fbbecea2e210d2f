/**
 * The unified diff of an edit, for the log and the screen. The package is loaded at the first edit. Only the part between
 * the first and the last change is compared, so that a small edit of a large file stays cheap.
 */
import { byteLength, bytePrefix, type DiffStats } from "../../shared/index.ts";
import { linesOf } from "../lines.ts";
import { fileText } from "../text-file.ts";

const CONTEXT_LINES = 3;
const MAX_DIFF_BYTES = 32 * 1024;
/** The search for the shortest diff takes the square of this; beyond, it would hold up the loop. */
const MAX_EDIT_LENGTH = 1000;
/** Splitting both sides into lines alone would take a second. */
const MAX_COMPARED_CHARS = 8 * 1024 * 1024;

export interface FileDiff {
  readonly diff: string;
  readonly diffStats: DiffStats;
}

/** `maxBytes`: of the diff, cut at a line; what it counts is whole. */
export async function fileDiff(
  path: string,
  before: string,
  after: string,
  maxBytes = MAX_DIFF_BYTES,
): Promise<FileDiff> {
  if (before === "" || after === "") return oneSided(path, { before, after }, maxBytes);
  const part = differingPart(before, after);
  if (part.before.length + part.after.length > MAX_COMPARED_CHARS) return tooLarge(path, part);
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import("diff");
  const patch = structuredPatch(path, path, part.before, part.after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  if (!patch) return tooLarge(path, part);
  for (const hunk of patch.hunks) {
    hunk.oldStart += part.skippedLines;
    hunk.newStart += part.skippedLines;
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const diffStats = { added: countOf(lines, "+"), removed: countOf(lines, "-") };
  return { diff: capped(formatPatch(patch, FILE_HEADERS_ONLY), maxBytes), diffStats };
}

/**
 * Of contents, where an absent side is no file; undefined when a side is no text, or nothing differs. No room, no diff: then
 * it is only counted.
 */
export async function contentDiff(
  path: string,
  contents: readonly [before: Uint8Array | undefined, after: Uint8Array | undefined],
  maxBytes: number,
): Promise<{ readonly diff?: string; readonly diffStats: DiffStats } | undefined> {
  const [before, after] = contents.map((bytes) => (bytes ? fileText(bytes) : NO_TEXT));
  if (before?.kind !== "utf8" || after?.kind !== "utf8" || before.text === after.text) return undefined;
  const { diff, diffStats } = await fileDiff(path, before.text, after.text, maxBytes);
  return byteLength(diff) > maxBytes + CUT_MARK_BYTES ? { diffStats } : { diff, diffStats };
}

const NO_TEXT = { kind: "utf8", text: "" } as const;
const CUT_MARK_BYTES = 64;

/** Of a file that began or ended empty: nothing has to be compared, however long it is. */
function oneSided(path: string, { before, after }: Omit<Part, "skippedLines">, maxBytes: number): FileDiff {
  const [sign, text] = before === "" ? ["+", after] : ["-", before];
  const lines = text.split("\n");
  const ended = lines.at(-1) === "";
  if (ended) lines.pop();
  const count = lines.length;
  const range = sign === "+" ? `-0,0 +1,${count}` : `-1,${count} +0,0`;
  const body = lines.map((line) => `${sign}${line}\n`).join("");
  const hunk = count === 0 ? "" : `@@ ${range} @@\n${body}${ended ? "" : "\\ No newline at end of file\n"}`;
  const diffStats = sign === "+" ? { added: count, removed: 0 } : { added: 0, removed: count };
  return { diff: capped(`--- ${path}\n+++ ${path}\n${hunk}`, maxBytes), diffStats };
}

const countOf = (lines: readonly string[], sign: string): number =>
  lines.filter((line) => line.startsWith(sign)).length;

function capped(diff: string, maxBytes: number): string {
  if (byteLength(diff) <= maxBytes) return diff;
  const kept = bytePrefix(diff, maxBytes);
  const whole = kept.slice(0, kept.lastIndexOf("\n") + 1);
  return `${whole}[diff cut: ${byteLength(diff) - byteLength(whole)} more bytes]\n`;
}

interface Part {
  readonly before: string;
  readonly after: string;
  /** Lines before the part, equal in both. */
  readonly skippedLines: number;
}

/** Both texts less their equal beginnings and ends, but for the lines of context. */
function differingPart(before: string, after: string): Part {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const from = backwards(before, start);
  const upTo = (text: string) => forwards(text, text.length - end);
  return {
    before: before.slice(from, upTo(before)),
    after: after.slice(from, upTo(after)),
    skippedLines: before.slice(0, from).split("\n").length - 1,
  };
}

/** The beginning of the line three above the one at `offset`. */
function backwards(text: string, offset: number): number {
  let at = offset;
  for (let lines = 0; lines <= CONTEXT_LINES && at > 0; lines++) at = text.lastIndexOf("\n", at - 1);
  return Math.max(0, at + (at > 0 ? 1 : 0));
}

/** The end of the line three below the one at `offset`. */
function forwards(text: string, offset: number): number {
  let at = offset;
  for (let lines = 0; lines <= CONTEXT_LINES; lines++) {
    const found = text.indexOf("\n", at);
    if (found < 0) return text.length;
    at = found + 1;
  }
  return at;
}

/** Counts without a diff: exact where the edit changed lines but not their number, as replacing a name everywhere does. */
function tooLarge(path: string, part: Part): FileDiff {
  const [before, after] = [[...linesOf(part.before)], [...linesOf(part.after)]];
  const changed = before.filter((line, index) => line !== after[index]).length;
  const sameNumber = before.length === after.length;
  const diffStats = sameNumber ? { added: changed, removed: changed } : { added: after.length, removed: before.length };
  return { diff: `--- ${path}\n+++ ${path}\n[diff left out: too many changed lines]\n`, diffStats };
}
