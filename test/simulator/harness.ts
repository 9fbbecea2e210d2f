/** Speaks to a simulator as a careful client would, without the client: plain JSON over fetch, one conversation at a time. */
import { type ScriptedTurn, type Simulator, type SimulatorOptions, startSimulator } from "../../src/simulator/index.ts";

export type Body = Record<string, unknown>;
export interface Block {
  readonly type: string;
  readonly [key: string]: unknown;
}
export interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

export const say = (text: string): ScriptedTurn => ({ content: [{ type: "text", text }] });

export const HEADERS = {
  authorization: "Bearer key",
  "anthropic-version": "2026-10-21",
  "content-type": "application/json",
};

/** Runs the test against a server that is closed afterwards, whatever happens. */
export async function withSimulator(
  options: Partial<SimulatorOptions>,
  run: (simulator: Simulator) => Promise<void>,
): Promise<void> {
  const simulator = await startSimulator({ script: () => say("fine"), ...options });
  try {
    await run(simulator);
  } finally {
    await simulator.close();
  }
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Body;
}

export async function post(
  simulator: Simulator,
  body: unknown,
  { headers = {}, path = "/v1/messages" }: { readonly headers?: Record<string, string>; readonly path?: string } = {},
): Promise<Reply> {
  const sent = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const all = Object.fromEntries(Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value !== ""));
  const response = await fetch(simulator.url + path, { method: "POST", headers: all, body: sent });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text.startsWith("{") ? JSON.parse(text) : { text },
  };
}

export const errorOf = ({
  json,
}: Reply): { readonly type: string; readonly message: string; readonly details?: Body } =>
  json.error as { type: string; message: string };

/** The content of an answer as a client echoes it: what it does not know of a block is left out. */
export function echo(reply: Reply): Message {
  const content = (reply.json.content as Block[]).map(({ citations: _c, caller: _d, ...block }) => block);
  return { role: "assistant", content: content as Block[] };
}

/** Results for every call of an assistant message, in order. */
export const answerAll = (message: Message, text = "result"): Message => ({
  role: "user",
  content: (message.content as Block[])
    .filter((block) => block.type === "tool_use")
    .map((block) => ({ type: "tool_result", tool_use_id: String(block.id), content: text })),
});

export const user = (...content: readonly (string | Block)[]): Message => ({
  role: "user",
  content: content.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
});

export const MARK = { type: "ephemeral" } as const;

/** The message with a cache mark on its last block. */
export const marked = (message: Message, ttl?: "5m" | "1h"): Message => ({
  ...message,
  content: (message.content as readonly Block[]).map((block, i, all) =>
    i === all.length - 1 ? { ...block, cache_control: ttl ? { ...MARK, ttl } : MARK } : block,
  ),
});
