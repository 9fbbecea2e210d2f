/** What becomes of the conversation where it is made smaller, in words; and what its summaries cost, from the usage that was reported. */
import {
  compactionBy,
  compactionText,
  type ModelUsage,
  moneyText,
  type Payload,
  type Projection,
  projection,
  pruneText,
} from "../../shared/index.ts";
import { oneName } from "../spelling.ts";
import type { DividerItem } from "./items.ts";

/** US dollars, or null when the price is not known. `asked`: the id in the request. */
export type PriceOf = (model: string, usage: ModelUsage, asked?: string) => number | null;

export interface SummaryCost {
  /** Requests for a summary that have not ended, the newest few: the model of each. */
  readonly open: ReadonlyMap<string, string>;
  /**
   * Of the compaction that is under way, with what was answered before it for one that came to nothing: the log does not tell where
   * one attempt ends and the next begins. Undefined: nothing was reported; null: the price is not known.
   */
  readonly usd: number | null | undefined;
}

/** Without a price nothing is told. */
export function summaryCost(price: PriceOf | undefined): Projection<SummaryCost> {
  const none: SummaryCost = { open: new Map(), usd: undefined };
  const ended = (state: SummaryCost, { requestId, usage, resolvedModel }: Ending): SummaryCost => {
    const asked = state.open.get(requestId);
    if (asked === undefined) return state;
    const open = new Map(state.open);
    open.delete(requestId);
    if (!usage || !price) return { ...state, open };
    const usd = price(resolvedModel ?? asked, usage, asked);
    return { open, usd: usd === null || state.usd === null ? null : (state.usd ?? 0) + usd };
  };
  return projection<SummaryCost>("summary-cost", () => none, {
    "session.resumed": () => none,
    "model.request-started": (state, { payload: { requestId, model, purpose } }) =>
      purpose === "compaction" ? { ...state, open: newest([...state.open, [requestId, model]]) } : none,
    "model.response-completed": (state, { payload }) => ended(state, payload),
    "model.request-failed": (state, { payload }) => (isGivenUp(payload) ? none : ended(state, payload)),
    "user.interrupted": () => none,
    "task.failed": () => none,
    "context.compacted": () => none,
  });
}

/** One is sent at a time; others died with their process. */
const MAX_OPEN = 8;
const newest = (open: readonly (readonly [string, string])[]): SummaryCost["open"] => new Map(open.slice(-MAX_OPEN));

interface Ending {
  readonly requestId: string;
  readonly usage?: ModelUsage;
  readonly resolvedModel?: string;
}

/** No other attempt and no other way follows: nothing comes of what was spent. */
const isGivenUp = ({ kind, retriesExhausted }: Payload<"model.request-failed">): boolean =>
  kind === "cancelled" || (retriesExhausted && kind !== "context-overflow" && kind !== "invalid-request");

type Words = Pick<DividerItem, "text" | "about" | "detail">;

export function compactionWords(payload: Payload<"context.compacted">, usd: SummaryCost["usd"]): Words {
  const { summaryModel, checkpointYaml: detail } = payload;
  const price = usd === undefined ? "" : `, ${usd === null ? "price unknown" : moneyText(usd)}`;
  return {
    text: compactionText(payload),
    about: `${compactionBy({ ...payload, summaryModel: oneName(summaryModel) })}${price}`,
    ...(detail !== "" && { detail }),
  };
}

export const pruneWords = (payload: Payload<"context.pruned">): Words => ({ text: pruneText(payload) });
