/**
 * A draft as it is kept for the next start: plain text as long as nothing in it is more than that, else one line of JSON, so that
 * a chosen file stays one whatever its name. What was pasted stands there as text. Pure.
 */
import { accepts } from "../../shared/index.ts";
import type { PlacedChip } from "../screen/port.ts";
import type { Written } from "./prompt-history.ts";
import { lasting } from "./said.ts";

const CHIP = {
  label: "string >= 1",
  kind: "'mention' | 'image'",
  value: "string >= 1",
  start: "number.integer",
  end: "number.integer",
} as const;
const KEPT = { draft: "string", chips: [CHIP, "[]"] } as const;
const BEGINS = '{"draft":';
/** A file that is kept may be cut where it is longer, and cut JSON could not be read. */
const MAX_UNITS = 128 * 1024;

export function keptDraft(draft: Written): string {
  const { text, chips } = withoutPastes(draft);
  const kept = chips.length === 0 ? "" : JSON.stringify({ draft: text, chips });
  return kept === "" || kept.length > MAX_UNITS ? lasting(draft.text, draft.chips) : kept;
}

/** Whatever was kept, also by a version that kept text alone. */
export function draftFrom(kept: string): Written {
  const found: unknown = kept.startsWith(BEGINS) ? parsed(kept) : undefined;
  if (!accepts(KEPT, found)) return { text: kept, chips: [] };
  const { draft: text, chips } = found;
  // A key that was left out has moved what stood behind it.
  return { text, chips: chips.filter(({ start, end, label }) => text.slice(start, end) === label) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the user's own words, which only begin alike
  }
}

function withoutPastes({ text, chips }: Written): Written {
  let [whole, at] = ["", 0];
  const left: PlacedChip[] = [];
  for (const chip of chips.toSorted((a, b) => a.start - b.start)) {
    whole += text.slice(at, chip.start);
    at = chip.end;
    const shown = chip.kind === "paste" ? chip.value : text.slice(chip.start, chip.end);
    if (chip.kind !== "paste") left.push({ ...chip, start: whole.length, end: whole.length + shown.length });
    whole += shown;
  }
  return { text: whole + text.slice(at), chips: left };
}
