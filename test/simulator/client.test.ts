/** The program's own client and the server agree: a tool loop with thinking passes, append-only, and reads all of its cache. */
import { expect, test } from "bun:test";
import { type CompletedBlock, createModelClient, type ModelRequest } from "../../src/anthropic/index.ts";
import { type Message, silentLogger, systemClock } from "../../src/shared/index.ts";
import { appendOnlyViolations, cacheReadShare, loop } from "../../src/simulator/index.ts";
import { withSimulator } from "./harness.ts";

const script = loop({
  steps: 6,
  turn: (i) => ({
    content: [
      { type: "thinking", thinking: `thought ${i}` },
      { type: "redacted_thinking" },
      { type: "text", text: `step ${i}` },
      { type: "tool_use", name: "bash", input: { command: `first ${i}`, "7": null } },
      { type: "tool_use", name: "bash", input: {} },
    ],
  }),
});

test("six steps of a tool loop through the real client", () =>
  withSimulator({ script }, async (simulator) => {
    const client = createModelClient({
      auth: { kind: "api-key", value: "k" },
      baseURL: simulator.url,
      version: "0",
      clock: systemClock,
      random: Math.random,
      logger: silentLogger,
    });
    const base = {
      model: "claude-opus-5-5",
      system: ["static ".repeat(400), "project ".repeat(400)],
      tools: [{ name: "bash", description: "runs", input_schema: { type: "object" } }],
      maxOutputTokens: 1000,
      thinking: "adaptive",
    } as const;
    let messages: readonly Message[] = [{ role: "user", content: [{ type: "text", text: "begin" }] }];
    let marks: ModelRequest["marks"] = [{ message: 0, block: 0 }];
    const stops: string[] = [];
    while (stops.at(-1) !== "end_turn" && stops.length < 10) {
      const content: CompletedBlock[] = [];
      for await (const event of client.stream({ ...base, messages, marks }, new AbortController().signal)) {
        if (event.type === "block-completed") content.push(event.block);
        if (event.type === "finished") stops.push(event.stopReason);
      }
      const results = content.flatMap((block) =>
        block.type === "tool_use" ? [{ type: "tool_result", tool_use_id: block.id, content: "done" } as const] : [],
      );
      messages = [...messages, { role: "assistant", content }, { role: "user", content: results }];
      marks = [...marks.slice(-1), { message: messages.length - 1, block: results.length - 1 }];
    }
    expect(stops).toEqual([...Array(6).fill("tool_use"), "end_turn"]);
    expect(simulator.refusals).toEqual([]);
    expect(appendOnlyViolations(simulator.requests)).toEqual([]);
    expect(cacheReadShare(simulator.requests)).toBe(1);
  }));
