/** Requests and what they used, for tests of the cache ledger. */
import { cacheLedger } from "../../src/session/index.ts";
import { type DurableInput, fold, type LogEvent, type ModelUsage, type Payload } from "../../src/shared/index.ts";
import { asked, begun, event, given, said } from "./log-words.ts";

/** A token that is read costs a dollar. */
export const price = (model: string, { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: ModelUsage) =>
  model === "priceless" ? null : inputTokens * 8 + outputTokens * 40 + cacheReadTokens + cacheWriteTokens * 10;

export const usage = (read: number, written: number, beside = 0): ModelUsage => ({
  inputTokens: beside,
  outputTokens: 1,
  cacheReadTokens: read,
  cacheWriteTokens: written,
});

export type Started = Partial<Payload<"model.request-started">>;
export const replied = (
  requestId: string,
  used: ModelUsage,
  more: Partial<Payload<"model.response-completed">> = {},
  how: Started = {},
): readonly DurableInput[] => [
  asked(requestId, how),
  event("model.response-completed", { requestId, stopReason: "end_turn", usage: used, durationMs: 1, ...more }),
];
export const changed = (from: string, to: string, effort?: string) =>
  event("session.model-changed", { from, to, reason: "user", ...(effort !== undefined && { effort }) });

export type Inputs = readonly (DurableInput | readonly DurableInput[])[];
export const log = (...inputs: Inputs): LogEvent[] => given(begun, ...inputs);
export const ledger = (...inputs: Inputs) => fold(cacheLedger(price), log(...inputs));
export const last = (...inputs: Inputs) => ledger(...inputs).entries.at(-1);

/** 2 said  3-4: the first request leaves 10,000 tokens in the cache. */
export const FIRST: Inputs = [said("go"), replied("r1", usage(0, 10_000))];
/** It reads a tenth of that and sends 12,000. */
export const POOR = usage(1_000, 11_000);
