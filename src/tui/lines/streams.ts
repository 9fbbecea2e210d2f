/**
 * Answers while they are written: what is final is printed line by line, and what was printed is not printed again when the
 * answer has become an item. What was printed of an answer that never becomes one is told to be dead.
 */
import { layoutItem } from "../layout/item.ts";
import { createLive } from "../layout/live.ts";
import type { Markdown } from "../layout/markdown.ts";
import { answerLines } from "../layout/said.ts";
import type { LayoutContext } from "../layout/types.ts";
import type { Line } from "../line.ts";
import type { AnswerItem, Item, LiveBlock, ThinkingItem } from "../model/items.ts";

export interface Streams {
  /** Prints what is new of the blocks that are under way. */
  grow(live: readonly LiveBlock[]): void;
  /** Which of the new items were begun here. `isDead`: something that was printed becomes none. */
  ended(items: readonly Item[], live: readonly LiveBlock[]): Ended;
}

export interface Ended {
  readonly isDead: boolean;
  /** Prints what is missing of an item. False: nothing of it was printed. */
  finish(item: Item): boolean;
}

export interface StreamParts {
  /** With what stands before, for the blank line between. */
  readonly context: (kind: "answer" | "thinking") => LayoutContext;
  /** `as`: what it is, for what follows. */
  readonly print: (lines: readonly Line[], as: Item) => void;
}

interface Stream {
  readonly kind: "answer" | "thinking";
  readonly markdown: Markdown;
  readonly context: LayoutContext;
  text: string;
  /** Pieces that are in `text`. */
  taken: number;
  isWhole: boolean;
  hasPrinted: boolean;
}

export function createStreams(parts: StreamParts): Streams {
  const streams = new Map<string, Stream>();

  function grow(block: LiveBlock): void {
    const { key, kind, pieces, isSettled } = block;
    if (kind === "call") return;
    const stream = streams.get(key) ?? begin(block, kind, parts);
    streams.set(key, stream);
    if (isSettled) finish(stream, { text: pieces[0] ?? "", parts });
    if (isSettled || stream.kind === "thinking") return;
    for (const piece of pieces.slice(stream.taken)) push(stream, piece, parts);
    stream.taken = pieces.length;
  }

  return {
    grow(live) {
      for (const block of live) grow(block);
    },
    ended(items, live) {
      const gone: Stream[] = [];
      for (const [key, stream] of streams) {
        if (live.some((block) => block.key === key)) continue;
        streams.delete(key);
        gone.push(stream);
      }
      const pairs = pairsOf(gone, items);
      const alive = new Set(pairs.values());
      return {
        isDead: gone.some((stream) => stream.hasPrinted && stream.kind === "answer" && !alive.has(stream)),
        finish(item) {
          const stream = pairs.get(item);
          if (!stream || (item.kind !== "answer" && item.kind !== "thinking")) return false;
          finish(stream, { text: item.text, parts });
          if (item.kind === "answer" && item.isPartial) parts.print(stoppedLines(item, stream), item);
          return true;
        },
      };
    },
  };
}

function begin(block: LiveBlock, kind: Stream["kind"], parts: StreamParts): Stream {
  const context = parts.context(kind);
  const markdown = createLive(block, context);
  return { kind, markdown, context, text: "", taken: 0, isWhole: false, hasPrinted: false };
}

function push(stream: Stream, piece: string, parts: StreamParts): void {
  stream.text += piece;
  show(stream, stream.markdown.push(piece), parts);
}

function show(stream: Stream, lines: readonly Line[], { print }: StreamParts): void {
  if (lines.length === 0) return;
  stream.hasPrinted = true;
  print(lines, sample(stream.kind, ""));
}

const sample = (kind: Stream["kind"], text: string): AnswerItem | ThinkingItem => ({ id: "", seq: 0, kind, text });

interface Whole {
  readonly text: string;
  readonly parts: StreamParts;
}

/** Nothing more comes. Where what was streamed is no beginning of the whole, the whole is printed below it. */
function finish(stream: Stream, { text, parts }: Whole): void {
  if (stream.isWhole) return;
  stream.isWhole = true;
  if (stream.kind === "thinking") {
    stream.text = text;
    if (text.trim() !== "") show(stream, layoutItem({ id: "", seq: 0, kind: "thinking", text }, stream.context), parts);
    return;
  }
  const rest = text.startsWith(stream.text) ? text.slice(stream.text.length) : "";
  const isOther = rest === "" && !stream.text.startsWith(text);
  if (rest !== "") push(stream, rest, parts);
  show(stream, stream.markdown.end(), parts);
  stream.text = text;
  if (isOther) show(stream, answerLines({ id: "", seq: 0, kind: "answer", text }, stream.context), parts);
}

/** Only the word that it was stopped. */
const stoppedLines = (item: AnswerItem, { context }: Stream): readonly Line[] =>
  answerLines({ ...item, text: "" }, context);

/** In their order, each once. */
function pairsOf(gone: readonly Stream[], items: readonly Item[]): ReadonlyMap<Item, Stream> {
  const left = [...gone];
  const pairs = new Map<Item, Stream>();
  for (const item of items) {
    const at = left.findIndex((stream) => isOf(stream, item));
    const [stream] = at < 0 ? [] : left.splice(at, 1);
    if (stream) pairs.set(item, stream);
  }
  return pairs;
}

function isOf({ kind, text, isWhole }: Stream, item: Item): boolean {
  if (item.kind !== kind || (item.kind !== "answer" && item.kind !== "thinking")) return false;
  if (isWhole || kind === "thinking") return item.text === text || !isWhole;
  return item.text.startsWith(text) || text.startsWith(item.text);
}
