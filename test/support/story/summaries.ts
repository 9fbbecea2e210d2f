/** Requests for a summary: made as the engine makes them, judged by the strict server, recorded by the agent, answered by chance. */
import { createRecordedAsk } from "../../../src/agent/index.ts";
import {
  type CompletedBlock,
  type ModelClient,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  modelFacts,
} from "../../../src/anthropic/index.ts";
import { DEFAULT_LIMITS } from "../../../src/context/budget.ts";
import type { CompactionPlan } from "../../../src/context/compaction-plan.ts";
import type { Ask, CompactionRoute } from "../../../src/context/index.ts";
import { auxiliaryRequest, sameModelRequest, serverRequest } from "../../../src/context/summary-request.ts";
import { isAtTurnStart, type SessionState } from "../../../src/session/index.ts";
import { judgeRequest } from "./strict-api.ts";
import { interrupt, noise, Refused, type World } from "./world.ts";

export const AUX_MODEL = "claude-haiku-5-5";

export const recordedAsk = (world: World): Ask =>
  createRecordedAsk({
    session: world.session.handle,
    model: summaryModel(world),
    newId: () => `c${world.count()}`,
    policy: {},
  });

/** As the engine would ask for what stands up to `toSeq`. */
export function summaryRequest(
  route: CompactionRoute,
  { state, toSeq, own }: { readonly state: SessionState; readonly toSeq: number; readonly own: ModelRequest },
): ModelRequest {
  const going = state.conversation.spans.filter(({ last }) => last <= toSeq).length;
  const size = { fixedTokens: 1, goingTokens: 1, keptTokens: 1 };
  const plan: CompactionPlan = { going, toSeq, isInTurn: !isAtTurnStart(state), ...size };
  const question = { state, plan, focus: undefined, answerTokens: DEFAULT_LIMITS.checkpointTokens };
  if (route === "aux") return auxiliaryRequest(question, AUX_MODEL, modelFacts(AUX_MODEL));
  return route === "main" ? sameModelRequest(question, own, modelFacts(own.model)) : serverRequest(question, own);
}

const summaryModel = (world: World): ModelClient => ({
  stream: (request, signal) => stream(world, request, signal),
});

async function* stream(world: World, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt++) {
    yield { type: "started", attempt };
    const verdict = judgeRequest(request);
    if (typeof verdict === "string") throw new Refused(`a request for a summary is refused by ${verdict}`);
    yield* blocks(world, signal);
    const last = ending(world, attempt, signal);
    yield last;
    if (last.type === "finished") return;
    if (world.dice.chance(0.2)) interrupt(world);
    if (signal.aborted) throw failed("cancelled");
  }
}

/** How the attempt ends; a failure for good is thrown. */
function ending({ dice, count }: World, attempt: number, signal: AbortSignal): ModelEvent {
  if (signal.aborted && dice.chance(0.7)) throw failed("cancelled");
  switch (dice.weighted({ finish: 12, retry: attempt < 3 ? 1 : 0, fail: 1 })) {
    case "finish": {
      const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
      return { type: "finished", stopReason: "end_turn", usage, messageId: `msg_${count()}`, durationMs: 1 };
    }
    case "retry":
      return { type: "attempt-failed", failure: failed("retryable").failure, retryAfterMs: 1 };
    case "fail":
      throw failed(dice.pick(["retryable", "context-overflow", "auth"]));
  }
}

/** Words, or calls that nobody asked for. */
async function* blocks(world: World, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const { dice, count } = world;
  const call: CompletedBlock = { type: "tool_use", id: `toolu_${count()}`, name: "read", input: {} };
  const said: readonly CompletedBlock[] = [{ type: "text", text: "a summary" }, ...(dice.chance(0.2) ? [call] : [])];
  for (const [blockIndex, block] of said.entries()) {
    noise(world);
    await Promise.resolve();
    if (dice.chance(0.05)) interrupt(world);
    if (signal.aborted && dice.chance(0.5)) throw failed("cancelled");
    if (block.type === "text") yield { type: "text-delta", blockIndex, text: "a sum" };
    if (block.type === "tool_use") {
      yield { type: "tool-call-started", blockIndex, toolUseId: block.id, toolName: block.name };
    }
    yield { type: "block-completed", blockIndex, block };
  }
}

const failed = (kind: "cancelled" | "retryable" | "context-overflow" | "auth"): ModelError =>
  new ModelError({ kind, message: `failed: ${kind}`, attempts: 1 });
