/**
 * The change of indentation between what a model typed and what stands in the file. It must be uniform: one level in the
 * typed text is one level in the file, everywhere, and deeper stays deeper. Anything else could change what a program means.
 */

export interface IndentPair {
  readonly typed: string;
  readonly file: string;
}

export type IndentMap = (typed: string) => string;

const BLANKS = /^[ \t]*/;

export const indentOf = (line: string): string => BLANKS.exec(line)?.[0] ?? "";

/** Undefined when the pairs follow no uniform rule. `next` are the lines that the map will be used on. */
export function indentMap(pairs: readonly IndentPair[], next: readonly string[] = []): IndentMap | undefined {
  const levels = levelsOf(pairs);
  if (!levels || !staysOrdered(levels)) return undefined;
  const shift = prefixShift(levels);
  const unit = unitOf(levels, next);
  return (typed) => levels.get(typed) ?? shift?.(typed) ?? scaled(typed, levels, unit);
}

function levelsOf(pairs: readonly IndentPair[]): ReadonlyMap<string, string> | undefined {
  const levels = new Map<string, string>();
  for (const { typed, file } of pairs) {
    if ((levels.get(typed) ?? file) !== file) return undefined;
    levels.set(typed, file);
  }
  return levels;
}

const byTypedLength = (levels: ReadonlyMap<string, string>) =>
  [...levels].map(([typed, file]) => ({ typed, file })).sort((a, b) => a.typed.length - b.typed.length);

/** Deeper in the typed text means deeper in the file; two ways to type one depth are not told apart, so refused. */
function staysOrdered(levels: ReadonlyMap<string, string>): boolean {
  const sorted = byTypedLength(levels);
  return sorted.every(({ typed, file }, index) => {
    const before = sorted[index - 1];
    return !before || (typed.length > before.typed.length && file.length > before.file.length);
  });
}

/** The whole block moved right or left by the same blanks. */
function prefixShift(levels: ReadonlyMap<string, string>): ((typed: string) => string | undefined) | undefined {
  const [first] = byTypedLength(levels);
  if (!first) return undefined;
  const { typed, file } = first;
  const added = file.endsWith(typed) ? file.slice(0, file.length - typed.length) : undefined;
  if (added !== undefined && [...levels].every(([t, f]) => f === added + t)) {
    return (indent) => (mixes(added, indent) ? undefined : added + indent);
  }
  const removed = typed.endsWith(file) ? typed.slice(0, typed.length - file.length) : undefined;
  if (removed === undefined || ![...levels].every(([t, f]) => t === removed + f)) return undefined;
  return (indent) => (indent.startsWith(removed) ? indent.slice(removed.length) : undefined);
}

const mixes = (added: string, indent: string): boolean => added !== "" && new Set(added + indent).size > 1;

interface Unit {
  readonly typed: string;
  readonly file: string;
}

/** One step of indentation on both sides, from two levels, or from one level of spaces against tabs. */
function unitOf(levels: ReadonlyMap<string, string>, next: readonly string[]): Unit | undefined {
  const sorted = byTypedLength(levels);
  const [low, high] = sorted;
  if (!low) return undefined;
  if (high?.typed.startsWith(low.typed) && high.file.startsWith(low.file)) {
    return { typed: high.typed.slice(low.typed.length), file: high.file.slice(low.file.length) };
  }
  if (/^ +$/.test(low.typed) && /^\t+$/.test(low.file)) {
    return { typed: " ".repeat(Math.max(1, Math.round(low.typed.length / low.file.length))), file: "\t" };
  }
  if (/^\t+$/.test(low.typed) && /^ +$/.test(low.file)) {
    return { typed: "\t", file: " ".repeat(Math.max(1, Math.round(low.file.length / low.typed.length))) };
  }
  const step = next.map(indentOf).filter((indent) => /^ +$/.test(indent) && indent.length > low.typed.length);
  const shortest = Math.min(...step.map((indent) => indent.length - low.typed.length));
  return /^\t+$/.test(low.file) && Number.isFinite(shortest) ? { typed: " ".repeat(shortest), file: "\t" } : undefined;
}

/** A level that the old text did not show: so many steps from the nearest that it did. */
function scaled(typed: string, levels: ReadonlyMap<string, string>, unit: Unit | undefined): string {
  const sorted = byTypedLength(levels);
  const below = sorted.findLast((level) => typed.startsWith(level.typed));
  if (below) return below.file + converted(typed.slice(below.typed.length), unit);
  const above = sorted.find((level) => level.typed.startsWith(typed));
  if (!above || !unit) return typed;
  const steps = Math.round((above.typed.length - typed.length) / unit.typed.length);
  return above.file.slice(0, Math.max(0, above.file.length - steps * unit.file.length));
}

function converted(rest: string, unit: Unit | undefined): string {
  if (!unit) return rest;
  const steps = Math.floor(rest.length / unit.typed.length);
  if (rest.slice(0, steps * unit.typed.length) !== unit.typed.repeat(steps)) return rest;
  return unit.file.repeat(steps) + rest.slice(steps * unit.typed.length);
}
