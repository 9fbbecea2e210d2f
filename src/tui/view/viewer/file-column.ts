/** The files of a change set at the left of its diff: the part of the list around the one that is shown. */
import { linesPieces } from "../../layout/call-words.ts";
import { clippedMiddle } from "../../layout/span.ts";
import type { Measure } from "../../layout/width.ts";
import type { Line } from "../../line.ts";
import type { DiffFile } from "../../ports.ts";
import { spellOut } from "../../spelling.ts";
import { piecesWidth, sides } from "../row.ts";

export interface FileColumn {
  readonly files: readonly DiffFile[];
  readonly current: number;
  readonly width: number;
  readonly height: number;
  readonly measure: Measure;
}

/** The first file that is listed, so that the current one is within. */
export const firstListed = ({ files, current, height }: Pick<FileColumn, "files" | "current" | "height">): number =>
  Math.min(Math.max(0, current - Math.floor(height / 2)), Math.max(0, files.length - height));

export function fileColumn({ files, current, width, height, measure }: FileColumn): readonly Line[] {
  const from = firstListed({ files, current, height });
  return files.slice(from, from + height).map((file, index) => {
    const isCurrent = from + index === current;
    const counts = linesPieces(file);
    const name = clippedMiddle(spellOut(file.path), Math.max(1, width - 4 - piecesWidth(counts, measure)), measure);
    return sides(
      [
        { tone: "accent", text: isCurrent ? " › " : "   " },
        { tone: isCurrent ? "fg" : "muted", text: name, ...(isCurrent && { bold: true }) },
      ],
      counts,
      { width, measure },
    );
  });
}
