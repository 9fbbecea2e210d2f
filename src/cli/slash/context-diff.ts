/** `/context diff A B`: what the model saw after one event, and after another: what went, what was changed, what was added. */
import { type Block, isSameJson } from "../../shared/index.ts";
import type { Engine } from "../engine.ts";
import { counted, tokensText } from "../words.ts";
import { blocksOf, blockTokens, contentOf, messagesAt, type PlacedMessage } from "./context-messages.ts";
import { fenced } from "./markdown-table.ts";

const FORM = "as in /context diff @120 @300 or /context diff @120 last; /log tail names events";

export interface ContextDiff {
  readonly title: string;
  readonly markdown: string;
}

/** Throws an Error for people, with the form that is right. */
export async function contextDiff(words: readonly string[], engine: Engine): Promise<ContextDiff> {
  const { lastSeq } = engine.session.state();
  const [first, second = "last", ...more] = words;
  if (first === undefined || more.length > 0) throw new Error(`Two events are compared, ${FORM}.`);
  const [from = 0, to = 0] = [seqIn(first, lastSeq), seqIn(second, lastSeq)].sort((a, b) => a - b);
  const [before = [], after = []] = await messagesAt(engine, [from, to]);
  const parts = compared(before, after);
  return {
    title: `What the model saw at event ${from}, and at ${to}`,
    markdown: [summary(parts, before, after), ...(parts.some(isNews) ? [fenced(unified(parts), "diff")] : [])].join(
      "\n\n",
    ),
  };
}

function seqIn(word: string, lastSeq: number): number {
  if (word.toLowerCase() === "last") return lastSeq;
  const seq = /^@([1-9]\d{0,14})$/.exec(word)?.[1];
  if (seq === undefined) throw new Error(`"${word}" names no event: ${FORM}.`);
  return Number(seq);
}

/** What became of messages, in the order in which they stand. */
type Part =
  | { readonly kind: "same" | "went" | "added"; readonly placed: PlacedMessage; readonly at: number }
  | { readonly kind: "changed"; readonly was: PlacedMessage; readonly placed: PlacedMessage; readonly at: number };

/**
 * Messages are known by the events that made them. One that was made of the events of several stands for all of these: a
 * checkpoint. What nothing stands for any more is gone without one, as a refused turn is.
 */
function compared(before: readonly PlacedMessage[], after: readonly PlacedMessage[]): readonly Part[] {
  const parts: Part[] = [];
  let next = 0;
  for (const [at, placed] of after.entries()) {
    const from = next;
    while (next < before.length && (before[next]?.first ?? 0) <= placed.last) next++;
    const old = before.slice(from, next);
    const own = old.findLast((one) => one.first === placed.first);
    const [was] = old;
    if (old.length === 1 && was && own) parts.push(pair(was, placed, at));
    else {
      parts.push(...old.map((one, index) => ({ kind: "went" as const, placed: one, at: from + index })));
      parts.push({ kind: "added", placed, at });
    }
  }
  const rest = before.slice(next).map((placed, index) => ({ kind: "went" as const, placed, at: next + index }));
  return [...parts, ...rest];
}

const pair = (was: PlacedMessage, placed: PlacedMessage, at: number): Part =>
  isSameJson(was.message, placed.message) ? { kind: "same", placed, at } : { kind: "changed", was, placed, at };

const isNews = ({ kind }: Part): boolean => kind !== "same";

const sizeOf = (messages: readonly PlacedMessage[]): number =>
  messages.reduce((sum, { message }) => sum + blocksOf(message).reduce((all, block) => all + blockTokens(block), 0), 0);

function summary(parts: readonly Part[], before: readonly PlacedMessage[], after: readonly PlacedMessage[]): string {
  const of = (kind: Part["kind"]): readonly PlacedMessage[] =>
    parts.flatMap((part) => (part.kind === kind ? [part.placed] : []));
  const [went, added, changed] = [of("went"), of("added"), of("changed")];
  const told = [
    ...(went.length > 0 ? [`${went.length} went (about ${tokensText(sizeOf(went))} tokens)`] : []),
    ...(changed.length > 0 ? [`${changed.length} ${changed.length === 1 ? "was" : "were"} changed`] : []),
    ...(added.length > 0
      ? [`${added.length} ${added.length === 1 ? "is" : "are"} new (about ${tokensText(sizeOf(added))} tokens)`]
      : []),
    `${of("same").length} the same`,
  ];
  return `${counted(before.length, "message")} then, ${after.length} now: ${told.join(", ")}.\nAll of them: about ${tokensText(sizeOf(before))} tokens then, ${tokensText(sizeOf(after))} now (estimated, without instructions and tools).`;
}

/** A run of equal messages takes a line. */
function unified(parts: readonly Part[]): string {
  const lines: string[] = [];
  let equal = 0;
  let left = parts.filter(isNews).length;
  const hidden = Math.max(0, left - MAX_NEWS);
  const flush = () => {
    if (equal > 0) lines.push(`  ${counted(equal, "message")} the same`);
    equal = 0;
  };
  for (const part of parts) {
    if (part.kind === "same") {
      equal++;
      continue;
    }
    flush();
    if (left === hidden) break;
    left--;
    lines.push(...partLines(part));
  }
  flush();
  return [...lines, ...(left > 0 ? [`  … ${left} more`] : [])].join("\n");
}

const MAX_NEWS = 1000;

function partLines(part: Exclude<Part, { kind: "same" }> | Part): readonly string[] {
  const { placed, at } = part;
  const head = `@@ ${at + 1} ${placed.message.role}, ${eventsText(placed)} @@`;
  if (part.kind === "changed") return [head, ...changedLines(blocksOf(part.was.message), blocksOf(placed.message))];
  const sign = part.kind === "went" ? "-" : "+";
  return [head, ...blocksOf(placed.message).flatMap((block) => blockLines(block, sign))];
}

const eventsText = ({ first, last }: PlacedMessage): string => (first === last ? `@${first}` : `@${first} to @${last}`);

/** Blocks keep their order: what is in both stands for itself, and what is between them was put in place of what was there. */
function changedLines(was: readonly Block[], is: readonly Block[]): readonly string[] {
  const lines: string[] = [];
  let next = 0;
  for (const block of is) {
    const same = was.findIndex((old, at) => at >= next && isSameJson(old, block));
    if (same < 0) {
      const replaced = was[next];
      if (replaced && isInPlaceOf(replaced, block)) {
        lines.push(...blockLines(replaced, "-"));
        next++;
      }
      lines.push(...blockLines(block, "+"));
      continue;
    }
    lines.push(...was.slice(next, same).flatMap((old) => blockLines(old, "-")), `  ${blockHead(block)}, the same`);
    next = same + 1;
  }
  return [...lines, ...was.slice(next).flatMap((old) => blockLines(old, "-"))];
}

/** A result whose text was taken out is still the result of that call. */
const isInPlaceOf = (old: Block, block: Block): boolean =>
  old.type === block.type &&
  (old.type !== "tool_result" || block.type !== "tool_result" || old.tool_use_id === block.tool_use_id);

const blockHead = (block: Block): string => `${block.type}, about ${tokensText(blockTokens(block))} tokens`;

const MAX_LINES = 12;
const MAX_LINE_CHARACTERS = 300;

function blockLines(block: Block, sign: "+" | "-"): readonly string[] {
  const lines = contentOf(block).replace(/\n+$/, "").split("\n");
  const shown = lines.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARACTERS).toWellFormed());
  const more = lines.length - shown.length;
  return [
    `${sign} ${blockHead(block)}`,
    ...shown.map((line) => `${sign}   ${line}`),
    ...(more > 0 ? [`${sign}   … ${counted(more, "more line")}`] : []),
  ];
}
