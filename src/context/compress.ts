/**
 * Makes a checkpoint: asks for a summary by the configured route, holds the answer to its form, completes it from the folds, and
 * looks whether anything got smaller. Bounded: each route is asked twice at most. Where nobody is to be asked, the folds alone do it.
 */
import type { ModelFacts, ModelRequest } from "../anthropic/index.ts";
import type { SessionState } from "../session/index.ts";
import { byteLength, err, estimateTokens, isBlank, ok, type Payload, type Result } from "../shared/index.ts";
import { type ContextLimits, measuredTokens } from "./budget.ts";
import { completed, fromFactsAlone } from "./checkpoint/complete.ts";
import { checkpointFacts, type Facts } from "./checkpoint/facts.ts";
import { checkpointMessage } from "./checkpoint/message.ts";
import { readCheckpoint } from "./checkpoint/read.ts";
import type { Checkpoint } from "./checkpoint/types.ts";
import { writeCheckpoint } from "./checkpoint/write.ts";
import { type CompactionFailure, type CompactionPlan, planCompaction, tokensAfter } from "./compaction-plan.ts";
import { boundedText } from "./plain-text.ts";
import {
  auxiliaryRequest,
  mayServerSumUp,
  type SummaryQuestion,
  sameModelRequest,
  serverRequest,
} from "./summary-request.ts";
import type { Ask, AskedAnswer, AskFailure, CompactionRoute, CompactionWish } from "./types.ts";

/** Who sums up, by which route unless another is wished for. */
export interface Summaries {
  readonly ask: Ask;
  readonly auxModel: string;
  readonly route: CompactionRoute;
}

export interface Compressor {
  readonly facts: (model: string) => ModelFacts;
  readonly summaries?: Summaries;
  /** The next request as it would go out now. */
  readonly next: (state: SessionState) => ModelRequest;
}

type Compacted = Payload<"context.compacted">;

export async function compress(
  compressor: Compressor,
  {
    state,
    limits,
    fixedTokens,
  }: { readonly state: SessionState; readonly limits: ContextLimits; readonly fixedTokens: number },
  wish: CompactionWish,
  signal: AbortSignal,
): Promise<Result<Compacted, CompactionFailure>> {
  const planned = planCompaction(state, limits, fixedTokens);
  if (!planned.ok) return planned;
  const work: Work = { compressor, state, limits, plan: planned.value, wish, signal };
  const facts = await checkpointFacts(state, planned.value.going);
  const { summaries } = compressor;
  const route = wish.route ?? summaries?.route ?? "none";
  if (summaries && route !== "none") return summedUp(work, summaries, { wanted: route, facts });
  const alone = fromFactsAlone(facts, evidenceBytes(limits));
  const made = await finished(work, alone, { facts, route: "none", model: "none" });
  return isSmaller(work, made) ? ok(made) : err(NOT_SMALLER);
}

/** By the first route that makes it smaller. Where none does, nothing is recorded: a bad summary is worse than a full window. */
async function summedUp(
  work: Work,
  summaries: Summaries,
  { wanted, facts }: { readonly wanted: CompactionRoute; readonly facts: Facts },
): Promise<Result<Compacted, CompactionFailure>> {
  let failure = NOT_SMALLER;
  for (const route of routesFor(work, wanted)) {
    const made = await viaRoute({ work, summaries, route, facts });
    if (made.ok) {
      if (isSmaller(work, made.value)) return made;
      failure = NOT_SMALLER;
    } else if ("reason" in made.error) {
      return err(made.error);
    } else {
      failure = { reason: "model-fatal-error", message: `${FAILED} ${made.error.unusable}` };
    }
  }
  return err(failure);
}

const FAILED = "Compaction failed, and the conversation is as it was.";

interface Work {
  readonly compressor: Compressor;
  readonly state: SessionState;
  readonly limits: ContextLimits;
  readonly plan: CompactionPlan;
  readonly wish: CompactionWish;
  readonly signal: AbortSignal;
}

/** The wanted one first, then what can be tried in its place. One that cannot be is left out. */
function routesFor({ compressor, state, plan }: Work, wanted: CompactionRoute): readonly CompactionRoute[] {
  const possible = possibleRoutes(state, plan, compressor.facts(state.turn.model));
  const inOrder: readonly CompactionRoute[] =
    wanted === "server" ? ["server", "main", "aux"] : wanted === "main" ? ["main", "aux"] : ["aux", "main"];
  return inOrder.filter((route) => possible.includes(route));
}

/** Those that could give an answer that fits. `facts`: of the session's model. */
export function possibleRoutes(
  state: SessionState,
  plan: CompactionPlan,
  facts: ModelFacts,
): readonly CompactionRoute[] {
  // Held to a JSON schema, it could not write YAML; without the schema, nothing would be read from the cache.
  const isMains = state.conversation.outputSchemaSha256 === undefined;
  // In a turn nothing would be behind the block, and a conversation may not end with it.
  const isServers = facts.serverCompaction === true && !plan.isInTurn && mayServerSumUp(state, plan.going);
  return ["aux", ...(isMains ? (["main"] as const) : []), ...(isServers ? (["server"] as const) : [])];
}

/** Why another route has to be tried, in a sentence. */
interface Unusable {
  readonly unusable: string;
}

interface Asking {
  readonly work: Work;
  readonly summaries: Summaries;
  readonly route: CompactionRoute;
  readonly facts: Facts;
}

async function viaRoute(asking: Asking): Promise<Result<Compacted, CompactionFailure | Unusable>> {
  const { work, summaries, route, facts } = asking;
  let problem: string | undefined;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const request = requestFor(asking, problem);
    const answer = await summaries.ask(request, { contextStats: statsOf(request) }, work.signal);
    if (!answer.ok) return err(failureOf(answer.error, route));
    if (route === "server") return fromServer(work, answer.value);
    const read = await usableCheckpoint(answer.value);
    if (read.ok) {
      const bytes = evidenceBytes(work.limits);
      return ok(await finished(work, completed(read.value, facts, bytes), { facts, route, model: answer.value.model }));
    }
    problem = read.error;
    if (answer.value.stopReason === "refusal") break;
  }
  return err({ unusable: `The summary of ${modelOf(asking)} could not be used: ${problem}` });
}

const MAX_ATTEMPTS = 2;

const modelOf = ({ work, summaries, route }: Asking): string =>
  route === "aux" ? summaries.auxModel : work.state.turn.model;

function requestFor({ work, summaries, route }: Asking, problem: string | undefined): ModelRequest {
  const { state, plan, wish, limits } = work;
  const { facts, next } = work.compressor;
  const { auxModel } = summaries;
  const question: SummaryQuestion = {
    state,
    plan,
    focus: wish.focus,
    answerTokens: limits.checkpointTokens,
    ...(problem !== undefined && { problem }),
  };
  if (route === "aux") return auxiliaryRequest(question, auxModel, facts(auxModel));
  const own = next(state);
  return route === "main" ? sameModelRequest(question, own, facts(own.model)) : serverRequest(question, own);
}

/** Nobody answered: then nothing is lost by trying again later. Anything else another route may do better. */
function failureOf({ kind, message, stop }: AskFailure, route: CompactionRoute): CompactionFailure | Unusable {
  if (stop) return { reason: stop.reason, message: stop.detail };
  if (kind === "context-overflow" || kind === "invalid-request") return { unusable: message };
  if (kind === "auth" && route === "aux") return { unusable: message }; // the key may be good for the other model
  return { reason: "model-fatal-error", message: `${FAILED} ${message}` };
}

async function usableCheckpoint({ text, stopReason }: AskedAnswer): Promise<Result<Checkpoint, string>> {
  if (stopReason === "refusal") return err("It was refused.");
  if (stopReason === "max_tokens") return err("It was cut at the output limit; write less.");
  if (stopReason === "tool_use") return err("It called a tool; write the YAML and nothing else.");
  return readCheckpoint(text);
}

interface Making {
  readonly facts: Facts;
  readonly route: NonNullable<Compacted["route"]>;
  readonly model: string;
}

async function finished(work: Work, checkpoint: Checkpoint, { facts, route, model }: Making): Promise<Compacted> {
  const yaml = await writeCheckpoint(checkpoint);
  const { isInTurn } = work.plan;
  const turn = !isInTurn ? "over" : work.state.turn.phase === "open" ? "goes-on" : "stopped";
  const words = isInTurn ? fittingWords(facts.words, work.limits) : [];
  const message = checkpointMessage({ yaml, words, turn });
  return { ...recordOf(work, { route, model, tokens: estimateTokens(message) }), checkpointYaml: yaml, message };
}

/** In full, unless they are so long that nothing would be won: then their beginnings and ends. */
function fittingWords(words: readonly string[], { keptTailTokens }: ContextLimits): readonly string[] {
  const bytes = words.reduce((sum, text) => sum + byteLength(text), 0);
  const room = keptTailTokens * 4;
  return bytes <= room ? words : words.map((text) => boundedText(text, Math.floor((room * byteLength(text)) / bytes)));
}

function fromServer(work: Work, { block, model }: AskedAnswer): Result<Compacted, Unusable> {
  const content = block?.content;
  if (!block || typeof content !== "string" || isBlank(content)) return err({ unusable: `${model} made no summary.` });
  const record = recordOf(work, { route: "server", model, tokens: estimateTokens(JSON.stringify(block)) });
  return ok({ ...record, checkpointYaml: content, block });
}

function recordOf(
  { state, plan, wish }: Work,
  { route, model, tokens }: { readonly route: Making["route"]; readonly model: string; readonly tokens: number },
): Omit<Compacted, "checkpointYaml"> {
  const rate = state.usage.calibration ?? 1;
  const before = measuredTokens(state, plan.fixedTokens) ?? Math.round(tokensBefore(plan) * rate);
  return {
    cut: { fromSeq: 1, toSeq: plan.toSeq },
    trigger: wish.trigger,
    tokensBefore: before,
    tokensAfterEstimate: Math.round(tokensAfter(plan, tokens) * rate),
    summaryModel: model,
    route,
    ...(plan.keptFromSeq !== undefined && { keptFromSeq: plan.keptFromSeq }),
    ...(wish.focus !== undefined && { focus: wish.focus }),
  };
}

const tokensBefore = ({ fixedTokens, goingTokens, keptTokens }: CompactionPlan): number =>
  fixedTokens + goingTokens + keptTokens;

/** Compared by the same measure: both estimated. */
function isSmaller({ plan }: Work, { message, block }: Compacted): boolean {
  const checkpoint = estimateTokens(message ?? JSON.stringify(block));
  return tokensAfter(plan, checkpoint) <= tokensBefore(plan) * MAX_LEFT;
}

/** A compaction that leaves more than this would be wanted again at once. */
const MAX_LEFT = 0.9;

const NOT_SMALLER: CompactionFailure = {
  reason: "irreducible",
  message:
    "Summing the conversation up did not make it smaller. Go on with a model that has a larger window, or begin a new session.",
};

const evidenceBytes = ({ checkpointTokens }: ContextLimits): number => checkpointTokens * 4;

function statsOf({ system, tools, messages }: ModelRequest) {
  const sections = [
    { name: "system", estimatedTokens: estimateTokens(JSON.stringify(system)) },
    ...(tools.length > 0 ? [{ name: "tools", estimatedTokens: estimateTokens(JSON.stringify(tools)) }] : []),
    {
      name: "conversation",
      estimatedTokens: messages.reduce((sum, { content }) => sum + estimateTokens(JSON.stringify(content)), 0),
    },
  ];
  return { estimatedInputTokens: sections.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0), sections };
}
