/** What a request that asks for a summary may look like, and where the summaries of earlier ones may stand. */
import { asksForSummary, holdsSummary, type PlacedBlock, type Request, type Turn } from "./request.ts";
import { isRecord } from "./shape.ts";
import { type Refusal, refuse } from "./table.ts";

const MAX_INSTRUCTIONS = 16_384;

/** On a summary these would do nothing, and the API refuses them. */
export function misfitOfSummaryParameters(request: Request): Refusal | undefined {
  if (!asksForSummary(request)) return undefined;
  const { body, model } = request;
  if (!model.serverCompaction) return refuse("39c", { path: "compaction" });
  if ((body.compaction?.instructions ?? "").length > MAX_INSTRUCTIONS) {
    const expected = `a string of at most ${MAX_INSTRUCTIONS} characters`;
    return refuse("6a", { path: "compaction.instructions", expected });
  }
  const forced = body.tool_choice?.type === "any" || body.tool_choice?.type === "tool";
  const combined = [
    ["context_management", body.context_management],
    ["stop_sequences", body.stop_sequences],
    ["output_config.format", body.output_config?.format],
    ["tool_choice", forced || undefined],
    ["max_tokens: 0", body.max_tokens === 0 || undefined],
  ].find(([, value]) => value !== undefined && value !== null);
  return combined && refuse("39d", { field: String(combined[0]) });
}

/** Blocks without a summary are no-ops, wherever they stand; those of the server's own edits stand where they were made. */
export function misplacedSummary({ body, turns }: Request): Refusal | undefined {
  const [first, second] = turns
    .flatMap((turn) => turn.blocks)
    .filter(({ block }) => holdsSummary(block) && !(compactsItself(body) && block.signature === undefined));
  if (second) return refuse("39a", { path: second.path });
  return first && first !== turns[0]?.blocks[0] ? refuse("39", { path: first.path }) : undefined;
}

/** Whether the request lets the server compact within an answer, when a threshold is reached. */
const compactsItself = ({ context_management: management }: Request["body"]): boolean =>
  isRecord(management) &&
  Array.isArray(management.edits) &&
  management.edits.some((edit) => isRecord(edit) && edit.type === "compact_20260112");

/** There has to be something to sum up. A turn that ends in blocks of failed compactions only says nothing. */
export function nothingToSummarize(request: Request): Refusal | undefined {
  if (!asksForSummary(request)) return undefined;
  const said = request.turns.some((turn) => turn.role !== "system" && turn.blocks.some(says));
  return said ? undefined : refuse("39f");
}

export const says = ({ block }: PlacedBlock): boolean => block.type !== "compaction" || holdsSummary(block);

/** A conversation may end with an answer, but not with one that waits for something. */
export function incompleteTurn(last: Turn, isPaused: boolean): Refusal | undefined {
  const done = new Set(last.blocks.map(({ block }) => block.tool_use_id));
  const isOpen = last.blocks.some(
    ({ block }) => block.type === "tool_use" || (block.type === "server_tool_use" && !done.has(block.id)),
  );
  return isOpen || isPaused ? refuse("39e", { index: last.index }) : undefined;
}
