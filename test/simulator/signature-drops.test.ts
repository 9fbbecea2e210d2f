/** What the API drops instead of refusing, and turns that were paused. */
import { expect, test } from "bun:test";
import { sequence } from "../../src/simulator/index.ts";
import { edited, THINKING, withConversation } from "./conversation.ts";
import { answerAll, type Block, type Body, echo, type Message, post, user, withSimulator } from "./harness.ts";

test("another model drops what it cannot read, silently, and its own thinking goes on behind it", () =>
  withConversation(2, async ({ body, messages }, simulator) => {
    const other = { ...body, model: "claude-sonnet-5-5" };
    const reply = await post(simulator, other);
    expect(reply.json.error).toBeUndefined();
    const assistant = echo(reply);
    const next = [...messages, assistant, answerAll(assistant)];
    expect((await post(simulator, { ...other, messages: next })).status).toBe(200);
    expect((await post(simulator, { ...body, messages: next })).status).toBe(200);
    const reported = await post(simulator, other, {
      headers: { "anthropic-beta": "thinking-binding-controls-2026-08-01" },
    });
    expect((reported.json.input_transformations as Body[]).map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      "messages.1.content.0 model_binding_mismatch",
      "messages.1.content.1 model_binding_mismatch",
      "messages.3.content.0 model_binding_mismatch",
      "messages.3.content.1 model_binding_mismatch",
    ]);
  }));

test("with drop_block a changed prefix is reported in place of refused, from the first misfit on", () =>
  withConversation(2, async ({ body, messages }, simulator) => {
    const headers = { "anthropic-beta": "thinking-binding-controls-2026-08-01" };
    const thinking = { ...THINKING, block_binding: { prefix_mismatch_behavior: "drop_block" } };
    const changed = edited(messages, [2, 0], (b) => ({ ...b, content: "pruned" }));
    const reply = await post(simulator, { ...body, thinking, messages: changed }, { headers });
    expect((reply.json.input_transformations as Body[]).map(({ path }) => path)).toEqual([
      "messages.3.content.0",
      "messages.3.content.1",
    ]);
    const whole = await post(simulator, { ...body, thinking }, { headers });
    expect(whole.json.input_transformations).toEqual([]);
  }));

test("with drop_block, a hole in the thinking takes every later block with it", () =>
  withConversation(4, async ({ body, messages }, simulator) => {
    const headers = { "anthropic-beta": "thinking-binding-controls-2026-08-01" };
    const over = [
      ...messages.slice(0, -1),
      answerAll(messages[7] as Message),
      { role: "assistant", content: [{ type: "text", text: "done" }] },
      user("next"),
    ];
    const hole = edited(
      edited(over, [3, 0], () => undefined),
      [3, 0],
      () => undefined,
    );
    const thinking = { ...THINKING, block_binding: { prefix_mismatch_behavior: "drop_block" } };
    const reply = await post(simulator, { ...body, thinking, messages: hole }, { headers });
    expect((reply.json.input_transformations as Body[]).map(({ path }) => path)).toEqual([
      "messages.5.content.0",
      "messages.5.content.1",
      "messages.7.content.0",
      "messages.7.content.1",
    ]);
  }));

test("a paused turn and its continuation are one turn, as two messages or as one", () => {
  const thought = (text: string) => [{ type: "thinking", thinking: text } as const, { type: "text", text } as const];
  const script = sequence([{ content: thought("one"), stopReason: "pause_turn" }, { content: thought("two") }]);
  return withSimulator({ script }, async (simulator) => {
    const head = { model: "claude-opus-5-5", max_tokens: 1000, thinking: THINKING };
    const first = echo(await post(simulator, { ...head, messages: [user("hi")] }));
    const second = echo(await post(simulator, { ...head, messages: [user("hi"), first] }));
    simulator.failNext({ kind: "http", status: 529 }, { kind: "http", status: 529 });
    const joined = { role: "assistant", content: [...first.content, ...second.content] as Block[] };
    const ask = async (...turn: Message[]) =>
      (await post(simulator, { ...head, messages: [user("hi"), ...turn, user("on")] })).status;
    expect([await ask(first, second), await ask(joined)]).toEqual([529, 529]); // accepted, and then made to fail
  });
});
