/** Lines that are laid out, kept up to a number of bytes: what was shown longest ago is forgotten first, and made again when it is needed. */
import type { Line } from "../../line.ts";

export interface LineStore<Owner extends object> {
  /** The newest use keeps it longest. */
  get(owner: Owner): readonly Line[] | undefined;
  put(owner: Owner, lines: readonly Line[]): void;
  has(owner: Owner): boolean;
  drop(owner: Owner): void;
  clear(): void;
  /** As far as can be told from outside. */
  bytes(): number;
}

interface Kept {
  readonly lines: readonly Line[];
  readonly bytes: number;
}

/** `onForget` is told what fell out for want of room, not what was dropped. */
export function createLineStore<Owner extends object>(
  maxBytes: number,
  onForget: (owner: Owner) => void = () => undefined,
): LineStore<Owner> {
  const kept = new Map<Owner, Kept>();
  let total = 0;
  const drop = (owner: Owner) => {
    total -= kept.get(owner)?.bytes ?? 0;
    kept.delete(owner);
  };
  return {
    get(owner) {
      const found = kept.get(owner);
      if (!found) return undefined;
      kept.delete(owner);
      kept.set(owner, found);
      return found.lines;
    },
    put(owner, lines) {
      drop(owner);
      const bytes = bytesOf(lines);
      kept.set(owner, { lines, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        // What was put just now is needed now, however big it is.
        if (total <= maxBytes || oldest === owner) return;
        drop(oldest);
        onForget(oldest);
      }
    },
    has: (owner) => kept.has(owner),
    drop,
    clear() {
      kept.clear();
      total = 0;
    },
    bytes: () => total,
  };
}

/** What an entry, a line and a span take beside their text: measured roughly, for 64-bit objects. */
const ENTRY_BYTES = 160;
const LINE_BYTES = 128;
const SPAN_BYTES = 144;

function bytesOf(lines: readonly Line[]): number {
  let bytes = ENTRY_BYTES;
  for (const { spans } of lines) {
    bytes += LINE_BYTES;
    for (const { text } of spans) bytes += SPAN_BYTES + 2 * text.length;
  }
  return bytes;
}
