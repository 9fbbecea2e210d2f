/** What was said, as a draft again: its files stand where they stood, so that they are mentioned when it is sent once more. Pure. */
import type { Mention } from "../../shared/index.ts";
import type { Chip, PlacedChip } from "../screen/port.ts";
import { mentionChip } from "./mentions.ts";
import { imageChip } from "./pastes.ts";

export function chipsOf(text: string, mentions: readonly Mention[]): readonly PlacedChip[] {
  const placed: PlacedChip[] = [];
  const byLength = mentions.toSorted((a, b) => b.path.length - a.path.length); // `@a b` is no `@a`
  for (const chip of byLength.flatMap(asWritten)) {
    const [start, end] = [text.indexOf(chip.label), text.indexOf(chip.label) + chip.label.length];
    const isFree = !placed.some((other) => other.value === chip.value || (other.start < end && start < other.end));
    if (start >= 0 && isFree) placed.push({ ...chip, start, end });
  }
  return placed.toSorted((a, b) => a.start - b.start);
}

/** In each way in which a draft can have it. A range may have been typed behind it as text. */
function asWritten({ path, range }: Mention): readonly Chip[] {
  const ranged = range ? [mentionChip(path, `#L${range.start}-${range.end}`)] : [];
  return [...ranged, mentionChip(path), imageChip(path)];
}
