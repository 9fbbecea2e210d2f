/**
 * Turns a request into the body that goes out. Pure, and the same request gives the same bytes every time. It decides where
 * cache marks stand and what the model takes of thinking and effort; it never sends sampling parameters, a tool choice or a
 * prefill, and it never changes a message.
 */
import type { BetaCompactionConfig } from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  OutputConfig,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { type Block, isBlank, isThinking, type Message } from "../shared/index.ts";
import { type Images, imageParam, NO_IMAGES } from "./images.ts";
import type { BlockPosition, JsonObject, ModelFacts, ModelRequest, ToolSchema } from "./types.ts";

export type RequestBody = MessageCreateParamsStreaming & { readonly compaction?: BetaCompactionConfig };

type Effort = NonNullable<OutputConfig["effort"]>;

const MARK: { readonly cache_control: CacheControlEphemeral } = { cache_control: { type: "ephemeral" } };
const MARKS_PER_PART = 2;
const COMPACTION_BETA = "compact-2026-09-04";

/** `facts` are those of `request.model`; `images` are the bytes of those that its messages name. */
export function requestBody(request: ModelRequest, facts: ModelFacts, images = NO_IMAGES): RequestBody {
  const system = systemBlocks(request.system);
  const thinking = thinkingConfig(request, facts);
  const effort = chosenEffort(request, facts);
  return {
    model: request.model,
    max_tokens: Math.min(request.maxOutputTokens, facts.maxOutputTokens),
    stream: true,
    ...(system.length > 0 ? { system } : {}),
    ...(request.tools.length > 0 ? { tools: request.tools.map(toolParam) } : {}),
    messages: markedMessages(request.messages, request.marks, images),
    ...(thinking ? { thinking } : {}),
    ...outputConfig(effort, request.compaction ? undefined : request.outputSchema),
    ...(request.previousMessageId ? { diagnostics: { previous_message_id: request.previousMessageId } } : {}),
    ...(request.compaction ? { compaction: compactionParam(request.compaction) } : {}),
  };
}

/** The betas that a body needs: a summary is asked for, or one that the API has made stands first. */
export function betasOf({ compaction, messages }: RequestBody): readonly string[] {
  const [first] = messages;
  // The SDK's general types have no such block.
  const opens = typeof first?.content === "object" && (first.content[0]?.type as string) === "compaction";
  return compaction || opens ? [COMPACTION_BETA] : [];
}

/** A demanded form of answers would be refused here, and blank instructions count as none. */
function compactionParam({ instructions = "" }: NonNullable<ModelRequest["compaction"]>): BetaCompactionConfig {
  return { type: "summarize", ...(isBlank(instructions) ? {} : { instructions }) };
}

function outputConfig(effort: Effort | undefined, schema: JsonObject | undefined): Pick<RequestBody, "output_config"> {
  if (!effort && !schema) return {};
  const format = schema && ({ type: "json_schema", schema: { ...schema } } as const);
  return { output_config: { ...(effort ? { effort } : {}), ...(format ? { format } : {}) } };
}

/** A tier without text is left out, because the API refuses blank text. Beyond two tiers, the last two carry the marks. */
function systemBlocks(tiers: readonly string[]): TextBlockParam[] {
  const written = tiers.filter((text) => !isBlank(text));
  const firstMarked = written.length - MARKS_PER_PART;
  return written.map((text, at) => ({ type: "text", text, ...(at >= firstMarked ? MARK : {}) }));
}

function toolParam({ name, description, input_schema }: ToolSchema): Tool {
  // Tool schemas are always objects at the root; the contract leaves the type of the rest open.
  return { name, description, input_schema: input_schema as Tool["input_schema"] };
}

function markedMessages(messages: readonly Message[], marks: readonly BlockPosition[], images: Images): MessageParam[] {
  const marked = new Map<number, Set<number>>();
  for (const mark of marks.slice(-MARKS_PER_PART)) {
    const block = markableAt(messages[mark.message], mark.block);
    if (block === null) continue;
    marked.set(mark.message, (marked.get(mark.message) ?? new Set()).add(block));
  }
  return messages.map((message, at) => messageParam(message, marked.get(at), images));
}

/** The block itself or the nearest one before it in its message that may carry a mark, or null. */
function markableAt(message: Message | undefined, wanted: number): number | null {
  if (!message) return null;
  for (let at = Math.min(wanted, message.content.length - 1); at >= 0; at--) {
    const block = message.content[at];
    if (block && isMarkable(block)) return at;
  }
  return null;
}

const isMarkable = (block: Block): boolean =>
  !isThinking(block) && block.type !== "compaction" && !(block.type === "text" && isBlank(block.text));

function messageParam(message: Message, marked: ReadonlySet<number> | undefined, images: Images): MessageParam {
  const blocks: readonly Block[] = message.content;
  if (!marked && !blocks.some(({ type }) => type === "image")) return message as MessageParam; // most are sent as they are
  const content = blocks.map((block, at) => {
    const param = block.type === "image" ? imageParam(block, images) : block;
    return marked?.has(at) ? { ...param, ...MARK } : param;
  });
  // A server-made compaction block is sent verbatim; its type is not among the SDK's general ones.
  return { role: message.role, content: content as ContentBlockParam[] };
}

/**
 * `adaptive` asks for summaries, because without them the newer models' narration between calls stays invisible.
 * `off` is `disabled`, or the nearest thing a model takes; where thinking is always on, the lowest effort is all there is.
 */
function thinkingConfig({ thinking }: ModelRequest, facts: ModelFacts): ThinkingConfigParam | undefined {
  if (thinking === "adaptive") {
    return facts.thinking.includes("adaptive") ? { type: "adaptive", display: "summarized" } : undefined;
  }
  if (facts.thinking.includes("disabled")) return { type: "disabled" };
  return facts.thinking.includes("between_tools") ? { type: "between_tools" } : undefined;
}

/** An effort that the model does not offer is left to the model's default. */
function chosenEffort(request: ModelRequest, facts: ModelFacts): Effort | undefined {
  const offered = (effort: string | undefined): Effort | undefined =>
    effort !== undefined && facts.efforts.includes(effort) ? (effort as Effort) : undefined; // the table lists the API's levels
  if (request.thinking === "adaptive") return offered(request.effort);
  const cannotBeOff = facts.thinking.length === 1 && facts.thinking[0] === "adaptive";
  if (cannotBeOff) return offered(request.effort ?? "low");
  const isHighest = request.effort === "xhigh" || request.effort === "max";
  // Opus 5 and Haiku 5.5 refuse the two highest levels together with `disabled`.
  return offered(isHighest && facts.thinking.includes("disabled") ? "high" : request.effort);
}
