/** How room was made in a conversation, in words: summed up, or old results taken out. Names of models come as they are recorded. */
import type { Payload } from "./events/catalog.ts";
import { tokensText } from "./text.ts";

type Compacted = Payload<"context.compacted">;

/** As in `summed up: 41.2K → about 6K tokens`: what was measured, and what is left by estimate. */
export function compactionText({ tokensBefore, tokensAfterEstimate: after }: Compacted): string {
  return `summed up: ${tokensText(tokensBefore)}${after === undefined ? "" : ` → about ${tokensText(after)}`} tokens`;
}

/** As in `by claude-haiku-5-5`. */
export function compactionBy({ route, summaryModel }: Pick<Compacted, "route" | "summaryModel">): string {
  if (route === "none") return "from the log alone";
  return route === "server" ? `by the API itself, ${summaryModel}` : `by ${summaryModel}`;
}

/** As in `7 old results taken out, about 12K tokens`. */
export function pruneText({
  toolUseIds,
  imageSha256s = [],
  tokensReclaimedEstimate: tokens,
}: Payload<"context.pruned">): string {
  const what = [
    ...counted(toolUseIds.length, "old result"),
    ...counted(imageSha256s.length, toolUseIds.length > 0 ? "picture" : "old picture"),
  ];
  const size = tokens > 0 ? `, about ${tokensText(tokens)} tokens` : "";
  return `${what.length > 0 ? what.join(" and ") : "nothing"} taken out${size}`;
}

const counted = (count: number, one: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : `${one}s`}`];
