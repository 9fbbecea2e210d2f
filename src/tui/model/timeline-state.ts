/**
 * What the timeline's fold holds, and the only verbs that change it. The lists are pushed in place by these verbs alone; every
 * change gives a fresh root.
 */
import type { SummaryCost } from "./compactions.ts";
import type { CallItem, Item, NoticeItem, OpenQuestion, QueuedChip } from "./items.ts";
import { weightOf } from "./weight.ts";

export interface Timeline {
  readonly items: readonly Item[];
  /** What each of them counts for in `chars`. */
  readonly weights: readonly number[];
  /** In all items. */
  readonly chars: number;
  /** The id of the first item that ever was. */
  readonly origin: string | undefined;
  /** Undefined as long as every item is held. */
  readonly givenUp: GivenUp | undefined;
  /** Where calls stand in `items`, by toolUseId. */
  readonly calls: ReadonlyMap<string, number>;
  /** The answer that is under way. */
  readonly open: OpenAnswer | undefined;
  readonly questions: readonly OpenQuestion[];
  readonly queued: readonly QueuedChip[];
  /** A turn is under way, so that what is said steers it. */
  readonly inTurn: boolean;
  /** The user stopped the turn, and is told so behind what was kept of the answer. */
  readonly stopped: { readonly id: string; readonly seq: number } | undefined;
  /** A request failed for good, and nobody said so yet. */
  readonly failure: { readonly id: string; readonly seq: number; readonly message: string } | undefined;
  /** What processes that run are called. */
  readonly processes: ReadonlyMap<string, string>;
  /**
   * Something is missing: from there on what belongs to nothing that is known is shown all the same. Holds the requests of which
   * nothing is shown.
   */
  readonly hiddenRequests: ReadonlySet<string> | undefined;
  /** What summing the conversation up costs, as far as it has come. */
  readonly summaries: SummaryCost;
  /** Rises with each change of `items`. */
  readonly revision: number;
  readonly replacements: readonly Replacement[];
}

export interface GivenUp {
  /** So many places the items that are held have moved towards the beginning, in all. */
  readonly moved: number;
  /** Places at which the log was damaged. */
  readonly damages: number;
}

/** A block that settled in an answer that has not ended: an item when it ends well. */
export interface OpenBlock {
  readonly blockIndex: number;
  readonly item: Item;
}

export interface OpenAnswer {
  readonly requestId: string;
  readonly blocks: readonly OpenBlock[];
  readonly isInterrupted: boolean;
}

/** At this revision the item at this index became another. Both rise along the list, so it is never longer than there are items. */
export interface Replacement {
  readonly revision: number;
  readonly index: number;
}

export const initialTimeline = (): Timeline => ({
  items: [],
  weights: [],
  chars: 0,
  origin: undefined,
  givenUp: undefined,
  calls: new Map(),
  open: undefined,
  questions: [],
  queued: [],
  inTurn: false,
  stopped: undefined,
  failure: undefined,
  processes: new Map(),
  hiddenRequests: undefined,
  summaries: { open: new Map(), usd: undefined },
  revision: 0,
  replacements: [],
});

interface Lists {
  readonly items: Item[];
  readonly weights: number[];
  readonly calls: Map<string, number>;
  readonly replacements: Replacement[];
}

const listsOf = (state: Timeline): Lists => state as unknown as Lists; // the fold's own, shown to readers as read-only

export function push(state: Timeline, item: Item): Timeline {
  const { items, weights, calls } = listsOf(state);
  const weight = weightOf(item);
  if (item.kind === "call") calls.set(item.toolUseId, items.length);
  items.push(item);
  weights.push(weight);
  const { revision, chars, origin = item.id } = state;
  return { ...state, revision: revision + 1, chars: chars + weight, origin };
}

export const pushAll = (state: Timeline, items: readonly Item[]): Timeline => items.reduce(push, state);

function replace(state: Timeline, index: number, item: Item): Timeline {
  const { items, weights, replacements } = listsOf(state);
  const revision = state.revision + 1;
  const weight = weightOf(item);
  const chars = state.chars + weight - (weights[index] ?? 0);
  items[index] = item;
  weights[index] = weight;
  while ((replacements.at(-1)?.index ?? -1) >= index) replacements.pop();
  replacements.push({ revision, index });
  return { ...state, revision, chars };
}

/**
 * Holds the items before `cut` no more, and puts a notice in their place. The lists are new ones, in which everything has moved;
 * what comes later for a call that is given up changes nothing.
 */
export function giveUp(
  state: Timeline,
  cut: number,
  { notice, damages }: { readonly notice: NoticeItem; readonly damages: number },
): Timeline {
  const items: readonly Item[] = [notice, ...state.items.slice(cut)];
  const weights = [weightOf(notice), ...state.weights.slice(cut)];
  const revision = state.revision + 1;
  return {
    ...state,
    items,
    weights,
    chars: weights.reduce((sum, weight) => sum + weight, 0),
    calls: new Map(items.flatMap((item, at) => (item.kind === "call" ? [[item.toolUseId, at]] : []))),
    replacements: [{ revision, index: 0 }],
    revision,
    givenUp: { moved: (state.givenUp?.moved ?? 0) + cut - 1, damages },
  };
}

/** The lowest index that was replaced after that revision. */
export function changedSince({ items, replacements }: Timeline, revision: number): number {
  let [low, high] = [0, replacements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((replacements[middle]?.revision ?? 0) > revision) high = middle;
    else low = middle + 1;
  }
  return replacements[low]?.index ?? items.length;
}

/** A call that is not known, such as one of a dead answer, is left alone. */
export function changeCall(state: Timeline, toolUseId: string, change: (call: CallItem) => CallItem): Timeline {
  const index = state.calls.get(toolUseId);
  if (index === undefined) return changeOpenCall(state, toolUseId, change);
  const call = state.items[index];
  if (call?.kind !== "call") return state;
  const changed = change(call);
  return changed === call ? state : replace(state, index, changed);
}

/** Before its answer ended: stopped calls have their end there. */
function changeOpenCall(state: Timeline, toolUseId: string, change: (call: CallItem) => CallItem): Timeline {
  const { open } = state;
  const at = open?.blocks.findIndex(({ item }) => item.kind === "call" && item.toolUseId === toolUseId) ?? -1;
  const block = open?.blocks[at];
  if (!open || block?.item.kind !== "call") return state;
  const item = change(block.item);
  return item === block.item
    ? state
    : { ...state, open: { ...open, blocks: open.blocks.with(at, { ...block, item }) } };
}

export const callOf = ({ items, calls }: Timeline, toolUseId: string | undefined): CallItem | undefined => {
  const item = toolUseId === undefined ? undefined : items[calls.get(toolUseId) ?? -1];
  return item?.kind === "call" ? item : undefined;
};
