/** A recorded answer as the recorder of streams would have written it, and the results of its calls. */
import { beforeStream, recordFailure, recordStream, type StreamContext } from "../../src/agent/record-stream.ts";
import { uniqueToolUseId } from "../../src/agent/tool-use-ids.ts";
import type { CompletedBlock, ModelEvent } from "../../src/anthropic/index.ts";
import { type DurableInput, type ModelUsage, NO_USAGE } from "../../src/shared/index.ts";
import { isRecord } from "./lines.ts";
import type { Answer, AnswerBlock, CallResult, Spent, Tally } from "./types.ts";
import { closeCalls, injectQueued, interrupt, stopTurn, type Writing } from "./writing.ts";

export function writeAnswer(writing: Writing, answer: Answer): void {
  prepareRequest(writing);
  const { session, tally, context } = writing;
  const requestId = `request-${++writing.requests}`;
  const { request, record } = context.selectContext(session.state());
  const stream: StreamContext = {
    newRequestId: () => requestId,
    started: { model: request.model, purpose: "main", ...record },
    uniqueToolUseId: uniqueToolUseId(session.state().conversation),
  };
  const blocks = answer.blocks.flatMap((block) => recordable(block, tally) ?? []);
  const events: readonly ModelEvent[] = [
    { type: "started", attempt: 1 },
    ...blocks.map((block, blockIndex): ModelEvent => ({ type: "block-completed", blockIndex, block })),
    ...(answer.end === "finished" ? [finished(answer, blocks)] : []),
  ];
  let recording = beforeStream;
  for (const event of events) {
    const [after, durable] = recordStream(recording, event, stream);
    recording = after;
    for (const input of durable) session.publish(input);
    noteCall(writing, event, durable);
  }
  if (answer.end === "finished") return;
  const isStopped = answer.end === "stopped";
  tally.add(isStopped ? "answers that the user stopped" : "answers that failed");
  if (isStopped) interrupt(writing);
  const { failure: message = "it failed" } = answer;
  const failure = { kind: isStopped ? "cancelled" : "retryable", message, attempts: 1 } as const;
  for (const input of recordFailure(recording, failure, isStopped, stream)) session.publish(input);
  if (isStopped) closeCalls(writing);
}

/** No request goes out while a call is open, before anything was said, or behind an answer. */
function prepareRequest(writing: Writing): void {
  const { session, tally } = writing;
  if (session.state().turn.pending.length > 0) stopTurn(writing);
  injectQueued(writing);
  const { conversation, turn } = session.state();
  if (conversation.messages.at(-1)?.role === "user" && turn.phase === "open") return;
  tally.add("words put in where an answer follows nothing that was said");
  const by = turn.phase === "open" ? "kernel" : "user";
  session.publish({ type: "user.message-created", payload: { text: "Go on.", mentions: [], by } });
}

/** Thinking is left out: its signature was made elsewhere, and no server would take it back. */
function recordable(block: AnswerBlock, tally: Tally): CompletedBlock | undefined {
  if (block.type === "text") return block;
  if (block.type === "thinking") {
    tally.add(`${block.kind} thinking blocks`);
    return undefined;
  }
  if (isRecord(block.input)) return { ...block, type: "tool_use" };
  tally.add("calls whose input was no object, kept as text");
  return { ...block, type: "tool_use", input: { INVALID_JSON: JSON.stringify(block.input ?? null) } };
}

/** An id that an earlier call has is another one in the log, and the result has to find it. */
function noteCall({ ids, resultsAt, tally }: Writing, event: ModelEvent, [input]: readonly DurableInput[]): void {
  if (event.type !== "block-completed" || event.block.type !== "tool_use" || input?.type !== "tool.requested") return;
  const { id: foreign } = event.block;
  const { toolUseId } = input.payload;
  if (toolUseId !== foreign) tally.add("calls whose id was taken, renamed");
  ids.set(foreign, toolUseId);
  const at = resultsAt.get(foreign);
  if (at !== undefined) resultsAt.set(toolUseId, at);
}

function finished({ stopReason, messageId, model, spent }: Answer, blocks: readonly CompletedBlock[]): ModelEvent {
  const calls = blocks.some(({ type }) => type === "tool_use");
  return {
    type: "finished",
    stopReason: stopReason ?? (calls ? "tool_use" : "end_turn"),
    usage: spent ? usageOf(spent) : NO_USAGE,
    durationMs: 0,
    ...(messageId !== undefined && { messageId }),
    ...(model !== undefined && { resolvedModel: model }),
  };
}

const usageOf = ({ input, output, cacheRead, cacheWrite }: Spent): ModelUsage => ({
  inputTokens: Math.round(input),
  outputTokens: Math.round(output),
  cacheReadTokens: Math.round(cacheRead),
  cacheWriteTokens: Math.round(cacheWrite),
});

/** What names no open call is counted: the API would refuse it, and so does the log. */
export function writeResult(writing: Writing, { callId, text, isError }: CallResult): void {
  const { session, tally, ids } = writing;
  const toolUseId = ids.get(callId);
  const call = session.state().turn.pending.find((pending) => pending.toolUseId === toolUseId);
  if (!call || toolUseId === undefined) {
    tally.add(toolUseId === undefined ? "results of calls that nobody made" : "results of calls that were closed");
    return;
  }
  const { toolName } = call;
  session.publish({ type: "tool.approved", payload: { toolUseId, via: "policy-allow" } });
  session.publish({ type: "tool.started", payload: { toolUseId, toolName } });
  session.publish(endOf({ toolUseId, text, isError }));
  injectQueued(writing);
}

interface Ended {
  readonly toolUseId: string;
  readonly text: string;
  readonly isError: boolean;
}

export function endOf({ toolUseId, text: modelText, isError }: Ended): DurableInput {
  const ended = { toolUseId, modelText, durationMs: 0 };
  if (isError) return { type: "tool.failed", payload: { ...ended, errorKind: "exec-error" } };
  return { type: "tool.completed", payload: { ...ended, ui: { kind: "exec", summary: "" } } };
}
