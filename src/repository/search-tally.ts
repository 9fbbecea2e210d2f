/** Gathers ripgrep's JSON records into files with their matches. It keeps a bounded amount of text and counts the rest. */
import type { TakeRecord } from "./splitter.ts";

export interface FoundRow {
  /** From 1; 0 when it cannot be told. */
  readonly line: number;
  /** Without its line end; of a long line the part around the match, with the rest marked. */
  readonly text: string;
  /** A line around a match otherwise. */
  readonly isMatch: boolean;
}

export interface FoundFile {
  readonly path: string;
  /** How many lines match, or 1 where only files were asked for. */
  readonly matches: number;
  /** Fewer than there are once too much was found. */
  readonly rows: readonly FoundRow[];
  /** It is no text, so that its lines are not shown. */
  readonly binary: boolean;
}

export interface Tally {
  readonly take: TakeRecord;
  files(): readonly FoundFile[];
  searched(): number | undefined;
}

const MAX_FILES = 50_000;
const MAX_KEPT_CHARS = 4 * 1024 * 1024;

interface Open {
  readonly path: string;
  matches: number;
  rows: FoundRow[];
  binary: boolean;
}

export function createTally(wantsRows: boolean): Tally {
  const files = new Map<string, Open>();
  let current: Open | undefined;
  let kept = 0;
  let searched: number | undefined;

  const addRows = (record: string, cut: boolean) => {
    if (!current || !wantsRows || kept > MAX_KEPT_CHARS) return;
    const rows = cut ? [TOO_LONG] : rowsOf(JSON.parse(record) as LineRecord); // as: ripgrep's own format
    for (const row of rows) kept += row.text.length;
    current.rows.push(...rows);
  };
  const note = ({ type, data }: PlainRecord) => {
    if (type === "begin" && data.path) {
      const path = decoded(data.path);
      current = files.get(path) ?? { path, matches: 0, rows: [], binary: false };
      files.set(path, current);
    }
    if (type === "end" && current) current.binary = typeof data.binary_offset === "number";
    if (type === "summary") searched = data.stats?.searches;
  };
  return {
    take(record, cut) {
      const isMatch = record.startsWith('{"type":"match"');
      if (isMatch && current) current.matches++;
      if (isMatch || (record.startsWith('{"type":"context"') && !cut)) addRows(record, cut);
      else if (!cut && record.startsWith("{")) note(JSON.parse(record) as PlainRecord); // as: ripgrep's own format
      return files.size < MAX_FILES;
    },
    files: () => [...files.values()].map((file) => (file.binary ? { ...file, rows: [] } : file)),
    searched: () => searched,
  };
}

const TOO_LONG: FoundRow = { line: 0, text: "[a matching line that is too long to show]", isMatch: true };

/** What ripgrep writes: text where it is UTF-8, else the bytes. */
type Written = { readonly text: string } | { readonly bytes: string };

interface PlainRecord {
  readonly type: string;
  readonly data: {
    readonly path?: Written;
    readonly binary_offset?: number | null;
    readonly stats?: { readonly searches: number };
  };
}

interface LineRecord {
  readonly type: "match" | "context";
  readonly data: {
    readonly lines: Written;
    readonly line_number: number | null;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
}

const decoded = (written: Written): string =>
  "text" in written ? written.text : Buffer.from(written.bytes, "base64").toString("utf8");

/** A match over several lines is as many rows. */
function rowsOf({ type, data }: LineRecord): readonly FoundRow[] {
  const text = decoded(data.lines).replace(/\r?\n$/, "");
  const first = data.line_number ?? 0;
  const at = charsBefore(data.lines, data.submatches[0]?.start ?? 0);
  return text.split(/\r?\n/).map((line, index) => ({
    line: first === 0 ? 0 : first + index,
    text: around(line, index === 0 ? at : 0),
    isMatch: type === "match",
  }));
}

const charsBefore = (written: Written, bytes: number): number =>
  bytes === 0 ? 0 : Buffer.from(decoded(written)).subarray(0, bytes).toString("utf8").length;

const LONG_LINE_CHARS = 500;
const BEFORE_MATCH_CHARS = 150;

function around(line: string, at: number): string {
  if (line.length <= LONG_LINE_CHARS) return line;
  const start = Math.max(0, Math.min(at - BEFORE_MATCH_CHARS, line.length - LONG_LINE_CHARS));
  const end = start + LONG_LINE_CHARS;
  const [before, behind] = [start > 0 ? "…" : "", end < line.length ? "…" : ""];
  return `${before}${line.slice(start, end)}${behind} [part of a line of ${line.length} characters]`;
}
