/** What user and model said, and what the model thought. */
import type { Line, Span } from "../line.ts";
import type { AnswerItem, NoteItem, ThinkingItem, UserItem } from "../model/items.ts";
import { spellOut } from "../spelling.ts";
import { bodyMargin, roomOf, row, textMargin, textWidth, wrappedRow } from "./margin.ts";
import { createMarkdown, layoutMarkdown, type Markdown } from "./markdown.ts";
import { counted } from "./output.ts";
import { boundedLine, leftOut, safeText, withoutTabs } from "./plain-text.ts";
import type { LayoutContext } from "./types.ts";
import { wrapPieces } from "./wrap.ts";

/** What was pasted is not read again; all of it can be unfolded. */
const FOLDED_LINES = 40;
/** As much of a pasted file is shown at all. */
const OPEN_LINES = 2000;

export function userLines({ text, mentions, images, isSteering }: UserItem, context: LayoutContext): readonly Line[] {
  const bar: readonly Span[] = context.isCompact
    ? [{ text: "▌", width: 1, tone: "you" }]
    : [
        { text: " ", width: 1, tone: "fg" },
        { text: "▌ ", width: 2, tone: "you" },
      ];
  const look = { width: textWidth(context, bar), measure: context.measure, first: bar, rest: bar };
  const lines = safeText(text).replace(/\s+$/, "").split("\n");
  const shown = lines.slice(0, context.isOpen ? OPEN_LINES : FOLDED_LINES);
  const left = lines.length - shown.length;
  const aside = (words: string) => wrapPieces([{ tone: "muted", text: words }], look);
  return [
    ...shown.flatMap((line) => {
      const bounded = boundedLine(line);
      const said = { tone: "fg", bold: true, text: withoutTabs(bounded.text, context.measure) } as const;
      const note = { tone: "muted", text: bounded.left > 0 ? leftOut(bounded.left) : "" } as const;
      return wrapPieces([said, note], look);
    }),
    ...(left > 0 ? aside(`… ${counted(left)} more`) : []),
    ...images.flatMap((image) => aside(`image: ${spellOut(image)}`)),
    ...mentions.flatMap(({ path, notGiven }) =>
      notGiven === undefined ? [] : aside(`✗ ${spellOut(path)} was not given: ${spellOut(notGiven)}`),
    ),
    ...(isSteering ? aside("said while it worked") : []),
  ];
}

const markdownContext = (context: LayoutContext) => ({
  width: roomOf(context),
  measure: context.measure,
  prefix: textMargin(context),
});

export function answerLines({ text, isPartial }: AnswerItem, context: LayoutContext): readonly Line[] {
  const stopped = isPartial ? [row([{ tone: "muted", text: "… stopped here" }], textMargin(context), context)] : [];
  return [...layoutMarkdown(text, markdownContext(context)), ...stopped];
}

export const createAnswer = (context: LayoutContext): Markdown => createMarkdown(markdownContext(context));

export function noteLines({ text, tone }: Pick<NoteItem, "text" | "tone">, context: LayoutContext): readonly Line[] {
  if (tone === undefined) return layoutMarkdown(text, markdownContext(context));
  return safeText(text)
    .split("\n")
    .flatMap((line) => wrappedRow([{ tone, text: withoutTabs(line, context.measure) }], textMargin(context), context));
}

export function thinkingLines(item: ThinkingItem, context: LayoutContext): readonly Line[] {
  const { text, isRedacted } = item;
  const words = isRedacted ? "thought, in private" : "thought";
  const head = row([{ tone: "muted", italic: true, text: words }], textMargin(context), context);
  if (!context.isOpen || text.trim() === "") return [head];
  return [head, ...thoughtLines(text, context)];
}

const MAX_THOUGHT_LINES = 2000;

function thoughtLines(text: string, context: LayoutContext): readonly Line[] {
  const lines = safeText(text).trim().split("\n");
  const left = lines.length - MAX_THOUGHT_LINES;
  const shown = lines.slice(0, MAX_THOUGHT_LINES).flatMap((line) => thoughtLine(line, context));
  return left > 0 ? [...shown, ...thoughtLine(`… ${counted(left)} more`, context)] : shown;
}

function thoughtLine(line: string, context: LayoutContext): readonly Line[] {
  const { text } = boundedLine(line);
  const margin = context.isCompact
    ? bodyMargin(context)
    : [...textMargin(context), { text: "  ", width: 2, tone: "fg" } as const];
  return wrappedRow([{ tone: "muted", text: withoutTabs(text, context.measure) }], margin, context);
}

/** A thought under way: folded it is one line, whatever comes. */
export function createThought(context: LayoutContext): Markdown {
  const head = row([{ tone: "muted", italic: true, text: "thinking" }], textMargin(context), context);
  if (!context.isOpen) return { push: () => [], tail: () => [head], end: () => [head] };
  let rest = "";
  let isHeadDue = true;
  let tail: readonly Line[] | undefined;
  const withHead = (lines: readonly Line[]) => (isHeadDue ? [head, ...lines] : lines);
  const provisional = () => {
    tail ??= withHead(rest === "" ? [] : thoughtLine(safeText(rest), context));
    return tail;
  };
  return {
    push(text) {
      tail = undefined;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (lines.length === 0) return [];
      const out = withHead(lines.flatMap((line) => thoughtLine(safeText(line), context)));
      isHeadDue = false;
      return out;
    },
    tail: provisional,
    end: provisional,
  };
}
