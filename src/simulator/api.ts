/**
 * The Messages API behind any wire: strict as the real one, with answers from a script. It knows no sockets; whoever has an
 * exchange hands it in. Holds no secrets and calls nobody.
 */
import { answerMessages } from "./messages-endpoint.ts";
import { answerModels } from "./models-endpoint.ts";
import { keepNewest, Recording } from "./recorder.ts";
import { type ErrorAnswer, type Handling, sendError, sendJson } from "./reply.ts";
import { judge, misfitOfCredentials } from "./rules/validate.ts";
import { createService } from "./service.ts";
import type { Simulator, SimulatorOptions, SimulatorRefusal } from "./types.ts";
import type { Exchange } from "./wire/http.ts";

const KEEP_REQUESTS = 400;

export interface MessagesApi extends Pick<Simulator, "requests" | "refusals" | "failNext"> {
  /** Resolves when the exchange is over, in whatever way. Rejects only for a bug. */
  serve(exchange: Exchange): Promise<void>;
}

export function createMessagesApi(options: SimulatorOptions): MessagesApi {
  const requests: Recording[] = [];
  const refusals: SimulatorRefusal[] = [];
  const keep = options.keepRequests ?? KEEP_REQUESTS;
  const service = createService(options);
  return {
    requests,
    refusals,
    failNext: (...faults) => void service.queue.push(...faults),
    async serve(exchange) {
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
    },
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
