/**
 * The session as it is printed: each thing once, when nothing of it changes any more, but for two: answers come line by line while
 * they are written, and a call that takes time is told when it starts. What is printed is laid out as on a screen.
 */
import { layoutItem } from "../layout/item.ts";
import type { LayoutContext } from "../layout/types.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import { isEnded } from "../model/call-items.ts";
import type { Activity, CallItem, Item } from "../model/items.ts";
import type { ViewState } from "../model/view-model.ts";
import { activityWords } from "../view/activity-words.ts";
import { asTyped, bounded, isSaid, itemLines } from "./cards.ts";
import type { Paper } from "./paper.ts";
import { createStreams } from "./streams.ts";

export interface Printer {
  /** Another session is shown: of what was said before, the newest exchange is printed, or all of it. */
  begin(state: ViewState, isWhole?: boolean): void;
  /** Prints what is new. */
  update(state: ViewState): void;
  /** The user wrote this where it can be seen: it is not printed when it becomes an item. */
  said(text: string): void;
  /** Unfolds what is printed from now on, or folds it again. Returns whether it is unfolded. */
  toggle(what: "details" | "thinking"): boolean;
  /** The lines of all items that are held, unfolded. */
  everything(state: ViewState): Iterable<Line>;
}

export interface PrinterParts {
  readonly paper: Paper;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const MAX_LAST_LINES = 80;
/** As many as `/raw` prints. */
const MAX_WHOLE_LINES = 2000;
const DEAD = "That answer broke off: what was printed of it does not count.";

export function createPrinter({ paper, now }: PrinterParts): Printer {
  const ink = createInk(paper);
  const calls = createCalls(ink);
  const tellWait = createWaitWords(paper, now);
  let streams = createStreams({ context: ink.context, print: ink.print });
  let [known, moved] = [0, 0];
  const seen: string[] = [];

  function moveWith(state: ViewState): void {
    const by = state.moved - moved;
    [known, moved] = [Math.max(0, known - by), state.moved];
    if (by > 0) calls.shift(by);
  }

  function take(item: Item, at: number): void {
    const echoed = item.kind === "user" ? seen.indexOf(item.text) : -1;
    if (echoed >= 0) ink.passed(item);
    else if (item.kind === "call") calls.take(item, at);
    else ink.item(item);
    if (echoed >= 0) seen.splice(echoed, 1);
  }

  return {
    begin(state, isWhole = false) {
      [known, moved] = [state.items.length, state.moved];
      seen.length = 0;
      streams = createStreams({ context: ink.context, print: ink.print });
      ink.newest(state.items, isWhole);
      calls.begin(state.items);
    },
    update(state) {
      moveWith(state);
      const fresh = state.items.slice(known);
      const ended = streams.ended(fresh, state.live);
      if (ended.isDead) paper.words(DEAD, "warn");
      // What was said of a call, such as that it may run, came before its end; everything else came of it.
      const told = fresh.findIndex(({ kind }) => kind !== "notice");
      const rest = told < 0 ? fresh.length : told;
      for (const [index, item] of fresh.entries()) {
        if (index === rest) calls.update(state.items);
        if (!ended.finish(item)) take(item, known + index);
      }
      if (rest === fresh.length) calls.update(state.items);
      known = state.items.length;
      streams.grow(state.live);
      tellWait(state.activity);
    },
    said: (text) => void seen.push(text),
    toggle: ink.toggle,
    *everything({ items }) {
      let follows: Item | undefined;
      for (const item of items) {
        yield* asTyped(item, layoutItem(item, { ...ink.context(item.kind), isOpen: true, follows }));
        follows = item;
      }
    },
  };
}

interface Ink {
  readonly context: (kind: Item["kind"]) => LayoutContext;
  /** `as`: what it is, for what follows. */
  print(lines: readonly Line[], as: Item): void;
  item(item: Item): void;
  /** It stands there already. */
  passed(item: Item): void;
  /** From what was said last to the end. */
  newest(items: readonly Item[], isWhole: boolean): void;
  readonly toggle: Printer["toggle"];
}

const CARDS: ReadonlySet<Item["kind"]> = new Set(["call", "shell", "divider"]);

function createInk(paper: Paper): Ink {
  const opened = { details: false, thinking: false };
  const isOpen = (kind: Item["kind"]) => (kind === "thinking" ? opened.thinking : CARDS.has(kind) && opened.details);
  let last: Item | undefined;
  const context = (kind: Item["kind"]): LayoutContext => ({
    ...paper.context(),
    isOpen: isOpen(kind),
    isCompact: kind === "divider",
    follows: last,
  });
  function print(lines: readonly Line[], as: Item): void {
    paper.lines(lines);
    if (lines.length > 0) last = as;
  }
  return {
    context,
    print,
    item: (item) => print(itemLines(item, context(item.kind)), item),
    passed(item) {
      last = item;
    },
    newest(items, isWhole) {
      last = undefined;
      const from = isWhole ? 0 : items.findLastIndex(isSaid);
      const lines: Line[] = [EMPTY_LINE];
      for (const item of from < 0 ? [] : items.slice(from)) {
        lines.push(...itemLines(item, context(item.kind)));
        last = item;
      }
      if (from >= 0) paper.lines(bounded(lines, isWhole ? MAX_WHOLE_LINES : MAX_LAST_LINES, paper.context()));
    },
    toggle(what) {
      opened[what] = !opened[what];
      return opened[what];
    },
  };
}

/** Calls that have not ended: one that runs is told once, the rest when it is over. */
function createCalls({ context, print, item: printItem }: Ink) {
  /** By where they stand, as they were when they were looked at last. */
  const pending = new Map<number, CallItem>();
  function take(call: CallItem, at: number): void {
    const before = pending.get(at);
    if (call === before) return;
    if (isEnded(call)) {
      pending.delete(at);
      printItem(call);
      return;
    }
    pending.set(at, call);
    if (call.state !== "running" || before?.state === "running") return;
    const started: CallItem = { ...call, output: "" };
    print(layoutItem(started, { ...context("call"), isOpen: false }), started);
  }
  return {
    take,
    /** What has moved. */
    shift(by: number) {
      const before = [...pending];
      pending.clear();
      for (const [at, call] of before) if (at >= by) pending.set(at - by, call);
    },
    begin(items: readonly Item[]) {
      pending.clear();
      for (const [at, item] of items.entries()) if (item.kind === "call" && !isEnded(item)) pending.set(at, item);
    },
    update(items: readonly Item[]) {
      for (const at of [...pending.keys()]) {
        const item = items[at];
        if (item?.kind === "call") take(item, at);
      }
    },
  };
}

/** What nothing else tells while it takes time: that a request is made again, and when; that the conversation is summed up. Once each time. */
function createWaitWords(paper: Paper, now: () => number): (activity: Activity) => void {
  let told: number | undefined;
  return (activity) => {
    const at = waitOf(activity);
    if (at === told) return;
    told = at;
    if (activity.kind === "summing") paper.words(SUMMING);
    const { verb, what } = activityWords(activity, now());
    if (activity.kind === "retrying") paper.words(`${verb} ${what}`, "warn");
  };
}

const SUMMING = "Summing up the conversation; Ctrl+C stops it.";

/** When it began, or ends. */
function waitOf(activity: Activity): number | undefined {
  if (activity.kind === "summing") return activity.since;
  return activity.kind === "retrying" ? activity.until : undefined;
}
