/**
 * What every view gives and every screen takes: lines of styled text, measured in cells. A style names a meaning (a tone),
 * never a colour, so that a change of theme needs no new layout.
 */

/** The theme's words; `theme.ts` says what each looks like. */
export type Tone = "fg" | "muted" | "faint" | "rule" | "accent" | "you" | "ok" | "warn" | "error" | "code";

/** Backgrounds, and the only ones there are. */
export type Tint = "added" | "removed" | "selected" | "found" | "current";

export interface Style {
  readonly tone: Tone;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly tint?: Tint;
}

/** A run of text in one style. The text is safe for a terminal: no control character, no tab, no line break. */
export interface Span extends Style {
  readonly text: string;
  /** In cells, as the terminal at hand measures. */
  readonly width: number;
}

export interface Line {
  readonly spans: readonly Span[];
  /** The sum of its spans, in cells. */
  readonly width: number;
  /** Of the whole row, beyond the text too. */
  readonly tint?: Tint;
  /** Goes on where the line before was wrapped: copied without a line break between. */
  readonly wraps?: true;
  /** With `wraps`: the blanks that stood at the break. Not shown, but copied in its place. */
  readonly gap?: string;
  /** How many cells at its beginning are decoration, and are not copied. */
  readonly indent?: number;
}

/** With its decoration, without its looks. */
export function textOf({ spans }: Line): string {
  let text = "";
  for (const span of spans) text += span.text;
  return text;
}

export const EMPTY_LINE: Line = { spans: [], width: 0 };
