/** From the draft as it stands to what is said: pasted text in place of its chip, and the files that are mentioned. Pure. */
import type { Mention } from "../../shared/index.ts";
import type { PlacedChip } from "../screen/port.ts";
import { mentionsOf, rangeOf } from "./mentions.ts";

export interface Said {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

export const saidOf = (text: string, chips: readonly PlacedChip[]): Said => ({
  text: expanded(text, chips),
  mentions: distinct([...mentionsOf(text, chips), ...typedMentions(text, chips)]),
});

/** With what was pasted in place of its chip. */
export const expanded = (text: string, chips: readonly PlacedChip[]): string =>
  replacedChips(text, chips, ({ kind, value }) => (kind === "paste" ? value : undefined));

/** As it outlives the chips: a picture is named by its path, so that it is mentioned again when this is sent. */
export const lasting = (text: string, chips: readonly PlacedChip[]): string =>
  replacedChips(text, chips, ({ kind, value }) => {
    if (kind === "image") return /\s/.test(value) ? undefined : `@${value} `;
    return kind === "paste" ? value : undefined;
  });

function replacedChips(
  text: string,
  chips: readonly PlacedChip[],
  by: (chip: PlacedChip) => string | undefined,
): string {
  let [at, whole] = [0, ""];
  for (const chip of chips.toSorted((a, b) => a.start - b.start)) {
    const replacement = chip.start < at ? undefined : by(chip);
    if (replacement === undefined) continue;
    whole += text.slice(at, chip.start) + replacement;
    at = chip.end;
  }
  return whole + text.slice(at);
}

/** What may stand before an `@`; behind a letter it is part of an address. */
const TYPED = /(?<=^|[\s([{"'`,])@([^\s@"'`]+)/g;

/**
 * Files that were typed and not chosen from the list. Only what looks like one counts: it names lines, or ends like a file or
 * a folder does. A name such as `@override` is a word.
 */
function typedMentions(text: string, chips: readonly PlacedChip[]): readonly Mention[] {
  if (!text.includes("@")) return [];
  return [...text.matchAll(TYPED)].flatMap(({ 1: word = "", index }): readonly Mention[] => {
    if (chips.some(({ start, end }) => start <= index && index < end)) return [];
    const [, path = "", lines = ""] = /^(.+?)(#L?\d+(?:-L?\d+)?|:\d+(?:-\d+)?)?[,.;:!?)\]}]*$/.exec(word) ?? [];
    const range = rangeOf(lines);
    if (range) return [{ path, range }];
    return LOOKS_LIKE_PATH.test(path) ? [{ path }] : [];
  });
}

const LOOKS_LIKE_PATH = /(?:^|[\w)-])\.[A-Za-z][\w-]{0,9}$|[^/]\/$/;

const distinct = (mentions: readonly Mention[]): readonly Mention[] => [
  ...new Map(mentions.map((mention) => [JSON.stringify(mention), mention])).values(),
];
