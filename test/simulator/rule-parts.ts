/** Small requests and the pieces they are made of, for the table of refusals. */
import type { RuleId } from "../../src/simulator/index.ts";
import { type Body, MARK } from "./harness.ts";

export const base = { model: "claude-opus-5-5", max_tokens: 2000, messages: [{ role: "user", content: "hi" }] };
export const on = (model: string, more: Body = {}) => ({ ...base, model, ...more });
export const messages = (...list: unknown[]) => ({ ...base, messages: list });
export const u = (...content: unknown[]) => ({ role: "user", content });
export const a = (...content: unknown[]) => ({ role: "assistant", content });
export const s = (content: unknown) => ({ role: "system", content });
export const text = (words: string, more: Body = {}) => ({ type: "text", text: words, ...more });
export const call = (id: string, input: unknown = {}) => ({ type: "tool_use", id, name: "bash", input });
export const result = (id: string, more: Body = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content: "done",
  ...more,
});
export const tool = (name: string, more: Body = {}) => ({ name, input_schema: { type: "object" }, ...more });
export const marks = (count: number) =>
  Array.from({ length: count }, (_, i) => text(`tier ${i}`, { cache_control: MARK }));
export const image = (data: string, more: Body = {}) => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data, ...more },
});
export const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(24);
  bytes.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
};

export interface Row {
  readonly rule: RuleId;
  readonly bad: unknown;
  readonly good: unknown;
  /** What the message must name. */
  readonly names: string;
  readonly badHeaders?: Record<string, string>;
  readonly goodHeaders?: Record<string, string>;
}

export const row = (rule: RuleId, names: string, bad: unknown, good: unknown = base): Row => ({
  rule,
  names,
  bad,
  good,
});
export const binding = { "anthropic-beta": "thinking-binding-controls-2026-08-01" };
export const compact = { "anthropic-beta": "other-beta, compact-2026-09-04" };
export const dropBlock = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
export const compaction = { type: "compaction", content: null };
