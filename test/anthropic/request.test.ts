/** What goes out: marks, thinking, effort, and never what the API refuses. */
import { describe, expect, test } from "bun:test";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages/messages";
import fc from "fast-check";
import { type ModelRequest, modelFacts, requestBody } from "../../src/anthropic/index.ts";
import { isBlank, type Message } from "../../src/shared/index.ts";
import { REQUEST } from "./driver.ts";

const body = (change: Partial<ModelRequest> = {}): MessageCreateParamsStreaming => {
  const request = { ...REQUEST, ...change };
  return requestBody(request, modelFacts(request.model));
};
const MARK = { cache_control: { type: "ephemeral" } };

describe("thinking and effort", () => {
  const choices: readonly (readonly [
    model: string,
    thinking: ModelRequest["thinking"],
    effort: string | undefined,
    sent: object,
  ])[] = [
    ["claude-opus-5-5", "adaptive", undefined, { thinking: { type: "adaptive", display: "summarized" } }],
    [
      "claude-opus-5-5",
      "adaptive",
      "max",
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "max" } },
    ],
    ["claude-opus-5-5", "off", undefined, { output_config: { effort: "low" } }],
    ["claude-opus-5-5", "off", "high", { output_config: { effort: "high" } }],
    ["claude-sonnet-5-5", "off", "xhigh", { thinking: { type: "between_tools" }, output_config: { effort: "xhigh" } }],
    ["claude-haiku-5-5", "off", undefined, { thinking: { type: "disabled" } }],
    ["claude-haiku-5-5", "off", "max", { thinking: { type: "disabled" }, output_config: { effort: "high" } }],
    ["claude-haiku-4-5", "adaptive", "high", {}],
    ["claude-haiku-4-5-20251001", "off", "high", { thinking: { type: "disabled" } }],
    ["claude-opus-4-6", "adaptive", "xhigh", { thinking: { type: "adaptive", display: "summarized" } }],
    ["a-model-nobody-knows", "adaptive", "high", {}],
    ["a-model-nobody-knows", "off", "high", {}],
  ];
  for (const [model, thinking, effort, sent] of choices) {
    test(`${model}, ${thinking}, ${effort ?? "no effort"}`, () => {
      const { thinking: thinkingSent, output_config } = body({ model, thinking, ...(effort ? { effort } : {}) });
      expect({ ...(thinkingSent && { thinking: thinkingSent }), ...(output_config && { output_config }) }).toEqual(
        sent as never,
      );
    });
  }
});

test("the output is never asked to be longer than the model allows", () => {
  expect(body({ maxOutputTokens: 500_000 }).max_tokens).toBe(128_000);
  expect(body({ model: "claude-haiku-4-5", maxOutputTokens: 500_000 }).max_tokens).toBe(64_000);
});

test("an empty tier is left out, and the last two of more carry the marks", () => {
  expect(body({ system: ["static", " \n"] }).system).toEqual([{ type: "text", text: "static", ...MARK }] as never);
  expect(body({ system: [] })).not.toHaveProperty("system");
  expect(body({ system: ["a", "b", "c"] }).system).toEqual([
    { type: "text", text: "a" },
    { type: "text", text: "b", ...MARK },
    { type: "text", text: "c", ...MARK },
  ] as never);
});

test("tools go out as they are, key order included", () => {
  const input_schema = { type: "object", properties: { z: { type: "string" }, a: { type: "number" } } };
  const tools = [{ name: "read", description: "Reads.", input_schema }];
  expect(JSON.stringify(body({ tools }).tools)).toBe(JSON.stringify(tools));
});

test("the previous response is named for the cache diagnosis", () => {
  expect(body({ previousMessageId: "msg_1" }).diagnostics).toEqual({ previous_message_id: "msg_1" });
});

test("a mark on thinking or blank text moves to the block before it, and is dropped where there is none", () => {
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "  " }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "thinking", thinking: "hm", signature: "s" },
      ],
    },
  ];
  const marks = [
    { message: 0, block: 0 },
    { message: 1, block: 1 },
  ];
  const sent = body({ messages, marks }).messages;
  expect(sent).toEqual([
    messages[0],
    { role: "assistant", content: [{ type: "text", text: "I look.", ...MARK }, messages[1]?.content[1]] },
  ] as never);
});

test("of more than two marks the last two stand", () => {
  const text = (text: string) => ({ type: "text" as const, text });
  const messages: Message[] = [{ role: "user", content: [text("a"), text("b"), text("c")] }];
  const marks = [0, 1, 2].map((block) => ({ message: 0, block }));
  const content = [text("a"), { ...text("b"), ...MARK }, { ...text("c"), ...MARK }];
  expect(body({ messages, marks }).messages).toEqual([{ role: "user", content }] as never);
});

const blocks = {
  text: fc.record({ type: fc.constant("text" as const), text: fc.oneof(fc.string(), fc.constant("  ")) }),
  thinking: fc.record({ type: fc.constant("thinking" as const), thinking: fc.string(), signature: fc.string() }),
  redacted: fc.record({ type: fc.constant("redacted_thinking" as const), data: fc.string() }),
  call: fc.record({
    type: fc.constant("tool_use" as const),
    id: fc.string(),
    name: fc.string(),
    input: fc.dictionary(fc.string(), fc.jsonValue()),
  }),
  result: fc.record({ type: fc.constant("tool_result" as const), tool_use_id: fc.string(), content: fc.string() }),
};
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant("user" as const), content: fc.array(fc.oneof(blocks.text, blocks.result)) }),
  fc.record({
    role: fc.constant("assistant" as const),
    content: fc.array(fc.oneof(blocks.text, blocks.thinking, blocks.redacted, blocks.call)),
  }),
);
const request = fc.record({
  system: fc.array(fc.string(), { maxLength: 4 }),
  messages: fc.array(message, { maxLength: 6 }),
  marks: fc.array(fc.record({ message: fc.nat(8), block: fc.nat(6) }), { maxLength: 4 }),
  thinking: fc.constantFrom("adaptive" as const, "off" as const),
  model: fc.constantFrom("claude-opus-5-5", "claude-haiku-4-5", "unknown"),
});

test("whatever is asked: at most four marks, none where it is refused, and every message byte for byte", () => {
  fc.assert(
    fc.property(request, (change) => {
      const sent = body(change);
      const marked = [...(Array.isArray(sent.system) ? sent.system : []), ...sent.messages.flatMap(contentOf)].filter(
        (block) => "cache_control" in block,
      );
      expect(marked.length).toBeLessThanOrEqual(4);
      for (const block of marked) {
        expect(block.type).toBeOneOf(["text", "tool_use", "tool_result"]);
        if (block.type === "text") expect(isBlank(block.text)).toBe(false);
      }
      const unmarked = JSON.stringify(sent.messages, (key, value) => (key === "cache_control" ? undefined : value));
      expect(unmarked).toBe(
        JSON.stringify(change.messages, (key, value) => (key === "cache_control" ? undefined : value)),
      );
      expect(JSON.stringify(body(change))).toBe(JSON.stringify(sent));
      for (const refused of ["temperature", "top_p", "top_k", "tool_choice"]) expect(sent).not.toHaveProperty(refused);
    }),
    { seed: 11, numRuns: 300 },
  );
});

function contentOf({ content }: MessageCreateParamsStreaming["messages"][number]) {
  if (typeof content === "string") throw new Error("content is always a list of blocks");
  return content;
}
