/** What GET /v1/models answers. As in the real API there is nothing here about prices, cache minimums or default efforts. */
import { findModel, type SimulatedModel } from "./models.ts";
import { type Refusal, refuse } from "./rules/table.ts";
import type { Json } from "./types.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

export function answerModels(
  models: readonly SimulatedModel[],
  path: string,
): { readonly json: Json } | { readonly refusal: Refusal } {
  const url = new URL(path, "http://simulator.invalid");
  const id = /^\/v1\/models\/(.+)$/.exec(url.pathname)?.[1];
  if (id === undefined) return { json: page(models, url.searchParams) };
  const name = decodeURIComponent(id);
  const found = findModel(models, name);
  return found ? { json: modelInfo(found) } : { refusal: refuse("7", { model: name }) };
}

function page(models: readonly SimulatedModel[], query: URLSearchParams): Json {
  const wanted = query.getAll("lifecycle[]");
  const lifecycles = wanted.length > 0 ? wanted : ["active", "deprecated"];
  const all = models.filter((model) => lifecycles.includes(model.lifecycle));
  const limit = Math.min(MAX_LIMIT, Math.max(1, Number(query.get("limit")) || DEFAULT_LIMIT));
  const position = (name: string) => all.findIndex((model) => model.id === query.get(name));
  const before = query.has("before_id") ? Math.max(0, position("before_id")) : undefined;
  const start = before === undefined ? position("after_id") + 1 : Math.max(0, before - limit);
  const end = before ?? start + limit;
  const data = all.slice(start, end).map(modelInfo);
  const has_more = before === undefined ? end < all.length : start > 0;
  return { data, has_more, first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

const supported = (yes: boolean) => ({ supported: yes });

function modelInfo(model: SimulatedModel): Json {
  const kinds = ["adaptive", "between_tools", "disabled", "enabled"] as const;
  const efforts = ["low", "medium", "high", "xhigh", "max"] as const;
  return {
    type: "model",
    id: model.id,
    display_name: model.displayName,
    created_at: model.createdAt,
    lifecycle: model.lifecycle,
    deprecated_at: model.lifecycle === "active" ? null : "2026-08-01T00:00:00Z",
    retires_at: model.lifecycle === "active" ? null : "2027-01-22T00:00:00Z",
    line: model.line,
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutputTokens,
    capabilities: {
      batch: supported(true),
      citations: supported(true),
      code_execution: supported(true),
      context_management: {
        ...supported(true),
        clear_thinking_20251015: supported(true),
        clear_tool_uses_20250919: supported(true),
        compact_20260112: supported(!model.prefill),
      },
      effort: {
        ...supported(model.efforts.length > 0),
        ...Object.fromEntries(efforts.map((level) => [level, supported(model.efforts.includes(level))])),
      },
      image_input: supported(true),
      pdf_input: supported(true),
      server_tools: { ...supported(true), code_execution: supported(true), web_search: supported(true) },
      structured_outputs: supported(true),
      thinking: {
        ...supported(true),
        types: Object.fromEntries(kinds.map((kind) => [kind, supported(model.thinking.includes(kind))])),
      },
    },
  };
}
