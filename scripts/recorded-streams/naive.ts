/**
 * A second reading of a stream, made from the API's grammar and nothing else, to hold the product's own against. It keeps
 * everything as it came, has the whole stream at once, and is as simple as it can be.
 */
import { isJson, type Json, jsonOf, listOf } from "./types.ts";

export type Block = Json & { readonly type: string };

export interface NaiveMessage {
  readonly id: unknown;
  readonly model: unknown;
  /** With holes where an index was left out. */
  readonly content: readonly (Block | undefined)[];
  readonly stopReason: unknown;
  readonly stopDetails: unknown;
  /** The fields of every report, the last word of each. */
  readonly usage: Json;
  readonly cacheMissReason: unknown;
}

export type Reading =
  | { readonly kind: "whole"; readonly message: NaiveMessage }
  /** It ends before its end. */
  | { readonly kind: "cut" }
  | { readonly kind: "error"; readonly error: Json }
  /** The grammar has no such stream. */
  | { readonly kind: "broken"; readonly why: string };

export function readNaively(bytes: Uint8Array): Reading {
  const events = eventsOf(new TextDecoder().decode(bytes));
  const last = events.findIndex(({ type }) => type === "message_stop" || type === "error");
  const told = last === -1 ? events : events.slice(0, last + 1);
  const why = breach(told);
  if (why !== undefined) return { kind: "broken", why };
  const end = told.at(-1);
  if (end?.type === "error") return { kind: "error", error: jsonOf(end.error) };
  return last === -1 ? { kind: "cut" } : { kind: "whole", message: messageOf(told) };
}

/** The data of each event, which may take several lines. */
function eventsOf(text: string): readonly Json[] {
  const blocks = text.replaceAll("\r\n", "\n").split(/\n\n+/);
  return blocks.flatMap((block) => {
    const lines = block.split("\n").filter((line) => line.startsWith("data:"));
    const data = lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
    return data === "" ? [] : [jsonOf(JSON.parse(data))];
  });
}

function breach(events: readonly Json[]): string | undefined {
  const firstBlock = events.findIndex(({ type }) => type === "content_block_start");
  const secondStart = events.findLastIndex(({ type }) => type === "message_start");
  if (firstBlock !== -1 && secondStart > firstBlock) return "a message begins inside another";
  const started = events.filter(({ type }) => type === "content_block_start").map(({ index }) => index);
  if (new Set(started).size < started.length) return "an index is given twice";
  const stopped = new Set(events.filter(({ type }) => type === "content_block_stop").map(({ index }) => index));
  const isOver = events.some(({ type }) => type === "message_stop");
  // A limit may strike in the middle of the last block.
  const isLimit = events.some(({ delta }) => /^(max_tokens|model_context)/.test(String(jsonOf(delta).stop_reason)));
  const due = isLimit ? started.slice(0, -1) : started;
  return isOver && due.some((index) => !stopped.has(index)) ? "a block never ends" : undefined;
}

function messageOf(events: readonly Json[]): NaiveMessage {
  const start = jsonOf(events.findLast(({ type }) => type === "message_start")?.message);
  const endings = events.filter(({ type }) => type === "message_delta");
  const last = (field: string): unknown =>
    [start, ...endings.map(({ delta }) => jsonOf(delta))]
      .map((said) => said[field])
      .findLast((value) => value !== undefined && value !== null);
  const reports = [jsonOf(start.usage), ...endings.map(({ usage }) => jsonOf(usage))];
  return {
    id: start.id,
    model: servingModel(events) ?? start.model,
    content: contentOf(listOf(start.content), events),
    stopReason: last("stop_reason"),
    stopDetails: last("stop_details"),
    usage: Object.assign({}, ...reports.map(withoutNulls)),
    cacheMissReason: jsonOf(jsonOf(start.diagnostics).cache_miss_reason).type,
  };
}

/** The last one that the server handed over to. */
function servingModel(events: readonly Json[]): unknown {
  const blocks = events.map(({ content_block }) => jsonOf(content_block));
  return jsonOf(blocks.findLast(({ type }) => type === "fallback")?.to).model;
}

const withoutNulls = (report: Json): Json =>
  Object.fromEntries(Object.entries(report).filter(([, value]) => value !== null));

function contentOf(given: readonly unknown[], events: readonly Json[]): readonly (Block | undefined)[] {
  const content: (Block | undefined)[] = given.map((block) => blockOf(jsonOf(block), []));
  for (const { type, index, content_block } of events) {
    if (type !== "content_block_start") continue;
    const deltas = events.filter((event) => event.type === "content_block_delta" && event.index === index);
    content[Number(index)] = blockOf(
      jsonOf(content_block),
      deltas.map(({ delta }) => jsonOf(delta)),
    );
  }
  return content;
}

function blockOf(start: Json, deltas: readonly Json[]): Block {
  const block = { ...start, type: String(start.type) };
  const joined = (field: string): string => deltas.map((delta) => delta[field] ?? "").join("");
  const citations = deltas.filter(({ type }) => type === "citations_delta").map(({ citation }) => citation);
  switch (block.type) {
    case "text": {
      const cited = citations.length > 0 ? { citations: [...listOf(start.citations), ...citations] } : {};
      return { ...block, text: `${start.text ?? ""}${joined("text")}`, ...cited };
    }
    case "thinking": {
      const signature = deltas.findLast(({ type }) => type === "signature_delta")?.signature ?? start.signature ?? "";
      return { ...block, thinking: `${start.thinking ?? ""}${joined("thinking")}`, signature };
    }
    case "compaction":
      return Object.assign(block, ...deltas, { type: "compaction" });
    default:
      return { ...block, ...("input" in start ? { input: inputOf(joined("partial_json"), start.input) } : {}) };
  }
}

/** Input that is no JSON object is kept as its text. */
function inputOf(json: string, given: unknown): unknown {
  if (json.trim() === "") return given;
  try {
    const input: unknown = JSON.parse(json);
    return isJson(input) ? input : json;
  } catch {
    return json;
  }
}
