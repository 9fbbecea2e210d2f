/** Items as they are printed: within a bound, and with the way to all of it where something is left out. Pure. */
import { layoutItem } from "../layout/item.ts";
import { counted, hint } from "../layout/output.ts";
import type { LayoutContext } from "../layout/types.ts";
import type { Line, Span } from "../line.ts";
import type { Item } from "../model/items.ts";

const MAX_CARD_LINES = 60;
/** What a command answered was asked for. */
const MAX_NOTE_LINES = 400;
const WHOLE = "/raw prints all of it";

export const isSaid = ({ kind }: Item): boolean => kind === "user" || kind === "shell";

export function itemLines(item: Item, context: LayoutContext): readonly Line[] {
  const lines = asTyped(item, layoutItem(item, context));
  if (item.kind === "answer") return lines; // it is what was asked for
  const shown = bounded(lines, item.kind === "note" ? MAX_NOTE_LINES : MAX_CARD_LINES, context);
  const isCard = item.kind === "shell" || item.kind === "call";
  return isCard && !context.isOpen && lines.some(isOmission) ? [...shown, hint(WHOLE, context)] : shown;
}

/** The layout's own word that there is more. */
const isOmission = ({ spans }: Line): boolean =>
  spans.some(({ tone, text }) => tone === "faint" && text.startsWith("… "));

/** The beginning and the end. */
export function bounded(lines: readonly Line[], most: number, context: LayoutContext): readonly Line[] {
  const left = lines.length - most;
  if (left <= 0) return lines;
  const [head, tail] = [lines.slice(0, 4), lines.slice(4 + left)];
  return [...head, hint(`… ${counted(left)} between; ${WHOLE}`, context), ...tail];
}

/** What the user said stands behind the sign of the prompt, as if it had been typed here. */
export function asTyped({ kind }: Pick<Item, "kind">, lines: readonly Line[]): readonly Line[] {
  if (kind !== "user") return lines;
  const first = lines.findIndex(({ spans }) => spans.length > 0);
  return lines.map((line, at) => {
    const [margin, bar, ...text] = line.spans;
    if (!margin || !bar) return line;
    const sign: Span = { text: at === first ? "> " : "  ", width: 2, tone: "you" };
    return { ...line, spans: [sign, ...text], width: line.width - 1 };
  });
}
