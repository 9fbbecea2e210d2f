/** The events of an answer, in the grammar of the real stream, and their bytes. */
import type { Json, SimulatorUsage, SseEvent, StreamOptions } from "../types.ts";
import type { Answer, AnswerBlock } from "./answer.ts";

export interface Envelope {
  readonly id: string;
  readonly model: string;
  readonly usage: Omit<SimulatorUsage, "output_tokens" | "output_tokens_details">;
  readonly diagnostics: Json | null;
  /** Present only under the beta that reports it. */
  readonly inputTransformations?: readonly Json[];
}

const DELTA_CHARS = 24;

const named = (data: Json & { readonly type: string }): SseEvent => ({ event: data.type, data });

export function usageOf(answer: Answer, envelope: Envelope): SimulatorUsage {
  const { outputTokens: output_tokens, thinkingTokens: thinking } = answer;
  if (answer.isSummary)
    return { ...NOTHING_SAMPLED, iterations: [{ type: "compaction", ...envelope.usage, output_tokens }] };
  return {
    ...envelope.usage,
    output_tokens,
    output_tokens_details: thinking > 0 ? { thinking_tokens: thinking } : null,
  };
}

/** The sums of an answer that holds nothing but a summary. */
const NOTHING_SAMPLED: SimulatorUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: null,
};

const rest = { server_tool_use: null, service_tier: "standard", speed: "standard", inference_geo: null };

export function messageOf(answer: Answer, envelope: Envelope): Json {
  return {
    ...emptyMessage(answer, envelope),
    content: answer.blocks.map((block) => block.whole),
    stop_reason: answer.stopReason,
    stop_details: answer.stopDetails,
    usage: { ...usageOf(answer, envelope), ...rest },
  };
}

const emptyMessage = (
  { isSummary }: Answer,
  { id, model, diagnostics, usage, inputTransformations }: Envelope,
): Json => ({
  id,
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
  usage: { ...(isSummary ? NOTHING_SAMPLED : { ...usage, output_tokens: 1, output_tokens_details: null }), ...rest },
  diagnostics,
  ...(inputTransformations ? { input_transformations: inputTransformations } : {}),
});

export function planEvents(answer: Answer, envelope: Envelope, options: StreamOptions): readonly SseEvent[] {
  const events: SseEvent[] = [
    named({ type: "message_start", message: emptyMessage(answer, envelope) }),
    named({ type: "ping" }),
    ...(options.unknownEvents ? [named({ type: "weather_report", outlook: "fine" })] : []),
  ];
  for (const [index, block] of answer.blocks.entries()) pushBlock(events, block, { index, options });
  const usage = usageOf(answer, envelope);
  const { output_tokens, ...before } = usage;
  if (options.twoMessageDeltas) {
    const early = { ...before, output_tokens: Math.ceil(output_tokens / 2) };
    events.push(named({ type: "message_delta", delta: { stop_reason: null, stop_sequence: null }, usage: early }));
  }
  const delta = { stop_reason: answer.stopReason, stop_sequence: null, stop_details: answer.stopDetails };
  events.push(named({ type: "message_delta", delta, usage: { ...usage, server_tool_use: null } }));
  events.push(named({ type: "message_stop" }));
  return options.pingEvery ? withPings(events, options.pingEvery) : events;
}

function pushBlock(
  events: SseEvent[],
  { start, body, tail }: AnswerBlock,
  { index, options }: { readonly index: number; readonly options: StreamOptions },
): void {
  const push = (delta: Json) => events.push(named({ type: "content_block_delta", index, delta }));
  events.push(named({ type: "content_block_start", index, content_block: start }));
  if (body) {
    const isJson = body.delta === "input_json_delta";
    const opensEmpty = isJson ? options.emptyDeltas || body.text === "" : options.emptyDeltas;
    if (opensEmpty) push({ type: body.delta, [body.field]: "" });
    for (const piece of pieces(body.text, options.deltaChars ?? DELTA_CHARS))
      push({ type: body.delta, [body.field]: piece });
  }
  if (options.unknownEvents) push({ type: "weather_delta", wind: 3 });
  for (const delta of tail) push(delta);
  events.push(named({ type: "content_block_stop", index }));
}

/** Never splits a surrogate pair. */
function* pieces(text: string, chars: number): Generator<string> {
  const size = Math.max(1, chars);
  for (let at = 0; at < text.length; ) {
    const end = at + size;
    const unit = text.charCodeAt(end - 1);
    const splits = unit >= 0xd800 && unit <= 0xdbff && end < text.length;
    yield text.slice(at, splits ? end + 1 : end);
    at = splits ? end + 1 : end;
  }
}

function withPings(events: readonly SseEvent[], every: number): readonly SseEvent[] {
  let deltas = 0;
  return events.flatMap((event) => {
    if (event.event !== "content_block_delta") return [event];
    deltas++;
    return deltas % every === 0 ? [event, named({ type: "ping" })] : [event];
  });
}

const PADDING = "    ";

export function encodeEvent({ event, data }: SseEvent, options: StreamOptions): Uint8Array {
  const line = options.crlf ? "\r\n" : "\n";
  const json = typeof data === "string" ? data : JSON.stringify(data);
  const padded = options.padding && json.endsWith("}") ? `${json.slice(0, -1)}${PADDING}}` : json;
  const comment = options.unknownEvents ? `: still here${line}` : "";
  const name = options.omitEventLines ? "" : `event: ${event}${line}`;
  return Buffer.from(`${comment}${name}data: ${padded}${line}${line}`);
}
