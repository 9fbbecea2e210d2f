/**
 * The context engine: the next request from the folds' state, and what to do when the window fills up. Holds no conversation
 * of its own; renders no byte that is not in the log or in the frozen prefix.
 */
import type { BlockPosition, ModelFacts } from "../anthropic/index.ts";
import type { SessionState } from "../session/index.ts";
import { type Block, byteLength, estimateTokens, invariant, isThinking, type Message } from "../shared/index.ts";
import { type ContextLimits, limitsFor, measuredTokens, PRUNE_FROM, threshold } from "./budget.ts";
import { planCompaction } from "./compaction-plan.ts";
import { compress, type Summaries } from "./compress.ts";
import { createHashChain, measure, type RequestBinding, requestBinding, sameMessages } from "./hashes.ts";
import { resultsToPrune } from "./prune.ts";
import type { BuiltContext, ContextEngine, FrozenPrefix } from "./types.ts";

export interface ContextEngineOptions {
  /** Absent: nobody is asked, and a checkpoint is made from the folds alone. */
  readonly summaries?: Summaries;
  /** The epoch in force. A new epoch needs a new engine. */
  readonly prefix: FrozenPrefix;
  /** Asked at each use, for the model may change within a session. */
  readonly facts: (model: string) => ModelFacts;
  /** What the budget keeps free for an answer, and the output limit of a session that recorded none. */
  readonly reservedOutputTokens: number;
  readonly config?: Partial<ContextLimits>;
}

export function createContextEngine(options: ContextEngineOptions): ContextEngine {
  const { prefix, facts, reservedOutputTokens } = options;
  const limitsOf = ({ turn }: SessionState) => limitsFor(facts(turn.model), options.config);
  const chain = createHashChain();
  const sums = createSections();
  const fixed = [
    ...prefix.system.map((text, at) => section(at === 0 ? "system" : "project", JSON.stringify(text))),
    section("tools", JSON.stringify(prefix.tools)),
  ];
  const fixedTokens = fixed.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0);
  const isFull = (state: SessionState, share = 1): boolean => {
    const limit = threshold(facts(state.turn.model), reservedOutputTokens, limitsOf(state).bufferTokens);
    return (measuredTokens(state, fixedTokens) ?? 0) > limit * share;
  };
  const planned = (state: SessionState) => planCompaction(state, limitsOf(state), fixedTokens);
  const isTooLong = ({ turn }: SessionState): boolean => turn.lastFailure?.kind === "context-overflow";

  const engine: ContextEngine = {
    selectContext(state): BuiltContext {
      const { conversation, turn } = state;
      const binding = bindingOf(state, prefix);
      const messages = [...conversation.messages];
      const sizes = [...fixed, ...sums(messages)];
      return {
        request: {
          model: turn.model,
          system: prefix.system,
          tools: prefix.tools,
          messages,
          marks: cacheMarks(messages, conversation.sentTail),
          maxOutputTokens: outputLimit(state, facts(turn.model), reservedOutputTokens),
          thinking: binding.thinking,
          ...(binding.effort !== undefined && { effort: binding.effort }),
          ...(prefix.outputSchema && { outputSchema: prefix.outputSchema.sent }),
          ...(turn.lastMessageId !== undefined && { previousMessageId: turn.lastMessageId }),
        },
        record: {
          contextStats: {
            estimatedInputTokens: sizes.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0),
            sections: sizes.map(({ name, estimatedTokens }) => ({ name, estimatedTokens })),
          },
          ...chain.extend(binding, messages, conversation.sentBlocks),
          bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
          messageCount: messages.length,
        },
      };
    },
    compress(state, wish, signal) {
      const next = (now: SessionState) => engine.selectContext(now).request;
      const compressor = { facts, next, ...(options.summaries && { summaries: options.summaries }) };
      return compress(compressor, { state, limits: limitsOf(state), fixedTokens }, wish, signal);
    },
    pruneToolResults: (state) =>
      isFull(state, PRUNE_FROM) || isTooLong(state) ? resultsToPrune(state, limitsOf(state)) : undefined,
    planned,
    needsCompaction: (state) => isFull(state) && planned(state).ok,
  };
  return engine;
}

/** The engine sends the prefix that the log names; a log that names none is taken at the prefix's word. */
function bindingOf({ conversation, turn }: SessionState, prefix: FrozenPrefix): RequestBinding {
  const { systemSha256 = prefix.systemSha256, toolsSha256 = prefix.toolsSha256, outputSchemaSha256 } = conversation;
  invariant(
    systemSha256 === prefix.systemSha256 &&
      toolsSha256 === prefix.toolsSha256 &&
      outputSchemaSha256 === prefix.outputSchema?.sha256,
    "the prefix that is sent is the one that the log says is in force",
  );
  const schema = outputSchemaSha256 === undefined ? {} : { outputSchemaSha256 };
  return requestBinding(turn, { systemSha256, toolsSha256, ...schema });
}

/** After an answer was cut by its limit, the next one may use all that the model has. */
function outputLimit({ turn }: SessionState, facts: ModelFacts, reservedOutputTokens: number): number {
  if (turn.continuations.maxTokens > 0) return facts.maxOutputTokens;
  return Math.min(turn.maxOutputTokens ?? reservedOutputTokens, facts.maxOutputTokens);
}

/** Where the previous request ended, then where this one does. A mark may not stand on thinking. */
function cacheMarks(messages: readonly Message[], sentTail: BlockPosition | undefined): readonly BlockPosition[] {
  const newest = lastMarkable(messages);
  const sent = sentTail && messages[sentTail.message]?.content[sentTail.block];
  const marks = sentTail && sent && !isThinking(sent) ? [sentTail] : [];
  if (!newest || marks.some(({ message, block }) => message === newest.message && block === newest.block)) return marks;
  return [...marks, newest];
}

function lastMarkable(messages: readonly Message[]): BlockPosition | undefined {
  for (let message = messages.length - 1; message >= 0; message--) {
    const block = messages[message]?.content.findLastIndex((candidate) => !isThinking(candidate)) ?? -1;
    if (block >= 0) return { message, block };
  }
  return undefined;
}

interface Section {
  readonly name: string;
  readonly estimatedTokens: number;
  readonly bytes: number;
}

const section = (name: string, json: string): Section => ({
  name,
  estimatedTokens: estimateTokens(json),
  bytes: byteLength(json),
});

type Kind = "user" | "assistant" | "thinking" | "tool results" | "images";

type Share = Readonly<Record<Kind, { readonly estimatedTokens: number; readonly bytes: number }>>;

const NONE = { estimatedTokens: 0, bytes: 0 };
const NOTHING: Share = { user: NONE, assistant: NONE, thinking: NONE, "tool results": NONE, images: NONE };

/**
 * The conversation's share by kind of block, in a fixed order; kinds that do not occur are left out. The sums up to each
 * message are kept, so that a request costs only the messages that are new since the one before.
 */
function createSections(): (messages: readonly Message[]) => readonly Section[] {
  let seen: readonly Message[] = [];
  const upTo: Share[] = [];
  return (messages) => {
    upTo.length = sameMessages(seen, messages);
    for (const message of messages.slice(upTo.length)) upTo.push(withMessage(upTo.at(-1) ?? NOTHING, message));
    seen = messages;
    return Object.entries(upTo.at(-1) ?? NOTHING).flatMap(([name, sum]) => (sum.bytes > 0 ? [{ name, ...sum }] : []));
  };
}

function kindOf(role: Message["role"], block: Block): Kind {
  if (block.type === "tool_result") return "tool results";
  if (block.type === "image") return "images";
  return isThinking(block) ? "thinking" : role;
}

function withMessage(before: Share, { role, content }: Message): Share {
  const sums = { ...before };
  for (const block of content) {
    const kind = kindOf(role, block);
    const { estimatedTokens, bytes } = measure(block);
    sums[kind] = {
      estimatedTokens: sums[kind].estimatedTokens + estimatedTokens,
      bytes: sums[kind].bytes + bytes,
    };
  }
  return sums;
}
