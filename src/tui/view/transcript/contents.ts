/** What the column holds, in its order: the items that are settled, and behind them the blocks that stream. */
import type { Item, LiveBlock } from "../../model/items.ts";
import type { ViewState } from "../../model/view-model.ts";
import { type LiveSheet, liveSheet } from "./live-sheet.ts";
import type { Layout } from "./sheets.ts";

export type TranscriptState = Pick<ViewState, "items" | "moved" | "origin" | "live" | "revision" | "changedSince">;

export interface LiveEntry {
  readonly block: LiveBlock;
  readonly sheet: LiveSheet;
  /** For what follows it: an item of the kind that it will be. The same as long as it streams. */
  readonly standIn: Item;
}

/** What an update brought, for whoever keeps something by slot or by id. */
export interface Changes {
  /** Another session: nothing of before is left. */
  readonly isOther: boolean;
  /** The oldest items, which are held no more: all slots are lower by their number. */
  readonly givenUp: readonly Item[];
  /** The items that are gone, by the slots in which others stand now. */
  readonly replaced: readonly { readonly slot: number; readonly old: Item }[];
  /** The lowest slot of an item that is new. */
  readonly from: number;
  /** Blocks that stream no more, and what they became; undefined: they are gone without a trace. */
  readonly settled: readonly { readonly entry: LiveEntry; readonly id: string | undefined }[];
}

export interface Contents {
  update(state: TranscriptState): Changes;
  readonly items: readonly Item[];
  /** What was before the first of them is held no more. */
  isPart(): boolean;
  readonly live: readonly LiveEntry[];
  /** Slots are numbered over items and live blocks. */
  liveAt(slot: number): LiveEntry | undefined;
  /** Of the item or the live block. */
  idAt(slot: number): string | undefined;
  /** Looked for at `hint` first, then from the newest on. */
  slotOf(id: string, hint?: number): number | undefined;
}

export function createContents(layout: Layout): Contents {
  const items: Item[] = [];
  let live: LiveEntry[] = [];
  let [revision, moved] = [0, 0];
  let origin: string | undefined;

  function takeItems(state: TranscriptState): Pick<Changes, "replaced" | "from"> {
    const from = items.length;
    const replaced: { slot: number; old: Item }[] = [];
    for (let slot = Math.min(from, state.changedSince(revision)); slot < state.items.length; slot++) {
      const [item, old] = [state.items[slot], items[slot]];
      if (!item || item === old) continue;
      items[slot] = item;
      if (old) replaced.push({ slot, old });
    }
    revision = state.revision;
    return { replaced, from };
  }

  function takeLive(blocks: readonly LiveBlock[]): readonly LiveEntry[] {
    const before = new Map(live.map((entry) => [entry.block.key, entry]));
    live = blocks.map((block) => {
      const known = before.get(block.key);
      before.delete(block.key);
      if (!known) return { block, sheet: liveSheet(block, layout), standIn: standInFor(block) };
      known.sheet.update(block);
      return known.block === block ? known : { ...known, block };
    });
    return [...before.values()];
  }

  const isOtherSession = (state: TranscriptState): boolean =>
    state.moved < moved ||
    state.moved + state.items.length < moved + items.length ||
    state.revision < revision ||
    (items.length > 0 && state.origin !== origin);

  const liveAt = (slot: number) => live[slot - items.length];
  const idAt = (slot: number) => items[slot]?.id ?? liveAt(slot)?.block.key;
  return {
    liveAt,
    idAt,
    slotOf(id, hint) {
      if (hint !== undefined && idAt(hint) === id) return hint;
      for (let slot = items.length + live.length - 1; slot >= 0; slot--) if (idAt(slot) === id) return slot;
      return undefined;
    },
    update(state) {
      const isOther = isOtherSession(state);
      if (isOther) {
        items.length = 0;
        live = [];
        [revision, moved] = [0, state.moved];
      }
      const givenUp = items.splice(0, state.moved - moved);
      [moved, origin] = [state.moved, state.origin];
      const taken = takeItems(state);
      const gone = takeLive(state.live);
      return { isOther, givenUp, ...taken, settled: settledAs(gone, items.slice(taken.from)) };
    },
    items,
    isPart: () => moved > 0,
    get live() {
      return live;
    },
  };
}

/** Blocks settle in their order, and each becomes an item of its kind. */
function settledAs(gone: readonly LiveEntry[], fresh: readonly Item[]): Changes["settled"] {
  let at = 0;
  return gone.map((entry) => {
    const found = fresh.findIndex((item, index) => index >= at && item.kind === entry.block.kind);
    if (found !== -1) at = found + 1;
    return { entry, id: fresh[found]?.id };
  });
}

function standInFor({ key: id, kind, name = "" }: LiveBlock): Item {
  if (kind !== "call") return { id, seq: 0, kind, text: "" };
  return { id, seq: 0, kind, toolUseId: id, name, input: {}, state: "requested", output: "", changes: [] };
}
