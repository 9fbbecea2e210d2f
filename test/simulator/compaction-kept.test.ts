/** Thinking that is kept behind a summary: valid as long as what the summary stands for is what stood before it. */
import { describe, expect, test } from "bun:test";
import { THINKING, TOOLS } from "./conversation.ts";
import { answerAll, type Block, type Body, echo, type Message, post, user, withSimulator } from "./harness.ts";
import { alone, ask, blockOf, HEAD, script, summarize, talk, verdict } from "./summaries.ts";

describe("kept thinking", () => {
  /** One conversation of two answered texts and a third, and what becomes of it when `summarised` messages are replaced. */
  const keeping = (
    summarised: number,
    change: (kept: readonly Message[]) => readonly Message[] = (kept) => kept,
    { asked = {}, later = {} }: { readonly asked?: Body; readonly later?: Body } = {},
  ): Promise<string> => {
    let seen = "";
    return withSimulator({ script }, async (simulator) => {
      const messages = await talk(simulator, ["one", "two", "three"]);
      const block = blockOf(await summarize(simulator, messages.slice(0, summarised), asked));
      const kept = change(messages.slice(summarised));
      seen = await verdict(simulator, { ...HEAD, messages: [alone(block), ...kept], ...later });
    }).then(() => seen);
  };
  const result = (kept: readonly Message[], text: string): readonly Message[] =>
    kept.map((message) =>
      (message.content as Block[])[0]?.type === "tool_result"
        ? answerAll(kept[kept.indexOf(message) - 1] as Message, text)
        : message,
    );

  test("holds where the kept messages directly follow, unchanged, at either kind of cut", async () => {
    expect(await keeping(4)).toBe("fine"); // a user's text is the first kept message
    expect(await keeping(5)).toBe("fine"); // the reply to a request that was sent
    expect(await keeping(3)).toBe("fine");
  });

  test("falls where anything about them or before them is other than it was", async () => {
    const tools = [...TOOLS, { name: "read", description: "reads", input_schema: { type: "object" } }];
    const deferred = [...TOOLS, { ...tools[1], defer_loading: true }];
    const seen = {
      altered: await keeping(4, (kept) => result(kept, "other")),
      skipped: await keeping(4, (kept) => [user("another text"), ...kept.slice(1)]),
      // What was summarised is sent again.
      repeated: await keeping(4, (kept) => [user("one"), { role: "assistant", content: "x" }, ...kept]),
      inserted: await keeping(5, (kept) => [user("between"), ...kept]),
      systemLater: await keeping(4, undefined, { later: { system: "be brief" } }),
      systemWhenAsked: await keeping(1, undefined, { asked: { system: "be brief" } }),
      toolsLater: await keeping(4, undefined, { later: { tools } }),
      // A message of the host's is merged into the last summarised one.
      hosts: await keeping(5, (kept) => [{ role: "system", content: "note" }, ...kept]),
      withoutCheck: await keeping(4, undefined, { asked: { model: "claude-opus-5" } }),
      deferredTool: await keeping(4, undefined, { later: { tools: deferred } }),
    };
    expect(seen).toEqual({
      altered: "31",
      skipped: "31",
      repeated: "31",
      inserted: "31",
      systemLater: "31",
      systemWhenAsked: "31",
      toolsLater: "31",
      hosts: "31",
      withoutCheck: "31",
      deferredTool: "fine",
    });
  });

  test("falls where the first kept message has the role of the last summarised one", () =>
    withSimulator({ script }, async (simulator) => {
      const two = [user("one"), user("more")];
      const call = echo(await ask(simulator, { ...HEAD, messages: two }));
      const kept = [user("more"), call, answerAll(call)];
      const block = blockOf(await summarize(simulator, [user("one")]));
      expect(await verdict(simulator, { ...HEAD, messages: [user("one"), ...kept] })).toBe("fine");
      expect(await verdict(simulator, { ...HEAD, messages: [alone(block), ...kept] })).toBe("31");
    }));

  test("falls where the first kept message is the host's, also if it was the next one", () =>
    withSimulator({ script }, async (simulator) => {
      const note = { role: "system", content: "note" };
      const call = echo(await ask(simulator, { ...HEAD, messages: [user("one"), note] }));
      const kept = [note, call, answerAll(call)];
      const block = blockOf(await summarize(simulator, [user("one")]));
      expect(await verdict(simulator, { ...HEAD, messages: [user("one"), ...kept] })).toBe("fine");
      expect(await verdict(simulator, { ...HEAD, messages: [alone(block), ...kept] })).toBe("31");
    }));

  test("is dropped, and reported, where the request asks for that", () =>
    withSimulator({ script }, async (simulator) => {
      const messages = await talk(simulator, ["one", "two", "three"]);
      const block = blockOf(await summarize(simulator, messages.slice(0, 4)));
      const thinking = { ...THINKING, block_binding: { prefix_mismatch_behavior: "drop_block" } };
      const headers = { "anthropic-beta": "compact-2026-09-04,thinking-binding-controls-2026-08-01" };
      const dropped = async (system: string) => {
        const body = { ...HEAD, system, thinking, messages: [alone(block), ...messages.slice(4)] };
        return ((await post(simulator, body, { headers })).json.input_transformations as unknown[]).length;
      };
      expect([await dropped("be exact"), await dropped("be brief")]).toEqual([0, 2]);
    }));

  test("holds through two compactions, if both ran on a model that checks", () =>
    withSimulator({ script }, async (simulator) => {
      const messages = await talk(simulator, ["one", "two", "three"]);
      const first = blockOf(await summarize(simulator, messages.slice(0, 3)));
      const once = await talk(simulator, ["three", "four"], [alone(first), ...messages.slice(3, 8)]);
      expect(await verdict(simulator, { ...HEAD, messages: once })).toBe("fine");
      // Kept: one answer from before the first block, and one from behind it.
      const through = async (asked: Body) => {
        const second = blockOf(await summarize(simulator, once.slice(0, 3), asked));
        return verdict(simulator, { ...HEAD, messages: [alone(second), ...once.slice(3)] });
      };
      expect(await through({})).toBe("fine");
      expect(await through({ model: "claude-opus-5" })).toBe("31");
    }));

  test("is all that a deferred tool leaves as it is: without a summary, and behind one, thinking is bound to it", () =>
    withSimulator({ script }, async (simulator) => {
      const messages = await talk(simulator, ["one", "two"]);
      const behind = await talk(simulator, ["three", "four"], [alone(blockOf(await summarize(simulator, messages)))]);
      const deferred = { name: "read", input_schema: { type: "object" }, defer_loading: true };
      for (const bound of [messages, behind]) {
        expect(await verdict(simulator, { ...HEAD, messages: bound })).toBe("fine");
        expect(await verdict(simulator, { ...HEAD, messages: bound, tools: [...TOOLS, deferred] })).toBe("31");
      }
    }));
});
