/** An edit of a text: which matcher decides, whether its answer is unique, and the text afterwards. Knows no files. */
import { err, ok, type Result } from "../../shared/index.ts";
import type { Span } from "./blocks.ts";
import { MATCHERS, MAX_MATCHES, type Matcher, type Matches, type Typed } from "./matchers.ts";
import { rewritten } from "./rewrite.ts";

export interface Edited {
  readonly text: string;
  /** Where the new pieces lie in `text`. */
  readonly changed: readonly Span[];
  readonly matcher: Matcher;
}

export type EditRefusal =
  | { readonly kind: "invalid-input"; readonly message: string }
  | { readonly kind: "no-change" }
  | { readonly kind: "not-found" }
  | { readonly kind: "ambiguous"; readonly matcher: Matcher; readonly spans: readonly Span[] };

/** Larger than any file that could be edited again. */
const MAX_EDITED_CHARS = 64 * 1024 * 1024;

const BOM = /^\ufeff/;

/** `body` has no BOM. */
export function applyEdit(body: string, asked: Typed, replaceAll: boolean): Result<Edited, EditRefusal> {
  const typed = { old: asked.old.replace(BOM, ""), next: asked.next.replace(BOM, "") };
  const refusal = inputRefusal(typed);
  if (refusal) return err(refusal);
  for (const matcher of MATCHERS) {
    const found = matcher.find(body, typed);
    if (found) return replaced(body, found, { matcher, replaceAll });
  }
  return err({ kind: "not-found" });
}

function inputRefusal({ old, next }: Typed): EditRefusal | undefined {
  const invalid = (message: string): EditRefusal => ({ kind: "invalid-input", message });
  if (old === "") return invalid("old_string is empty: give the text to replace.");
  if (!old.isWellFormed()) return invalid("old_string holds half a character (a lone surrogate).");
  if (!next.isWellFormed()) return invalid("new_string holds half a character (a lone surrogate).");
  return old === next ? { kind: "no-change" } : undefined;
}

interface Decision {
  readonly matcher: Matcher;
  readonly replaceAll: boolean;
}

function replaced(
  body: string,
  { spans, typed }: Matches,
  { matcher, replaceAll }: Decision,
): Result<Edited, EditRefusal> {
  if (spans.length > 1 && !replaceAll) return err({ kind: "ambiguous", matcher, spans });
  if (spans.length >= MAX_MATCHES) {
    return err({ kind: "invalid-input", message: `old_string occurs more than ${MAX_MATCHES} times; use bash (sed).` });
  }
  if (body.length + spans.length * typed.next.length > MAX_EDITED_CHARS) {
    const message = `old_string occurs ${spans.length} times, and the file would become too large. Replace fewer, or use bash.`;
    return err({ kind: "invalid-input", message });
  }
  const pieces: string[] = [];
  const changed: Span[] = [];
  let [from, length] = [0, 0];
  for (const span of spans) {
    if (span.start < from) continue;
    const piece = rewritten(body, span, typed);
    pieces.push(body.slice(from, span.start), piece);
    length += span.start - from;
    changed.push({ start: length, end: length + piece.length });
    length += piece.length;
    from = span.end;
  }
  const text = pieces.join("") + body.slice(from);
  return text === body ? err({ kind: "no-change" }) : ok({ text, changed, matcher });
}
