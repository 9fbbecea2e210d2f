/** The real SDK against the server. */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import type { ScriptedBlock } from "../../src/simulator/index.ts";
import { withSimulator } from "./harness.ts";

const FULL: readonly ScriptedBlock[] = [
  { type: "thinking", thinking: "Größe 😀 of things" },
  { type: "redacted_thinking" },
  { type: "text", text: "naïve 😀 text, long enough for several deltas" },
  { type: "tool_use", name: "bash", input: { command: "ls", "2": [1.5, "ü"] } },
  { type: "tool_use", name: "list", input: {} },
];

test("the real SDK streams, accumulates, lists models and counts tokens", () =>
  withSimulator({ script: () => ({ content: FULL }) }, async (simulator) => {
    const client = new Anthropic({ apiKey: "k", baseURL: simulator.url, maxRetries: 0, openTelemetry: false });
    const message = await client.messages
      .stream({
        model: "claude-opus-5-5",
        max_tokens: 4000,
        thinking: { type: "adaptive", display: "summarized" },
        messages: [{ role: "user", content: "hi" }],
      })
      .finalMessage();
    expect(message.content.map(({ type }) => type)).toEqual([
      "thinking",
      "redacted_thinking",
      "text",
      "tool_use",
      "tool_use",
    ]);
    expect(message.content[3]).toMatchObject({ name: "bash", input: { command: "ls", "2": [1.5, "ü"] } });
    expect(message.stop_reason).toBe("tool_use");
    const again = await client.messages.create({
      model: "claude-opus-5-5",
      max_tokens: 4000,
      thinking: { type: "adaptive", display: "summarized" },
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: message.content },
        {
          role: "user",
          content: message.content.flatMap((b) =>
            b.type === "tool_use" ? [{ type: "tool_result", tool_use_id: b.id }] : [],
          ),
        },
      ],
    });
    expect(again.stop_reason).toBe("tool_use");
    const models = await client.models.list();
    expect(models.data.map(({ id }) => id)).toContain("claude-opus-5-5");
    expect((await client.models.retrieve("claude-haiku-4-5")).id).toBe("claude-haiku-4-5-20251001");
    const counted = await client.messages.countTokens({
      model: "claude-opus-5-5",
      messages: [{ role: "user", content: "hi" }],
    });
    expect(counted.input_tokens).toBe(simulator.requests[0]?.usage?.input_tokens ?? -1);
    expect(simulator.refusals).toEqual([]);
  }));

test("errors reach the SDK with status, type and request id", () =>
  withSimulator({}, async (simulator) => {
    const client = new Anthropic({ apiKey: "k", baseURL: simulator.url, maxRetries: 0, openTelemetry: false });
    const failure = await client.messages
      .create({ model: "claude-opus-5-5", max_tokens: 9, messages: [] })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Anthropic.BadRequestError);
    expect(failure).toMatchObject({ status: 400, type: "invalid_request_error" });
    expect((failure as { requestID: string }).requestID).toStartWith("req_");
  }));
