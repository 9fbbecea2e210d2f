/** The real context engine, but for when room is made and what a checkpoint says: that is for the dice. */
import type { CompactionRoute, ContextEngine } from "../../../src/context/index.ts";
import { mayServerSumUp } from "../../../src/context/summary-request.ts";
import { isAtTurnStart, type SessionState, safeCuts } from "../../../src/session/index.ts";
import { err, ok, type Payload } from "../../../src/shared/index.ts";
import { compactionBlock } from "./strict-api.ts";
import { AUX_MODEL, recordedAsk, summaryRequest } from "./summaries.ts";
import type { World } from "./world.ts";

export const scriptedContext = (world: World, engine: ContextEngine): ContextEngine => ({
  selectContext: (state) => engine.selectContext(state),
  pruneToolResults: (state) => pruned(world, state),
  planned: (state) => engine.planned(state),
  needsCompaction: () => world.wishes.compactions > 0,
  async compress(state, { trigger }, signal) {
    world.wishes.compactions = Math.max(0, world.wishes.compactions - 1);
    if (world.dice.chance(0.05)) return err({ reason: "irreducible", message: "no checkpoint could be made" });
    const cut = cutOf(world, state);
    if (cut === undefined) return err({ reason: "irreducible", message: "nothing to cut" });
    const made = checkpoint(world, state, cut);
    const route: CompactionRoute = made.block ? "server" : state.conversation.outputSchemaSha256 ? "aux" : "main";
    const asked = route === "main" && world.dice.chance(0.3) ? "aux" : route;
    const request = summaryRequest(asked, { state, toSeq: made.cut.toSeq, own: engine.selectContext(state).request });
    const contextStats = { estimatedInputTokens: 1, sections: [] };
    const answer = await recordedAsk(world)(request, { contextStats }, signal);
    return answer.ok
      ? ok({ ...made, trigger })
      : err({ reason: "model-fatal-error", message: `nobody summed it up: ${answer.error.message}` });
  },
});

function pruned({ wishes, dice, count }: World, state: SessionState): Payload<"context.pruned"> | undefined {
  if (!wishes.prune || !isAtTurnStart(state)) return undefined;
  wishes.prune = false;
  const results = state.conversation.messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])),
  );
  const toolUseIds = results.filter(() => dice.chance(0.6));
  if (toolUseIds.length === 0) return undefined;
  return { toolUseIds: [...toolUseIds, "unknown"], placeholder: `[removed ${count()}]`, tokensReclaimedEstimate: 1 };
}

/** Inside a turn everything goes; at its boundary any safe cut will do. Nothing may be cut while results are missing. */
function cutOf({ dice }: World, state: SessionState): number | undefined {
  if (state.conversation.awaiting.length > 0) return undefined;
  const cuts = safeCuts(state.conversation);
  return isAtTurnStart(state) ? dice.some(cuts) : cuts.at(-1);
}

function checkpoint(world: World, state: SessionState, toSeq: number): Omit<Payload<"context.compacted">, "trigger"> {
  const { conversation, lastSeq } = state;
  const going = conversation.spans.findLastIndex(({ last }) => last <= toSeq) + 1;
  const tail = conversation.messages[going];
  const isLast = toSeq === conversation.spans.at(-1)?.last;
  const text = `checkpoint ${world.count()}`;
  const isServers = tail?.role === "user" && isAtTurnStart(state) && mayServerSumUp(state, going);
  const made = world.dice.weighted({ message: 4, yaml: 1, block: isServers ? 5 : 0 });
  return {
    checkpointYaml: made === "yaml" ? text : "objective: x",
    cut: { fromSeq: 1, toSeq: isLast && world.dice.chance(0.5) ? lastSeq : toSeq },
    tokensBefore: 1,
    summaryModel: AUX_MODEL,
    ...(made === "message" && { message: text }),
    ...(made === "block" && { block: compactionBlock(text) }),
  };
}
