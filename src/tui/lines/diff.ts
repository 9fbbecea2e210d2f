/** A change set in lines: file by file, in one column. Pure. */
import { linesPieces } from "../layout/call-words.ts";
import { parseDiff } from "../layout/diff.ts";
import { digitsOf, unifiedLines } from "../layout/diff-lines.ts";
import { hint } from "../layout/output.ts";
import type { LayoutContext } from "../layout/types.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import type { DiffFile } from "../ports.ts";
import { oneName } from "../spelling.ts";
import { fittedLine } from "../view/row.ts";
import { ATTRIBUTION } from "../view/viewer/diff-screen.ts";

export const diffLines = (files: readonly DiffFile[], context: LayoutContext): readonly Line[] =>
  files.flatMap((file) => [EMPTY_LINE, headLine(file, context), ...bodyLines(file, context)]);

function headLine({ path, added, removed, by }: DiffFile, { width, measure }: LayoutContext): Line {
  const whose = by === undefined ? "" : `  ${ATTRIBUTION[by]}`;
  return fittedLine(
    [{ tone: "fg", text: oneName(path) }, ...linesPieces({ added, removed }), { tone: "muted", text: whose }],
    width,
    measure,
  );
}

function bodyLines({ path, diff }: DiffFile, context: LayoutContext): readonly Line[] {
  const { hunks, notes } = parseDiff(diff);
  const { width, measure } = context;
  const digits = digitsOf(hunks.flatMap(({ rows }) => rows));
  return [
    ...notes.map((note) => hint(note, context)),
    ...hunks.flatMap(({ rows }, index) => [
      ...(index > 0 ? [hint("⋯", context)] : []),
      ...rows.flatMap((row) => unifiedLines(row, { width, measure, path, digits, isWrapped: true })),
    ]),
  ];
}
