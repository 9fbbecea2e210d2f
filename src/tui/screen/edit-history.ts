/** What undo and redo go through. Letters typed in a row are one step, and so are those erased in a row. */
import type { Draft } from "./draft.ts";

/** `type` and `erase` join with their like; `other` is always a step of its own. */
export type EditKind = "type" | "erase" | "other";

export interface EditHistory {
  /** Called with the draft before each change of its text. */
  record(old: Draft, next: Draft, kind: EditKind): void;
  /** Undefined: there is nothing to go back to. */
  undo(now: Draft): Draft | undefined;
  redo(now: Draft): Draft | undefined;
}

const MAX_STEPS = 500;
const MAX_UNITS = 8_000_000;

export function createEditHistory(): EditHistory {
  let past: Draft[] = [];
  let future: Draft[] = [];
  let last: { readonly kind: EditKind; readonly text: string; readonly cursor: number } | undefined;
  /** The oldest go first, when there are too many or they are too long together. */
  function trim(): void {
    let units = 0;
    let kept = 0;
    while (kept < Math.min(past.length, MAX_STEPS)) {
      units += past.at(-1 - kept)?.text.length ?? 0;
      if (units > MAX_UNITS) break;
      kept++;
    }
    past = past.slice(past.length - kept);
  }
  const go = (from: Draft[], to: Draft[], now: Draft) => {
    const found = from.pop();
    last = undefined;
    if (found) to.push(now);
    return found;
  };
  return {
    record(old, next, kind) {
      const isOneStep = kind !== "other" && kind === last?.kind && last.text === old.text && last.cursor === old.cursor;
      const isNewWord = kind === "type" && /\s$/.test(old.text.slice(0, old.cursor));
      if (!isOneStep || isNewWord) past.push(old);
      trim();
      future = [];
      last = { kind, text: next.text, cursor: next.cursor };
    },
    undo: (now) => go(past, future, now),
    redo: (now) => go(future, past, now),
  };
}
