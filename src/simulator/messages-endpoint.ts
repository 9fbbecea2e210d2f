/** POST /v1/messages: judge the request, let the script answer, count the tokens, stream. */
import { errorMessage } from "../shared/index.ts";
import type { CacheUse } from "./prompt/cache.ts";
import { type ErrorAnswer, type Handling, headersOf, sendHttpFault, sendJson } from "./reply.ts";
import { asksForSummary } from "./rules/request.ts";
import { type Accepted, judge } from "./rules/validate.ts";
import { scriptRequest } from "./script.ts";
import type { Fault, ScriptedTurn, StreamFault } from "./types.ts";
import { type Answer, composeAnswer } from "./wire/answer.ts";
import { deliver, gone, pause } from "./wire/delivery.ts";
import { type Envelope, messageOf, planEvents, usageOf } from "./wire/events.ts";
import type { Exchange } from "./wire/http.ts";
import { composeSummary } from "./wire/summary.ts";

/** Resolves with the refusal that is still to be sent, or with undefined when the exchange is over. */
export async function answerMessages(handling: Handling): Promise<ErrorAnswer | undefined> {
  const { exchange, service, record } = handling;
  const judgement = judge({ endpoint: "messages", ...exchange.request }, service.judge);
  if ("refusal" in judgement) return judgement.refusal;
  const { accepted } = judgement;
  record.mergedNeighbours = accepted.request.mergedNeighbours;
  const queued = service.queue.shift();
  if (queued && !isStreamFault(queued)) return void (await breakDown(handling, queued));
  const turn = askScript(handling, accepted);
  if ("rule" in turn) return turn;
  const fault = queued ?? service.nextFault(turn, accepted);
  if (fault && !isStreamFault(fault)) return void (await breakDown(handling, fault));
  if (fault) record.fault = fault;
  await answer(handling, { accepted, turn, fault });
  return undefined;
}

function askScript({ service }: Handling, { request }: Accepted): ScriptedTurn | ErrorAnswer {
  try {
    return service.options.script(scriptRequest(request));
  } catch (error) {
    const message = `simulator: ${errorMessage(error)}`;
    return { rule: "script", status: 400, type: "invalid_request_error", message };
  }
}

const isStreamFault = (fault: Fault): fault is StreamFault =>
  fault.kind !== "http" && fault.kind !== "no-answer" && fault.kind !== "hang-up" && fault.kind !== "raw";

async function breakDown(handling: Handling, fault: Exclude<Fault, StreamFault>): Promise<void> {
  const { exchange, record } = handling;
  record.fault = fault;
  if (fault.kind === "http") return sendHttpFault(handling, fault);
  if (fault.kind === "hang-up") exchange.hangUp();
  else if (fault.kind === "raw") await sendRaw(exchange, fault);
  else await gone(exchange.closed);
  record.outcome = "fault";
}

async function sendRaw(exchange: Exchange, { bytes, then }: Extract<Fault, { kind: "raw" }>): Promise<void> {
  await exchange.raw?.(bytes);
  if (then === "hold") await gone(exchange.closed);
  else if (then === "reset") exchange.hangUp();
  else exchange.end?.();
}

interface Planned {
  readonly accepted: Accepted;
  readonly turn: ScriptedTurn;
  readonly fault: StreamFault | undefined;
}

async function answer(handling: Handling, { accepted, turn, fault }: Planned): Promise<void> {
  const { exchange, service, record } = handling;
  const unique = service.unique(accepted);
  const use = service.cache.use(accepted.prompt, accepted.request.model.cacheMinimum);
  const envelope = envelopeOf(handling, { accepted, use, id: `msg_${unique("message")}` });
  const compose = asksForSummary(accepted.request) ? composeSummary : composeAnswer;
  const composed = compose(turn, { accepted, secret: service.secret, unique });
  if (turn.delayMs) await pause({ clock: service.clock, closed: exchange.closed }, turn.delayMs);
  if (exchange.closed.aborted) return;
  use.commit();
  service.diagnosis.remember(envelope.id, accepted.request.model.id, accepted.prompt);
  record.usage = usageOf(composed, envelope);
  record.status = 200;
  if (composed.stopReason === "pause_turn") service.pause(composed.blocks.at(-1)?.whole);
  if (accepted.request.body.stream) return stream(handling, { turn, fault, composed, envelope });
  if (!fault) return sendJson(handling, messageOf(composed, envelope));
  exchange.hangUp();
  record.outcome = "fault";
}

function envelopeOf(
  { service }: Handling,
  { accepted, use, id }: { readonly accepted: Accepted; readonly use: CacheUse; readonly id: string },
): Envelope {
  const { request, prompt, dropped } = accepted;
  const reports = request.betas.has("thinking-binding-controls-2026-08-01");
  const transformations = dropped.map(({ path, reason }) => ({ type: "thinking_dropped", path, reason }));
  const previous = request.body.diagnostics?.previous_message_id;
  return {
    id,
    model: request.model.id,
    diagnostics: service.diagnosis.explain(previous, request.model.id, prompt),
    usage: {
      input_tokens: use.input,
      cache_creation_input_tokens: use.written5m + use.written1h,
      cache_read_input_tokens: use.read,
      cache_creation: { ephemeral_5m_input_tokens: use.written5m, ephemeral_1h_input_tokens: use.written1h },
    },
    ...(reports ? { inputTransformations: transformations } : {}),
  };
}

interface Streaming {
  readonly turn: ScriptedTurn;
  readonly fault: StreamFault | undefined;
  readonly composed: Answer;
  readonly envelope: Envelope;
}

async function stream(handling: Handling, { turn, fault, composed, envelope }: Streaming): Promise<void> {
  const { exchange, service, record, requestId } = handling;
  const options = { ...service.options.stream, ...turn.stream };
  const planned = planEvents(composed, envelope, options);
  const body = await exchange.open({
    ...headersOf(requestId),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  record.outcome = await deliver(turn.alter ? turn.alter(planned) : planned, {
    body,
    closed: exchange.closed,
    clock: service.clock,
    options,
    fault,
    requestId,
    onEvent: (event) => service.options.onEvent?.(event, record),
  });
}
