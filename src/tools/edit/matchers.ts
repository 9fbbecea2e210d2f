/**
 * The cascade that finds the text to replace. The first matcher with a match decides; each later one forgives one more kind
 * of layout, and none forgives a word. They are pure, know no files, and count overlapping matches, so that what is
 * ambiguous is seen as such.
 */
import { findBlocks, type Span } from "./blocks.ts";
import { isBlankLine, typedLines, type View, viewOf, withoutTrailingBlanks } from "./text-lines.ts";
import { UNESCAPES } from "./unescape.ts";

export interface Typed {
  readonly old: string;
  readonly next: string;
}

export interface Matches {
  readonly spans: readonly Span[];
  /** What was typed, less the slip that this matcher forgives. */
  readonly typed: Typed;
}

export interface Matcher {
  readonly name: string;
  /** For the result, so that the model learns of its slip. Empty for the exact one. */
  readonly forgives: string;
  readonly find: (body: string, typed: Typed) => Matches | undefined;
}

/** More matches than any sensible edit has; beyond, no list of them is kept. */
export const MAX_MATCHES = 100_000;

/** Above this many characters only the cheap matchers run. */
const MAX_LOOSE_CHARS = 2_000_000;

export const MATCHERS: readonly Matcher[] = [
  { name: "exact", forgives: "", find: exact },
  { name: "line-ends", forgives: "its kind of line ends", find: lineEnds },
  { name: "final-newline", forgives: "a final newline that the file does not have", find: finalNewline },
  { name: "trailing-blanks", forgives: "blanks at line ends", find: loose(trailingBlanks) },
  { name: "indentation", forgives: "its indentation", find: loose(indentation) },
  { name: "blank-lines", forgives: "its number of blank lines", find: loose(blankLines) },
  { name: "over-escaped", forgives: "escapes that are not in the file", find: overEscaped },
];

function exact(body: string, typed: Typed): Matches | undefined {
  return matches(occurrences(body, typed.old), typed);
}

const matches = (spans: readonly Span[], typed: Typed): Matches | undefined =>
  spans.length > 0 ? { spans, typed } : undefined;

function occurrences(text: string, wanted: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && spans.length < MAX_MATCHES; at = text.indexOf(wanted, at + 1)) {
    spans.push({ start: at, end: at + wanted.length });
  }
  return spans;
}

/** Only where a CR is in play: everything else the exact matcher has seen. */
function lineEnds(body: string, typed: Typed): Matches | undefined {
  if (!body.includes("\r") && !typed.old.includes("\r")) return undefined;
  const view = viewOf(body, "line-ends");
  return matches(located(occurrences(view.text, typedLines(typed.old).join("\n")), view), typed);
}

const located = (spans: readonly Span[], view: View): readonly Span[] =>
  spans.map(({ start, end }) => ({ start: view.toText(start), end: view.toText(end) }));

function finalNewline(body: string, typed: Typed): Matches | undefined {
  const [old, next] = [typed.old, typed.next].map((text) => text.replace(/\r?\n$/, "")) as [string, string];
  if (old === typed.old || old.trim() === "" || body.endsWith("\n")) return undefined;
  const view = viewOf(body, "line-ends");
  const wanted = typedLines(old).join("\n");
  if (!view.text.endsWith(wanted)) return undefined;
  return matches([{ start: view.toText(view.text.length - wanted.length), end: body.length }], { old, next });
}

function loose(find: Matcher["find"]): Matcher["find"] {
  return (body, typed) => (body.length > MAX_LOOSE_CHARS || typed.old.trim() === "" ? undefined : find(body, typed));
}

function trailingBlanks(body: string, typed: Typed): Matches | undefined {
  const lines = typedLines(typed.old);
  const wanted = lines.map(withoutTrailingBlanks).join("\n");
  const view = viewOf(body, "trailing-blanks");
  const last = lines.at(-1) ?? "";
  const atLineEnd = last !== "" && withoutTrailingBlanks(last) !== last;
  const found = occurrences(view.text, wanted).filter(({ end }) => !atLineEnd || (view.text[end] ?? "\n") === "\n");
  return matches(located(found, view), typed);
}

function indentation(body: string, typed: Typed): Matches | undefined {
  const shared = sharedFinalNewline(typed);
  return matches(findBlocks(body, shared.old, "same"), shared);
}

/** A final newline on both sides says nothing, and the file's last line may lack it. */
function sharedFinalNewline(typed: Typed): Typed {
  if (!typed.old.endsWith("\n") || !typed.next.endsWith("\n")) return typed;
  return { old: typed.old.replace(/\r?\n$/, ""), next: typed.next.replace(/\r?\n$/, "") };
}

function blankLines(body: string, typed: Typed): Matches | undefined {
  const shared = withoutOuterBlankLines(sharedFinalNewline(typed));
  return matches(findBlocks(body, shared.old, "any"), shared);
}

/** Blank lines around the old text are taken from the new one too, as many as both have. */
function withoutOuterBlankLines(typed: Typed): Typed {
  let [old, next] = [typedLines(typed.old), typedLines(typed.next)];
  while (old.length > 1 && isBlankLine(old[0] ?? "")) {
    old = old.slice(1);
    if (next.length > 1 && isBlankLine(next[0] ?? "")) next = next.slice(1);
  }
  while (old.length > 2 && isBlankLine(old.at(-1) ?? "") && isBlankLine(old.at(-2) ?? "")) {
    old = old.slice(0, -1);
    if (next.length > 1 && isBlankLine(next.at(-1) ?? "")) next = next.slice(0, -1);
  }
  return { old: old.join("\n"), next: next.join("\n") };
}

/**
 * Both sides were escaped once too often, or neither was: an old text alone says nothing about how to write the new one.
 * Where two readings of the new text are possible, none is taken.
 */
function overEscaped(body: string, { old, next }: Typed): Matches | undefined {
  const readings = UNESCAPES.map((read) => ({ old: read(old), next: read(next) }));
  const plain = readings.filter((typed): typed is Typed => typed.old !== undefined && typed.next !== undefined);
  const found = plain
    .filter((typed) => typed.old !== old && typed.old !== "")
    .map((typed) => exact(body, typed) ?? lineEnds(body, typed))
    .filter((match) => match !== undefined);
  return found.every(({ typed }) => typed.next === found[0]?.typed.next) ? found[0] : undefined;
}
