/** The order of a conversation: roles, emptiness, where a block may stand. Calls and their results are paired elsewhere. */
import { incompleteTurn, misplacedSummary, nothingToSummarize, says } from "./compaction.ts";
import { asksForSummary, isThinking, type PlacedBlock, type Request, type Turn } from "./request.ts";
import { type Refusal, refuse } from "./table.ts";

const MAX_MESSAGES = 100_000;

/** `paused` says whether an assistant turn at the end is one that this server has paused, and may thus be continued. */
export function misfitOfHistory(request: Request, paused: (last: Turn) => boolean): Refusal | undefined {
  return (
    nothingToSummarize(request) ?? roles(request) ?? emptiness(request) ?? ending(request, paused) ?? placement(request)
  );
}

function roles({ body, model, turns }: Request): Refusal | undefined {
  if (body.messages.length === 0) return refuse("8");
  if (body.messages.length > MAX_MESSAGES) return refuse("9b");
  const first = turns.find(({ blocks }) => blocks.length === 0 || blocks.some(says));
  if (first?.role === "assistant" && !first.summary && !model.lenientHistory) return refuse("9a");
  for (const [i, turn] of turns.entries()) {
    if (turn.role !== "system") continue;
    const refusal = model.systemRole ? systemTurn(turn, turns[i - 1], turns[i + 1]) : refuse("10", at(turn));
    if (refusal) return refusal;
  }
  return undefined;
}

function systemTurn(turn: Turn, before: Turn | undefined, next: Turn | undefined): Refusal | undefined {
  const isPlaced = follows(before) && (!next || next.role === "assistant");
  return isPlaced ? undefined : refuse("10a", at(turn));
}

const at = (turn: Turn) => ({ path: `messages.${turn.index}` });

/** Whether a system message may stand behind this turn. Behind a summary it counts as part of what was summarised. */
const follows = (before: Turn | undefined): boolean =>
  before?.role === "user" ||
  before?.summary === true ||
  (before?.role === "assistant" && isServerResult(before.blocks.at(-1)));

const isServerResult = (placed: PlacedBlock | undefined): boolean =>
  placed !== undefined && placed.block.type !== "tool_result" && placed.block.type.endsWith("_tool_result");

function emptiness({ body }: Request): Refusal | undefined {
  for (const [index, message] of body.messages.entries()) {
    const optional = index === body.messages.length - 1 && message.role === "assistant";
    if (message.content.length === 0 && !optional) return refuse("29", { index });
    if (typeof message.content === "string" && !optional && message.content.trim() === "") {
      return refuse("28", { path: "messages" });
    }
  }
  return undefined;
}

function ending(request: Request, paused: (last: Turn) => boolean): Refusal | undefined {
  const { model, turns } = request;
  const last = turns.at(-1);
  if (last?.role !== "assistant") return undefined;
  if (asksForSummary(request)) return incompleteTurn(last, paused(last));
  const tail = last.blocks.at(-1);
  if (isServerResult(tail) || tail?.block.type === "server_tool_use" || paused(last)) return undefined;
  if (!model.prefill) return refuse("11");
  const text = tail?.block.text;
  return typeof text === "string" && text !== text.trimEnd() ? refuse("11a") : undefined;
}

function placement(request: Request): Refusal | undefined {
  const refusal = systemText(request.body.system) ?? misplacedSummary(request);
  if (refusal) return refusal;
  for (const turn of request.turns) {
    const misfit = blocksOf(turn, request.model);
    if (misfit) return misfit;
  }
  return undefined;
}

function blocksOf(turn: Turn, { lenientHistory }: Request["model"]): Refusal | undefined {
  const hasCall = turn.role === "assistant" && turn.blocks.some(({ block }) => block.type === "tool_use");
  for (const placed of turn.blocks) {
    if (lenientHistory && hasCall && isWhiteSpace(placed.block.text)) continue;
    const refusal = textBlock(placed, turn) ?? nested(placed);
    if (refusal) return refusal;
  }
  const tail = turn.blocks.at(-1);
  return turn.role === "assistant" && tail && isThinking(tail.block) ? refuse("26a", { index: turn.index }) : undefined;
}

function systemText(system: Request["body"]["system"]): Refusal | undefined {
  if (system === undefined || typeof system === "string") return undefined;
  for (const [index, block] of system.entries()) {
    const refusal = blank(block.text, `system.${index}`, block.cache_control);
    if (refusal) return refusal;
  }
  return undefined;
}

function textBlock({ block, path }: PlacedBlock, turn: Turn): Refusal | undefined {
  if (block.type !== "text") return undefined;
  const citations = block.citations;
  if (turn.role === "user" && Array.isArray(citations) && citations.length > 0) return refuse("36", { path });
  return blank(block.text, path, block.cache_control);
}

/** The text blocks of a result. */
function nested({ block, path }: PlacedBlock): Refusal | undefined {
  const content = block.content;
  if (block.type !== "tool_result" || !Array.isArray(content)) return undefined;
  for (const [index, inner] of content.entries()) {
    if (inner.type !== "text") continue;
    const refusal = blank(inner.text, `${path}.content.${index}`, inner.cache_control);
    if (refusal) return refusal;
  }
  return undefined;
}

const isWhiteSpace = (text: unknown): boolean => typeof text === "string" && /^\s+$/.test(text);

function blank(text: unknown, path: string, mark: unknown): Refusal | undefined {
  if (typeof text !== "string" || text.trim() !== "") return undefined;
  const where = path.startsWith("messages.") ? "messages" : "system";
  if (text !== "") return refuse("28", { path: where });
  return mark ? refuse("34", { path }) : refuse("27", { path: where });
}
