/**
 * The loopback Messages API: strict as the real one, with answers from a script. Speaks HTTP on 127.0.0.1 only, holds no secrets,
 * and calls nobody.
 */
import { answerMessages } from "./messages-endpoint.ts";
import { answerModels } from "./models-endpoint.ts";
import { keepNewest, Recording } from "./recorder.ts";
import { type ErrorAnswer, type Handling, sendError, sendJson } from "./reply.ts";
import { judge, misfitOfCredentials } from "./rules/validate.ts";
import { createService } from "./service.ts";
import type { Simulator, SimulatorOptions, SimulatorRefusal } from "./types.ts";
import { serveHttp } from "./wire/http.ts";

const KEEP_REQUESTS = 400;

/** Starts a server on a port of 127.0.0.1, a free one unless told. The caller closes it. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const requests: Recording[] = [];
  const refusals: SimulatorRefusal[] = [];
  const keep = options.keepRequests ?? KEEP_REQUESTS;
  const service = createService(options);

  const server = await serveHttp(options.port ?? 0, async (exchange) => {
    const record = new Recording(exchange.request, service.clock.now());
    keepNewest(requests, record, keep);
    const handling: Handling = { exchange, service, record, requestId: service.requestId() };
    const refusal = await route(handling);
    if (refusal) {
      record.refusal = { rule: refusal.rule, status: refusal.status, message: refusal.message };
      keepNewest(refusals, record.refusal, keep);
      await sendError(handling, refusal);
    }
    if (record.outcome === "pending") record.outcome = "client-closed";
    options.onDone?.(record);
  });

  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    refusals,
    openConnections: server.openConnections,
    failNext: (...faults) => void service.queue.push(...faults),
    close: server.close,
  };
}

async function route(handling: Handling): Promise<ErrorAnswer | undefined> {
  const { method, path } = handling.exchange.request;
  const [pathname = ""] = path.split("?");
  if (method === "POST" && pathname === "/v1/messages") return answerMessages(handling);
  if (method === "POST" && pathname === "/v1/messages/count_tokens") return countTokens(handling);
  if (method === "GET" && /^\/v1\/models(\/|$)/.test(pathname)) return listModels(handling);
  return { rule: "route", status: 404, type: "not_found_error", message: "Not found" };
}

async function countTokens(handling: Handling): Promise<ErrorAnswer | undefined> {
  const judgement = judge({ endpoint: "count_tokens", ...handling.exchange.request }, handling.service.judge);
  if ("refusal" in judgement) return judgement.refusal;
  await sendJson(handling, { input_tokens: judgement.accepted.prompt.tokens });
  return undefined;
}

async function listModels(handling: Handling): Promise<ErrorAnswer | undefined> {
  const { exchange, service } = handling;
  const refusal = misfitOfCredentials(exchange.request.headers, service.options.apiKey);
  if (refusal) return refusal;
  const answer = answerModels(service.models, exchange.request.path);
  if ("refusal" in answer) return answer.refusal;
  await sendJson(handling, answer.json);
  return undefined;
}
