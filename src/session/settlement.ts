/**
 * Which blocks of a request enter the conversation when it ends. One authority, asked by both folds that care, so that
 * what the model sees and what the kernel still has to run can never differ.
 */
import { type AssistantBlock, isBlank, isThinking } from "../shared/index.ts";

export interface Settling {
  readonly blockIndex: number;
  readonly block: AssistantBlock;
}

/** How a request ended: its stop reason, or the user's interrupt. */
export type Ending = { readonly stopReason: string } | "interrupted";

/** Only these requests are part of the conversation; a purpose that a later version adds is not. */
export const countsFor = (purpose: string): boolean => purpose === "main" || purpose === "verification-nudge";

/**
 * The assistant message's content, possibly empty. Blank text is left out, for the API refuses it; so is thinking without
 * its signature, or at the end, which nothing may follow; so is a call that the limit cut off; so is everything after a
 * refusal.
 */
export function settledBlocks(blocks: readonly Settling[], ending: Ending): readonly AssistantBlock[] {
  if (ending !== "interrupted" && ending.stopReason === "refusal") return [];
  const ordered = [...blocks].sort((a, b) => a.blockIndex - b.blockIndex).map(({ block }) => block);
  if (isCut(ending) && ordered.at(-1)?.type === "tool_use") ordered.pop();
  const visible = ordered.filter(canBeSent);
  while (visible.length > 0 && endsInThinking(visible)) visible.pop();
  return visible;
}

/** The calls among them that must get a result, given all calls of the request. The rest are closed as discarded. */
export function keptCalls<T extends { readonly toolUseId: string; readonly blockIndex: number }>(
  calls: readonly T[],
  lastBlockIndex: number,
  ending: Ending,
): readonly T[] {
  if (ending !== "interrupted" && ending.stopReason === "refusal") return [];
  return isCut(ending) ? calls.filter((call) => call.blockIndex < lastBlockIndex) : calls;
}

const isCut = (ending: Ending): boolean =>
  ending !== "interrupted" &&
  (ending.stopReason === "max_tokens" || ending.stopReason === "model_context_window_exceeded");

function canBeSent(block: AssistantBlock): boolean {
  if (block.type === "text") return !isBlank(block.text);
  return block.type !== "thinking" || block.signature !== "";
}

function endsInThinking(blocks: readonly AssistantBlock[]): boolean {
  const last = blocks.at(-1);
  return last !== undefined && isThinking(last);
}
