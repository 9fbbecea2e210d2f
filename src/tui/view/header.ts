/** The first line: what this is, and where it works. In little room the folder goes first, then the changes, then the branch. */
import { blanks, type Piece } from "../layout/span.ts";
import type { Measure } from "../layout/width.ts";
import type { Line } from "../line.ts";
import type { SessionFacts } from "../ports.ts";
import { oneName } from "../spelling.ts";
import { fittedLine, piecesWidth } from "./row.ts";

export interface HeaderParts {
  /** Undefined until a session is open. */
  readonly facts: SessionFacts | undefined;
  readonly measure: Measure;
}

const GAP = 2;

export function headerLine({ facts, measure }: HeaderParts, width: number): Line {
  const name: Piece = { tone: "accent", bold: true, text: " khaelor" };
  if (!facts) return fittedLine([name], width, measure);
  const title = oneName(facts.title);
  const left: readonly Piece[] = title === "" ? [name] : [name, { tone: "fg", text: `  ${title}` }];
  const nameWidth = measure(name.text);
  /** What a title needs at least, so that it is not driven out by the folder. */
  const wanted = Math.min(piecesWidth(left, measure), nameWidth + 26);
  const right = placePieces(facts, { room: width - 1 - wanted - GAP, measure });
  const used = piecesWidth(right, measure);
  if (used === 0) return fittedLine(left, width, measure);
  const leftLine = fittedLine(left, width - 1 - used - GAP, measure);
  const rightLine = fittedLine(right, used, measure);
  const gap = blanks(width - 1 - used - leftLine.width);
  return { spans: [...leftLine.spans, ...gap, ...rightLine.spans], width: width - 1 };
}

interface Room {
  readonly room: number;
  readonly measure: Measure;
}

function placePieces({ folder, branch, changedFiles }: SessionFacts, { room, measure }: Room): readonly Piece[] {
  const changes: Piece | undefined = changedFiles > 0 ? { tone: "warn", text: `±${changedFiles}` } : undefined;
  const at: Piece | undefined = branch === undefined ? undefined : { tone: "muted", text: oneName(branch, 40) };
  const place: Piece = { tone: "faint", text: oneName(folder) };
  const choices: readonly (readonly (Piece | undefined)[])[] = [
    [place, at, changes],
    [at, changes],
    [at],
    [changes],
    at ? [] : [place],
  ];
  for (const choice of choices) {
    const pieces = choice.filter((piece) => piece !== undefined);
    const spaced = pieces.flatMap((piece, index): Piece[] =>
      index === 0 ? [piece] : [{ tone: "fg", text: "  " }, piece],
    );
    if (piecesWidth(spaced, measure) <= room) return spaced;
  }
  return [];
}
