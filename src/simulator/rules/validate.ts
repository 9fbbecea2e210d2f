/**
 * The order of validation, the API's own: credentials, size, JSON, schema, model, parameters, history, cache marks, prefix,
 * tokens. The first failure is the answer. What passes comes back rendered, ready for the cache.
 */

import { findModel, type SimulatedModel } from "../models.ts";
import { type Prompt, promptOf } from "../prompt/cache.ts";
import { type Canon, canonOf } from "../prompt/canon.ts";
import { verifyCompaction } from "../prompt/compaction.ts";
import { type Dropped, verifyThinking } from "../prompt/signature.ts";
import type { Json } from "../types.ts";
import { countShape, createShape } from "./body.ts";
import { misfitOfParameters } from "./fit.ts";
import { misfitOfHistory } from "./history.ts";
import { misfitOfMarks } from "./marks.ts";
import { misfitOfMedia } from "./media.ts";
import { misfitOfPairing } from "./pairing.ts";
import { type Body, type Request, type Turn, turnsOf } from "./request.ts";
import { type Refusal, refuse } from "./table.ts";
import { parseBody } from "./text.ts";

export interface Incoming {
  readonly endpoint: Request["endpoint"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly tooLarge: boolean;
}

export interface Judge {
  readonly models: readonly SimulatedModel[];
  readonly secret: string;
  /** Undefined: any key that is not empty. */
  readonly apiKey: string | undefined;
  readonly isPaused: (last: Turn) => boolean;
}

export interface Accepted {
  readonly request: Request;
  readonly canon: Canon;
  readonly prompt: Prompt;
  readonly dropped: readonly Dropped[];
  /** The tag of the last thinking block, which the answer's first signature names. */
  readonly lastTag: string;
}

export type Judgement = { readonly accepted: Accepted } | { readonly refusal: Refusal };

export function judge(incoming: Incoming, by: Judge): Judgement {
  const early = misfitOfCredentials(incoming.headers, by.apiKey) ?? misfitOfEnvelope(incoming);
  if (early) return { refusal: early };
  const parsed = parseBody(incoming.body);
  if ("refusal" in parsed) return parsed;
  const read = readRequest(parsed.body, incoming, by.models);
  if ("refusal" in read) return read;
  const { request } = read;
  const refusal =
    misfitOfParameters(request) ??
    misfitOfHistory(request, by.isPaused) ??
    misfitOfPairing(request) ??
    misfitOfMedia(request) ??
    misfitOfMarks(request);
  return refusal ? { refusal } : weigh(request, by.secret);
}

const VERSIONS = ["2023-01-01", "2023-06-01", "2026-10-21"];

export function misfitOfCredentials(headers: Incoming["headers"], apiKey: string | undefined): Refusal | undefined {
  const bearer = /^Bearer (.*)$/i.exec(headers.authorization ?? "")?.[1]?.trim();
  const key = headers["x-api-key"] || bearer;
  if (!key || (apiKey !== undefined && key !== apiKey)) return refuse("1");
  const value = headers["anthropic-version"];
  if (!value) return refuse("3");
  return VERSIONS.includes(value) ? undefined : refuse("3a", { value });
}

function misfitOfEnvelope({ headers, tooLarge }: Incoming): Refusal | undefined {
  if (tooLarge) return refuse("2");
  return /^application\/json\b/i.test(headers["content-type"] ?? "") ? undefined : refuse("3b");
}

function readRequest(
  raw: Json,
  { endpoint, headers, body: bytes }: Incoming,
  models: readonly SimulatedModel[],
): { readonly request: Request } | { readonly refusal: Refusal } {
  const betas = new Set((headers["anthropic-beta"] ?? "").split(",").map((name) => name.trim()));
  const shape = endpoint === "messages" ? createShape : countShape;
  const misfit = shape(raw, "", { betas });
  if (misfit) return { refusal: misfit };
  const body = raw as Body; // the shape above is its proof
  const model = findModel(models, body.model);
  if (!model || model.lifecycle === "retired") return { refusal: refuse("7", { model: body.model }) };
  const version = headers["anthropic-version"] ?? "";
  if (bytes.byteLength > (model.requestBytes ?? Number.POSITIVE_INFINITY)) return { refusal: refuse("2") };
  return { request: { body, endpoint, betas, version, model, ...turnsOf(body.messages) } };
}

function weigh(request: Request, secret: string): Judgement {
  const summary = verifyCompaction(request, secret);
  if ("refusal" in summary) return summary;
  const canon = canonOf(request, summary.covered);
  const { refusal, dropped, lastTag } = verifyThinking(request, canon, secret);
  if (refusal) return { refusal };
  const prompt = promptOf(request, canon, new Set(dropped.map(({ path }) => path)));
  const limit = request.model.contextWindow;
  if (prompt.tokens > limit) return { refusal: refuse("37", { tokens: prompt.tokens, limit }) };
  return { accepted: { request, canon, prompt, dropped, lastTag } };
}
