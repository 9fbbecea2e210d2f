/** The API's own compaction: what it answers, and what of it is taken back. */
import { describe, expect, test } from "bun:test";
import { modelLike, type Script, type ScriptedTurn } from "../../src/simulator/index.ts";
import {
  type Block,
  type Body,
  echo,
  errorOf,
  type Message,
  marked,
  post,
  say,
  user,
  withSimulator,
} from "./harness.ts";
import { alone, ask, blockOf, HEAD, SUMMARY, script, summarize, talk, verdict } from "./summaries.ts";

describe("the answer", () => {
  test("is one block and no thinking; what it used stands apart from the sums", () =>
    withSimulator({ script }, async (simulator) => {
      const { json } = await summarize(simulator, [user("begin")]);
      const { content, stop_reason, usage } = json;
      expect({ content, stop_reason }).toEqual({
        content: [
          {
            type: "compaction",
            content: SUMMARY,
            encrypted_content: null,
            signature: expect.any(String),
            tool_changes: [],
          },
        ],
        stop_reason: "compaction",
      });
      const { input_tokens, output_tokens, iterations } = usage as Body;
      expect({ input_tokens, output_tokens }).toEqual({ input_tokens: 0, output_tokens: 0 });
      const [entry] = iterations as [Body];
      const counted = await post(
        simulator,
        { ...HEAD, max_tokens: undefined, messages: [user("begin")] },
        { path: "/v1/messages/count_tokens" },
      );
      expect(entry).toMatchObject({ type: "compaction", input_tokens: counted.json.input_tokens, output_tokens: 6 });
      expect(iterations).toEqual(simulator.requests[0]?.usage?.iterations as never);
    }));

  test("streams its block whole, without a delta", () =>
    withSimulator({ script }, async (simulator) => {
      const { json } = await summarize(simulator, [user("begin")], { stream: true });
      const events = [...String(json.text).matchAll(/^data: (.*)$/gm)].map(
        ([, data]) => JSON.parse(data ?? "") as Body,
      );
      const told = events.filter(({ type }) => type !== "ping");
      expect(told.map(({ type }) => type)).toEqual([
        "message_start",
        "content_block_start",
        "content_block_stop",
        "message_delta",
        "message_stop",
      ]);
      expect(told[1]?.content_block).toMatchObject({ type: "compaction", content: SUMMARY });
      expect(told[3]).toMatchObject({ delta: { stop_reason: "compaction" }, usage: { output_tokens: 0 } });
    }));

  test("reads the conversation's cache", () =>
    withSimulator({ script }, async (simulator) => {
      const messages = [marked(user("word ".repeat(4000)))];
      await ask(simulator, { ...HEAD, messages });
      const { usage } = (await summarize(simulator, messages)).json as { usage: { iterations: Body[] } };
      expect(usage.iterations[0]?.cache_read_input_tokens).toBeGreaterThan(4000);
    }));

  const empty: readonly (readonly [what: string, turn: ScriptedTurn, more: Body, stop: string])[] = [
    ["a call", { content: [{ type: "tool_use", name: "bash" }] }, {}, "tool_use"],
    ["no text", { content: [{ type: "thinking", thinking: "hm" }] }, {}, "end_turn"],
    ["a refusal", { content: [], stopReason: "refusal" }, {}, "refusal"],
    ["too few tokens", say("word ".repeat(100)), { max_tokens: 10 }, "max_tokens"],
    ["a full window", say("word ".repeat(900)), {}, "model_context_window_exceeded"],
  ];
  for (const [what, turn, more, stop] of empty) {
    test(`holds nothing after ${what}, says why, and is billed`, () =>
      withSimulator(
        { script: () => turn, models: [modelLike("claude-opus-5-5", { contextWindow: 1000 })] },
        async (simulator) => {
          const { status, json } = await summarize(simulator, [user("begin")], more);
          const { content, stop_reason, usage } = json;
          expect({ status, content, stop_reason }).toEqual({ status: 200, content: [], stop_reason: stop });
          expect((usage as { iterations: Body[] }).iterations[0]?.input_tokens).toBeGreaterThan(10);
        },
      ));
  }

  test("may be a block without a summary, which later says nothing and costs nothing", () => {
    const failing: Script = ({ body }) =>
      body.compaction ? { content: [{ type: "raw", start: { type: "compaction", content: null } }] } : say("fine");
    return withSimulator({ script: failing }, async (simulator) => {
      const { json } = await summarize(simulator, [user("begin")]);
      expect(json.stop_reason).toBe("compaction");
      const [block] = json.content as [Block];
      expect(block.content).toBeNull();
      const tokens = async (messages: readonly Message[]) =>
        ((await ask(simulator, { ...HEAD, messages })).json.usage as Body).input_tokens;
      expect(await tokens([alone(block), user("go on")])).toBe(await tokens([user("go on")]));
    });
  });

  test("may fail with a code of its own, and comes when it is asked for again", () => {
    const fault = { kind: "http", status: 529, errorCode: "compaction_unavailable" } as const;
    return withSimulator({ script, faults: [fault] }, async (simulator) => {
      const failed = await summarize(simulator, [user("begin")]);
      expect({ status: failed.status, ...errorOf(failed) }).toEqual({
        status: 529,
        type: "overloaded_error",
        message: "Overloaded",
        details: { error_code: "compaction_unavailable" },
      });
      expect((await summarize(simulator, [user("begin")])).json.stop_reason).toBe("compaction");
    });
  });
});

describe("a summary is asked for", () => {
  test("in vain while an answer is paused", () => {
    const pausing: Script = (request) =>
      request.body.compaction ? say(SUMMARY) : { ...say("so far"), stopReason: "pause_turn" };
    return withSimulator({ script: pausing }, async (simulator) => {
      const paused = echo(await ask(simulator, { ...HEAD, messages: [user("begin")] }));
      const open = await summarize(simulator, [user("begin"), paused]);
      expect(errorOf(open).details?.error_code).toBe("compaction_incomplete_turn");
      expect((await summarize(simulator, [user("begin"), paused, user("on")])).json.stop_reason).toBe("compaction");
      const made = await summarize(simulator, [user("begin"), alone({ type: "text", text: "made up" })]);
      expect(made.json.stop_reason).toBe("compaction");
    });
  });

  test("with instructions that take room in the window", () => {
    const models = [modelLike("claude-opus-5-5", { contextWindow: 1000 })];
    return withSimulator({ script, models }, async (simulator) => {
      const stopOf = async (tokens: number) => {
        const compaction = { type: "summarize", instructions: "x".repeat(tokens * 4) };
        return (await summarize(simulator, [user("begin")], { compaction })).json;
      };
      const [entry] = ((await stopOf(0)).usage as { iterations: [Body] }).iterations;
      const room = 1000 - Number(entry.input_tokens) - Number(entry.output_tokens);
      expect((await stopOf(room)).stop_reason).toBe("compaction");
      expect((await stopOf(room + 1)).stop_reason).toBe("model_context_window_exceeded");
    });
  });
});

test("a fault of the script's strikes the request for a summary and the answer at the same place, once each", () => {
  const fault = { kind: "http", status: 529 } as const;
  return withSimulator({ script: (request) => ({ ...script(request), fault }) }, async (simulator) => {
    const messages = [user("begin")];
    const statuses: number[] = [];
    for (const _try of [1, 2]) {
      statuses.push((await ask(simulator, { ...HEAD, messages })).status);
      statuses.push((await summarize(simulator, messages)).status);
    }
    expect(statuses).toEqual([529, 529, 200, 200]);
  });
});

test("a script is asked with the request, and a summary is no turn of the assistant's", () => {
  const asked: unknown[] = [];
  const watching: Script = (request) => {
    asked.push([request.index, request.assistantTurns().length, request.body.compaction ?? null]);
    return script(request);
  };
  return withSimulator({ script: watching }, async (simulator) => {
    const compaction = { type: "summarize", instructions: "keep ids" };
    const block = blockOf(
      await summarize(simulator, [user("begin"), alone({ type: "text", text: "x" })], { compaction }),
    );
    await ask(simulator, { ...HEAD, messages: [alone(block), user("go on")] });
    expect(asked).toEqual([
      [1, 1, compaction],
      [0, 0, null],
    ]);
  });
});

describe("a block that is sent back", () => {
  test("is taken first, as a message of its own, before an answer, or in front of the user's text", () =>
    withSimulator({ script }, async (simulator) => {
      const block = blockOf(await summarize(simulator, await talk(simulator, ["one", "two"])));
      const forms: readonly (readonly Message[])[] = [
        [alone(block), user("next")],
        [alone(block), alone({ type: "text", text: "done" }), user("next")],
        [{ role: "assistant", content: [block, { type: "text", text: "done" }] }, user("next")],
        [user(block, "next")],
      ];
      for (const messages of forms) expect(await verdict(simulator, { ...HEAD, messages })).toBe("fine");
      expect(await verdict(simulator, { ...HEAD, model: "claude-sonnet-5", messages: [alone(block), user("x")] })).toBe(
        "fine",
      );
    }));

  test("costs what its words cost", () =>
    withSimulator({ script }, async (simulator) => {
      const block = blockOf(await summarize(simulator, [user("begin")]));
      const tokens = async (...messages: readonly Message[]) =>
        Number(((await ask(simulator, { ...HEAD, messages })).json.usage as Body).input_tokens);
      expect((await tokens(alone(block), user("next"))) - (await tokens(user("next")))).toBe(SUMMARY.length / 4);
    }));

  test("is accepted by a server that was started again, and not by another", async () => {
    let block: Block | undefined;
    await withSimulator({ script }, async (simulator) => {
      block = blockOf(await summarize(simulator, [user("begin")]));
    });
    const messages = [alone(block as Block), user("next")];
    await withSimulator({ script }, async (again) => expect(await verdict(again, { ...HEAD, messages })).toBe("fine"));
    await withSimulator({ script, secret: "other" }, async (other) => {
      expect(await verdict(other, { ...HEAD, messages })).toBe("39b");
    });
  });

  test("is refused in every altered form, each with its code", () =>
    withSimulator({ script }, async (simulator) => {
      const block = blockOf(await summarize(simulator, [user("begin")]));
      const { tool_changes: _gone, ...bare } = block;
      const { encrypted_content: _none, ...readable } = block;
      const codes: unknown[] = [];
      for (const altered of [
        { ...block, content: `${SUMMARY} ` },
        { ...block, tool_changes: [{ type: "tool_removal" }] },
        bare,
        { ...block, encrypted_content: "AAAA" },
        readable,
        { ...block, signature: "AAAA" },
        { ...block, signature: null },
      ]) {
        const reply = await ask(simulator, { ...HEAD, messages: [alone(altered), user("next")] });
        codes.push(errorOf(reply).details?.error_code);
      }
      expect(codes).toEqual([
        "compaction_content_mismatch",
        "compaction_tool_changes_mismatch",
        "compaction_tool_changes_mismatch",
        "compaction_content_mismatch",
        "compaction_content_mismatch",
        "compaction_signature_invalid",
        "compaction_signature_invalid",
      ]);
    }));

  test("carries the thinking that follows it: bound to the block, the tail, the tools and the system", () =>
    withSimulator({ script }, async (simulator) => {
      const block = blockOf(await summarize(simulator, await talk(simulator, ["one", "two"])));
      const messages = await talk(simulator, ["three", "four"], [alone(block)]);
      const other = blockOf(await summarize(simulator, [user("another conversation")]));
      const replaced = messages.map((message, i) => (i === 1 ? user("3") : message));
      expect({
        same: await verdict(simulator, { ...HEAD, messages }),
        system: await verdict(simulator, { ...HEAD, system: "be brief", messages }),
        tail: await verdict(simulator, { ...HEAD, messages: replaced }),
        block: await verdict(simulator, { ...HEAD, messages: [alone(other), ...messages.slice(1)] }),
        gone: await verdict(simulator, { ...HEAD, messages: messages.slice(1) }),
      }).toEqual({ same: "fine", system: "31", tail: "31", block: "31", gone: "31" });
    }));
});
