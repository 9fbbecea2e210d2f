/** Answers without a stream: JSON, and errors in the API's shape. */
import type { Recording } from "./recorder.ts";
import type { Service } from "./service.ts";
import type { Fault, Json } from "./types.ts";
import type { Exchange } from "./wire/http.ts";

/** One exchange and what belongs to it. */
export interface Handling {
  readonly exchange: Exchange;
  readonly service: Service;
  readonly record: Recording;
  readonly requestId: string;
}

/** A refusal by rule, by the script, or because there is no such path. */
export interface ErrorAnswer {
  readonly rule: string;
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: Json;
}

export const headersOf = (requestId: string): Readonly<Record<string, string>> => ({
  "request-id": requestId,
  "anthropic-organization-id": "org_simulated",
});

export async function sendJson({ exchange, record, requestId }: Handling, body: Json): Promise<void> {
  record.status = 200;
  await exchange.respond(200, { ...headersOf(requestId), "content-type": "application/json" }, JSON.stringify(body));
  record.outcome = "answered";
}

export async function sendError(handling: Handling, { status, type, message, details }: ErrorAnswer): Promise<void> {
  const { exchange, record, requestId } = handling;
  const body = { type: "error", error: { type, message, ...(details ? { details } : {}) }, request_id: requestId };
  record.status = status;
  await exchange.respond(status, { ...headersOf(requestId), "content-type": "application/json" }, JSON.stringify(body));
  record.outcome = "answered";
}

export async function sendHttpFault(handling: Handling, fault: Extract<Fault, { kind: "http" }>): Promise<void> {
  const { exchange, record, requestId } = handling;
  const isText = typeof fault.body === "string";
  const body = isText ? String(fault.body) : JSON.stringify(fault.body ?? defaultError(fault, requestId));
  record.status = fault.status;
  record.outcome = "fault";
  const type = isText ? "text/html" : "application/json";
  await exchange.respond(fault.status, { ...headersOf(requestId), "content-type": type, ...fault.headers }, body);
}

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const defaultError = ({ status, errorCode }: Extract<Fault, { kind: "http" }>, requestId: string) => ({
  type: "error",
  error: {
    type: TYPES[status] ?? "api_error",
    message: status === 529 ? "Overloaded" : `simulated ${status}`,
    ...(errorCode === undefined ? {} : { details: { error_code: errorCode } }),
  },
  request_id: requestId,
});
