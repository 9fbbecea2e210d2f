/**
 * What is being written, as data: text, the chips in it, cursor and selection. Positions are UTF-16 offsets that never stand
 * inside a character as people see it (a grapheme) or inside a chip. Every function gives a new draft.
 */
import type { Chip, PlacedChip } from "./port.ts";

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Draft {
  readonly text: string;
  /** In their order; they never overlap. */
  readonly chips: readonly PlacedChip[];
  readonly cursor: number;
  readonly selection?: Range;
}

export const EMPTY_DRAFT: Draft = { text: "", chips: [], cursor: 0 };

/** Chips that do not stand where they say are left out. */
export function draftOf(text: string, chips: readonly PlacedChip[] = []): Draft {
  const placed: PlacedChip[] = [];
  for (const chip of chips.toSorted((a, b) => a.start - b.start)) {
    const isFree = chip.start >= (placed.at(-1)?.end ?? 0) && chip.end > chip.start;
    if (isFree && text.slice(chip.start, chip.end) === chip.label) placed.push(chip);
  }
  return { text, chips: placed, cursor: text.length };
}

/** What it cuts into goes whole. The cursor stands behind the new text, which is the chip's label when there is a chip. */
export function replaceRange({ text, chips }: Draft, range: Range, put: string | Chip): Draft {
  const { start, end } = widened(chips, range);
  const label = typeof put === "string" ? put : put.label;
  const shift = label.length - (end - start);
  const kept = chips.flatMap((chip) => {
    if (chip.end <= start) return [chip];
    return chip.start >= end ? [{ ...chip, start: chip.start + shift, end: chip.end + shift }] : [];
  });
  const own: readonly PlacedChip[] =
    typeof put === "string" || label === "" ? [] : [{ ...put, start, end: start + label.length }];
  const next = {
    text: text.slice(0, start) + label + text.slice(end),
    chips: [...kept, ...own].toSorted((a, b) => a.start - b.start),
    cursor: 0,
  };
  return placeCursor(next, start + label.length);
}

/** A part of a draft, to be put elsewhere: its chips stand where they do in it. */
export type Piece = Pick<Draft, "text" | "chips">;

/** What it cuts into is in it whole. */
export function pieceOf({ text, chips }: Draft, range: Range): Piece {
  const { start, end } = widened(chips, range);
  const own = chips.filter((chip) => chip.start >= start && chip.end <= end);
  return { text: text.slice(start, end), chips: moved(own, -start) };
}

export const moved = (chips: readonly PlacedChip[], by: number): readonly PlacedChip[] =>
  chips.map((chip) => ({ ...chip, start: chip.start + by, end: chip.end + by }));

/** An empty range cuts into nothing: the end of a chip that holds it takes its place. */
function widened(chips: readonly PlacedChip[], { start, end }: Range): Range {
  if (start >= end) {
    const holder = chips.find((chip) => chip.start < start && start < chip.end);
    return holder ? { start: holder.end, end: holder.end } : { start, end: start };
  }
  const cut = chips.filter((chip) => chip.start < end && chip.end > start);
  return {
    start: Math.min(start, ...cut.map((chip) => chip.start)),
    end: Math.max(end, ...cut.map((chip) => chip.end)),
  };
}

export function placeCursor({ text, chips }: Draft, offset: number): Draft {
  return { text, chips, cursor: snapped(text, chips, offset) };
}

export const selected = ({ text, selection }: Draft): string =>
  selection ? text.slice(selection.start, selection.end) : "";

/** Far more than one grapheme takes. */
const WINDOW = 512;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The nearest place at or behind the offset where a cursor may stand; in a chip, its nearer edge. */
function snapped(text: string, chips: readonly PlacedChip[], wanted: number): number {
  const offset = Math.min(Math.max(0, Math.trunc(wanted)), text.length);
  const holder = chips.find((chip) => chip.start < offset && offset < chip.end);
  if (holder) return offset - holder.start < holder.end - offset ? holder.start : holder.end;
  if (offset === 0 || offset === text.length || isPlain(text, offset)) return offset;
  const from = Math.max(0, offset - WINDOW);
  const here = graphemes.segment(text.slice(from, offset + WINDOW)).containing(offset - from);
  if (!here || from + here.index === offset) return offset;
  return from + here.index + here.segment.length;
}

/** Between two letters of ASCII there is always a border. */
const isPlain = (text: string, offset: number): boolean =>
  text.charCodeAt(offset - 1) < 0x80 && text.charCodeAt(offset) < 0x80;

export function before({ text, chips }: Draft, offset: number): number {
  if (offset <= 0) return 0;
  const chip = chips.find(({ end }) => end === offset);
  if (chip) return chip.start;
  const part = text.slice(Math.max(0, offset - WINDOW), offset);
  const last = graphemes.segment(part).containing(part.length - 1);
  return offset - (last?.segment.length ?? 1);
}

export function behind({ text, chips }: Draft, offset: number): number {
  if (offset >= text.length) return text.length;
  const chip = chips.find(({ start }) => start === offset);
  if (chip) return chip.end;
  const first = graphemes.segment(text.slice(offset, offset + WINDOW)).containing(0);
  return offset + (first?.segment.length ?? 1);
}

export const lineStart = ({ text }: Draft, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;

export function lineEnd({ text }: Draft, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at;
}

type Step = (draft: Draft, offset: number) => number;

/** Over what is no word, then over one word. A chip is a word. */
function overWord(draft: Draft, from: number, step: Step): number {
  const { text, chips } = draft;
  let at = from;
  let isInWord = false;
  for (;;) {
    const next = step(draft, at);
    if (next === at) return at;
    const [start, end] = next < at ? [next, at] : [at, next];
    if (chips.some((chip) => chip.start === start && chip.end === end)) return isInWord ? at : next;
    const isWord = /[\p{L}\p{N}_]/u.test(text.slice(start, end));
    if (isInWord && !isWord) return at;
    isInWord ||= isWord;
    at = next;
  }
}

export const wordBefore = (draft: Draft, offset: number): number => overWord(draft, offset, before);
export const wordBehind = (draft: Draft, offset: number): number => overWord(draft, offset, behind);
