/**
 * The forms in which recordings are kept: server-sent events as they came, their JSON alone with one event a line, cassettes of
 * an HTTP recorder in YAML, and exchanges of another in JSON. What is not of the Messages API is left out.
 */
import { gunzipSync, inflateSync } from "node:zlib";
import { parse, type Tags } from "yaml";
import { isJson, type Json, jsonOf, listOf, type RecordedFile, type RecordedRequest, type Recording } from "./types.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Streams of other APIs lie beside those of this one. */
const BEGINNING = /"type": ?"message_start"/;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Null for a file without a recording of the Messages API. Throws where a file is not what its name says. */
export function readRecordings(path: string, bytes: Uint8Array): RecordedFile | null {
  const format = formatOf(path);
  const recordings = READERS[format](bytes);
  return recordings.length > 0 ? { path, format, recordings } : null;
}

type Format = "sse" | "chunks" | "cassette" | "exchanges" | "error";

function formatOf(path: string): Format {
  if (/\.ya?ml$/i.test(path)) return "cassette";
  if (/\.chunks\.txt$/i.test(path)) return "chunks";
  if (/\.error\.json$/i.test(path)) return "error";
  return /\.json$/i.test(path) ? "exchanges" : "sse";
}

const READERS: Readonly<Record<Format, (bytes: Uint8Array) => readonly Recording[]>> = {
  sse: (bytes) => (BEGINNING.test(decoder.decode(bytes)) ? [{ at: 0, status: 200, stream: bytes }] : []),
  chunks: (bytes) => {
    const text = decoder.decode(bytes);
    if (!BEGINNING.test(text)) return [];
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    return [{ at: 0, status: 200, stream: framed(lines) }];
  },
  cassette: (bytes) => {
    const tape = jsonOf(parse(decoder.decode(bytes), { schema: "yaml-1.1", customTags: withoutBareDot }));
    return listOf(tape.interactions).flatMap(interaction);
  },
  exchanges: (bytes) => listOf(JSON.parse(decoder.decode(bytes))).flatMap(exchange),
  error: (bytes) => {
    const answer = jsonOf(JSON.parse(decoder.decode(bytes)));
    return answer.type === "error" ? [{ at: 0, status: 400, answer }] : [];
  },
};

/** The parser takes a lone dot for a number; the recorder that wrote it did not. */
const withoutBareDot = (tags: Tags): Tags =>
  tags.map((tag) =>
    typeof tag === "object" && "test" in tag && tag.test?.test(".") ? { ...tag, test: /^[-+]?\d[\d_]*\.[\d_]*$/ } : tag,
  );

/** The frame of each event is known: its name is the type of its JSON. The JSON keeps its own bytes. */
function framed(lines: readonly string[]): Uint8Array {
  return encoder.encode(lines.map((line) => `event: ${jsonOf(JSON.parse(line)).type}\ndata: ${line}\n\n`).join(""));
}

function interaction(taped: unknown, at: number): readonly Recording[] {
  const request = jsonOf(jsonOf(taped).request);
  const response = jsonOf(jsonOf(taped).response);
  const endpoint = endpointOf(String(request.uri));
  const body = request.parsed_body ?? parsedJson(textOf(request.body));
  if (endpoint === undefined || !isJson(body)) return [];
  const status = Number(jsonOf(response.status).code);
  const headers = headersOf(response.headers);
  const recording = { at, status, request: { endpoint, headers: headersOf(request.headers), body } };
  const raw = jsonOf(response.body).string;
  if (!/text\/event-stream/.test(headers["content-type"] ?? "")) {
    return [{ ...recording, answer: response.parsed_body ?? parsedJson(textOf(raw)) }];
  }
  return [{ ...recording, stream: unpacked(raw, headers["content-encoding"]) }];
}

function exchange(kept: unknown, at: number): readonly Recording[] {
  const { scope, path, body, status, response } = jsonOf(kept);
  const endpoint = endpointOf(`${scope}${path}`);
  if (endpoint === undefined || !isJson(body)) return [];
  const request: RecordedRequest = { endpoint, headers: {}, body };
  const recording = { at, status: Number(status), request };
  if (typeof response === "string" && /^event:/m.test(response)) {
    return [{ ...recording, stream: encoder.encode(response) }];
  }
  return [{ ...recording, answer: response }];
}

function endpointOf(address: string): RecordedRequest["endpoint"] | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  if (!/(^|\.)anthropic\.com$/.test(hostname)) return undefined;
  if (pathname === "/v1/messages") return "messages";
  return pathname === "/v1/messages/count_tokens" ? "count_tokens" : undefined;
}

function headersOf(kept: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(jsonOf(kept));
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value].flat().join(",")]));
}

function textOf(body: unknown): string {
  if (body instanceof Uint8Array) return decoder.decode(unpacked(body, "gzip"));
  return typeof body === "string" ? body : "";
}

function parsedJson(text: string): Json | undefined {
  try {
    return jsonOf(JSON.parse(text));
  } catch {
    return undefined; // a form, a file, or nothing
  }
}

/** Some recorders keep bodies as they were packed, others unpack them and leave the header. */
function unpacked(body: unknown, encoding: string | undefined): Uint8Array {
  if (!(body instanceof Uint8Array)) return encoder.encode(typeof body === "string" ? body : "");
  const limit = { maxOutputLength: MAX_BODY_BYTES };
  if (body[0] === 0x1f && body[1] === 0x8b) return gunzipSync(body, limit);
  return encoding === "deflate" ? inflateSync(body, limit) : body;
}
