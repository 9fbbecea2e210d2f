/** The pieces of which streamed answers are made, and whole answers made of them. */
import type { Answer } from "./scripted-server.ts";

export const PING = { type: "ping" };
export const START = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-opus-5-5",
    content: [],
    stop_reason: null,
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 20,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens: 1,
    },
  },
};
export const STOP = { type: "message_stop" };

export const startBlock = (index: number, content_block: object) => ({
  type: "content_block_start",
  index,
  content_block,
});
export const delta = (index: number, change: object) => ({ type: "content_block_delta", index, delta: change });
export const stopBlock = (index: number) => ({ type: "content_block_stop", index });
export const ending = (stop_reason: string, output_tokens = 12) => ({
  type: "message_delta",
  delta: { stop_reason, stop_sequence: null },
  usage: { output_tokens },
});

export const textStart = (index = 0) => startBlock(index, { type: "text", text: "" });
export const textDelta = (text: string, index = 0) => delta(index, { type: "text_delta", text });
export const textBlock = (text: string, index = 0) => [textStart(index), textDelta(text, index), stopBlock(index)];
export const toolStart = (id: string, name: string, index = 0) =>
  startBlock(index, { type: "tool_use", id, name, input: {} });
export const jsonDelta = (partial_json: string, index = 0) => delta(index, { type: "input_json_delta", partial_json });
export const toolBlock = (id: string, name: string, json: string, index = 0) => [
  toolStart(id, name, index),
  jsonDelta(json, index),
  stopBlock(index),
];

export const HELLO = [START, ...textBlock("hello"), ending("end_turn"), STOP];

/** A whole answer, in one piece. */
export const streamed =
  (...events: readonly object[]): Answer =>
  (exchange) => {
    exchange.openStream();
    exchange.send(...events);
    exchange.finish();
  };

export const hello: Answer = streamed(...HELLO);

export const errorBody = (type: string, message: string, details?: object): string =>
  JSON.stringify({ type: "error", error: { type, message, ...(details ? { details } : {}) }, request_id: "req_body" });

export const refusal =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (exchange) =>
    exchange.respond(status, { "content-type": "application/json", "request-id": "req_head", ...headers }, body);

/** Opens an answer, says something, and leaves it at that. */
export const opened: Answer = (exchange) => {
  exchange.openStream();
  exchange.send(START, textStart(), textDelta("part"));
};

/** Accepts the request and says nothing. */
export const silent: Answer = () => undefined;
