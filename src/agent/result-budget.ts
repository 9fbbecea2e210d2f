/**
 * How much of a result the model reads: 32 KiB, and less when the results of one turn together near half a mebibyte, for a
 * conversation has to hold them all. Counted from the fold, so that a restart neither forgets nor repeats a byte.
 */
import type { TurnState } from "../session/index.ts";
import { byteLength } from "../shared/index.ts";

const KIB = 1024;
const MAX_RESULT_BYTES = 32 * KIB;
const MIN_RESULT_BYTES = 2 * KIB;
const TURN_BYTES = 512 * KIB;
/** The room that is left holds at least so many more results of the present size. */
const RESERVED_RESULTS = 4;

export interface ResultBudget {
  /** What a tool may return. */
  readonly maxBytes: number;
  /** The result, with a note behind it where it may have been cut for the turn's sake. */
  fit(modelText: string): string;
}

/** In halves, not by the byte: equal calls have equal results for a while, which is how a loop without effect is told. */
export function resultBudget({ resultBytes }: Pick<TurnState, "resultBytes">): ResultBudget {
  let size = MAX_RESULT_BYTES;
  while (size > MIN_RESULT_BYTES && size * RESERVED_RESULTS > TURN_BYTES - resultBytes) size /= 2;
  if (size === MAX_RESULT_BYTES) return { maxBytes: size, fit: (modelText) => modelText };
  const note = `\n[The results of this turn are near their limit of ${TURN_BYTES / KIB} KiB: each may have ${size / KIB} KiB now. Ask for less at a time.]`;
  const maxBytes = size - byteLength(note);
  return { maxBytes, fit: (modelText) => (byteLength(modelText) > maxBytes / 3 ? modelText + note : modelText) };
}
