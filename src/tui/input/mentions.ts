/** Files that a draft mentions with `@`: where one is being typed, and which a finished draft names. Pure. */
import type { Mention } from "../../shared/index.ts";
import type { Chip, PlacedChip } from "../screen/port.ts";
import { spellOut } from "../spelling.ts";

export interface MentionDraft {
  /** Of the `@`, in UTF-16 units. */
  readonly start: number;
  /** What is looked for. */
  readonly query: string;
  /** As typed behind the path: `#L10-40`. */
  readonly range: string;
}

const MAX_QUERY = 256;
/** What may stand before the `@` of a file; behind a letter it is part of an address. */
const BEGINS = /(?:^|[\s([{"'`,])@([^\s@]*)$/;
const RANGE = /(?:#L?|:)\d*(?:-L?\d*)?$/;

/** Undefined: no file is being mentioned at the cursor. */
export function mentionAt(text: string, cursor: number, chips: readonly PlacedChip[]): MentionDraft | undefined {
  const before = text.slice(Math.max(0, cursor - MAX_QUERY), cursor);
  const [, word] = BEGINS.exec(before) ?? [];
  if (word === undefined) return undefined;
  const start = cursor - word.length - 1;
  if (chips.some((chip) => chip.start < cursor && chip.end > start)) return undefined;
  const range = RANGE.exec(word)?.[0] ?? "";
  return { start, query: word.slice(0, word.length - range.length), range };
}

/** The lines that a range names; undefined when it names none yet. */
export function rangeOf(typed: string): Mention["range"] {
  const [, first, last] = /^(?:#L?|:)(\d+)(?:-L?(\d+))?$/.exec(typed) ?? [];
  const start = Number(first);
  const end = Number(last ?? first);
  return start >= 1 && end >= start && Number.isSafeInteger(end) ? { start, end } : undefined;
}

/** As a person reads it and as `-f` takes it. */
const rangeText = (range: Mention["range"]): string => {
  if (!range) return "";
  return range.start === range.end ? `#L${range.start}` : `#L${range.start}-${range.end}`;
};

export function mentionChip(path: string, typedRange = ""): Chip {
  const range = rangeText(rangeOf(typedRange));
  return { label: `@${spellOut(path)}${range}`, kind: "mention", value: path + range };
}

/** What a chip stands for; `behind` is the text that follows it, in which a range may have been typed. */
function mentionOf({ value }: Chip, behind: string): Mention {
  const [, own = value, ownRange = ""] = /^(.+?)(#L\d+(?:-\d+)?)$/s.exec(value) ?? [];
  const [typed = ""] = /^(?:#L?|:)\d+(?:-L?\d+)?(?![\w-])/.exec(behind) ?? [];
  const range = rangeOf(typed) ?? rangeOf(ownRange);
  return { path: own, ...(range && { range }) };
}

/** The files of a draft, in the order in which they stand; each once. */
export function mentionsOf(text: string, chips: readonly PlacedChip[]): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const chip of chips) {
    if (chip.kind === "paste") continue;
    const mention = chip.kind === "image" ? { path: chip.value } : mentionOf(chip, text.slice(chip.end));
    found.set(JSON.stringify(mention), mention);
  }
  return [...found.values()];
}
