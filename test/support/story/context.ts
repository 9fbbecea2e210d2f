/** The real context engine, but for when room is made and what a checkpoint says: that is for the dice. */
import type { ContextEngine } from "../../../src/context/index.ts";
import { isLoopOpen, type SessionState, safeCuts } from "../../../src/session/index.ts";
import { err, ok, type Payload } from "../../../src/shared/index.ts";
import { compactionBlock } from "./strict-api.ts";
import type { World } from "./world.ts";

export const scriptedContext = (world: World, engine: ContextEngine): ContextEngine => ({
  selectContext: (state) => engine.selectContext(state),
  pruneToolResults: (state) => pruned(world, state),
  planned: (state) => engine.planned(state),
  needsCompaction: () => world.wishes.compactions > 0,
  async compress(state, { trigger }) {
    world.wishes.compactions = Math.max(0, world.wishes.compactions - 1);
    if (world.dice.chance(0.05)) return err({ reason: "irreducible", message: "no checkpoint could be made" });
    askForSummary(world);
    const cut = cutOf(world, state);
    return cut === undefined
      ? err({ reason: "irreducible", message: "nothing to cut" })
      : ok({ ...checkpoint(world, state, cut), trigger });
  },
});

function pruned({ wishes, dice, count }: World, { conversation }: SessionState): Payload<"context.pruned"> | undefined {
  if (!wishes.prune || isLoopOpen(conversation)) return undefined;
  wishes.prune = false;
  const results = conversation.messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])),
  );
  const toolUseIds = results.filter(() => dice.chance(0.6));
  if (toolUseIds.length === 0) return undefined;
  return { toolUseIds: [...toolUseIds, "unknown"], placeholder: `[removed ${count()}]`, tokensReclaimedEstimate: 1 };
}

/** The summary's own request: in the log, and outside the conversation. */
function askForSummary(world: World): void {
  const { handle } = world.session;
  const requestId = `c${world.count()}`;
  const contextStats = { estimatedInputTokens: 1, sections: [] };
  const started = { requestId, model: "claude-haiku-5-5", purpose: "compaction" as const, contextStats };
  handle.publish({ type: "model.request-started", payload: started });
  handle.publish({ type: "model.text-block-completed", payload: { requestId, blockIndex: 0, text: "a summary" } });
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const completed = { requestId, stopReason: "end_turn", usage, durationMs: 1 };
  handle.publish({ type: "model.response-completed", payload: completed });
}

/** Inside a turn everything goes; at its boundary any safe cut will do, unless a tool loop is still open. */
function cutOf({ dice }: World, { conversation, turn }: SessionState): number | undefined {
  const cuts = safeCuts(conversation);
  const wholesale = turn.iterations > 0 || isLoopOpen(conversation);
  return wholesale ? cuts.at(-1) : dice.some(cuts);
}

function checkpoint(
  world: World,
  { conversation, lastSeq }: SessionState,
  toSeq: number,
): Omit<Payload<"context.compacted">, "trigger"> {
  const tail = conversation.messages[conversation.spans.findIndex(({ last }) => last > toSeq)];
  const isLast = toSeq === conversation.spans.at(-1)?.last;
  const text = `checkpoint ${world.count()}`;
  const made = world.dice.weighted({ message: 4, yaml: 1, block: tail?.role === "user" ? 5 : 0 });
  return {
    checkpointYaml: made === "yaml" ? text : "objective: x",
    cut: { fromSeq: 1, toSeq: isLast && world.dice.chance(0.5) ? lastSeq : toSeq },
    tokensBefore: 1,
    summaryModel: "claude-haiku-5-5",
    ...(made === "message" && { message: text }),
    ...(made === "block" && { block: compactionBlock(text) }),
  };
}
