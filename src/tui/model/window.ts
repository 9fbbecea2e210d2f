/**
 * How much of a session is held to be shown: its newest items, within a number of items and of characters. The oldest are given
 * up, many at a time, and a notice in their place says how many events are not shown and how to see them. The log has them all.
 */
import type { Item, NoticeItem } from "./items.ts";
import { giveUp, type Timeline } from "./timeline-state.ts";

/** Beyond either the oldest are given up, until three quarters are left. */
export interface Bounds {
  readonly items: number;
  /** Of text, two bytes each at most. A single item may be larger. */
  readonly chars: number;
}

export const HELD: Bounds = { items: 4000, chars: 4 * 1024 * 1024 };

/** The newest stay whatever their size: what is on the screen does not vanish. */
const LEAST_ITEMS = 64;

/** The same state as long as it lies within the bounds. `sessionId`: for the commands that show the rest. */
export function withinBounds(state: Timeline, { items: most, chars }: Bounds, sessionId?: string): Timeline {
  if (state.items.length <= most && state.chars <= chars) return state;
  const cut = cutFor(state, { items: Math.floor((most * 3) / 4), chars: Math.floor((chars * 3) / 4) });
  if (cut <= (isEarlier(state.items[0]) ? 1 : 0)) return state;
  const damages = (state.givenUp?.damages ?? 0) + state.items.slice(0, cut).filter(isDamage).length;
  const events = eventsBefore(state.items, cut);
  return giveUp(state, cut, { damages, notice: earlier({ events, damages }, sessionId) });
}

/** The index of the first item that stays. */
function cutFor({ items, weights, chars: all }: Timeline, least: Bounds): number {
  const last = items.length - Math.min(LEAST_ITEMS, least.items);
  let [cut, chars] = [0, all];
  while (cut < last && (items.length - cut >= least.items || chars > least.chars)) chars -= weights[cut++] ?? 0;
  return cut;
}

/** None of them is shown any more, and neither is what the notice stood for before. */
function eventsBefore(items: readonly Item[], cut: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { seq } of items.slice(cut)) if (seq > 0 && seq < first) first = seq;
  if (Number.isFinite(first)) return first - 1;
  return items.reduce((highest, { seq }) => Math.max(highest, seq), 0);
}

interface Unseen {
  readonly events: number;
  readonly damages: number;
}

const EARLIER_ID = "earlier";
const isEarlier = (item: Item | undefined): boolean => item?.id === EARLIER_ID;
const isDamage = (item: Item): boolean => item.kind === "notice" && item.isGap === true;

function earlier({ events, damages }: Unseen, sessionId = "ID"): NoticeItem {
  const count = events === 1 ? "1 earlier event is" : `${events.toLocaleString("en")} earlier events are`;
  const places = damages === 1 ? "a damaged place" : `${damages} damaged places`;
  const lines = [
    `${count} not shown here${damages === 0 ? "" : `, with ${places} of the log among them`}.`,
    `khaelor sessions show ${sessionId} prints them, khaelor log ${sessionId} lists them one by one.`,
  ];
  return { id: EARLIER_ID, seq: 0, kind: "notice", tone: "muted", text: lines.join("\n") };
}
