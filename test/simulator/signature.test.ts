/** Thinking is bound to what stands before it: any edit there is found, and what the API allows is not. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Script, type Simulator, sequence } from "../../src/simulator/index.ts";
import { converse, edited, script, THINKING, TOOLS, withConversation } from "./conversation.ts";
import {
  type Block,
  type Body,
  echo,
  errorOf,
  MARK,
  type Message,
  marked,
  post,
  user,
  withSimulator,
} from "./harness.ts";

const ruleOf = (simulator: Simulator): string | undefined => simulator.refusals.at(-1)?.rule;

test("moving marks, effort and display change no prefix", () =>
  withConversation(3, async ({ body, messages }, simulator) => {
    const variants: Body[] = [
      body,
      { ...body, messages: messages.map((m, i) => (i === 2 ? marked(m) : m)) },
      { ...body, tools: TOOLS.map((tool) => ({ ...tool, cache_control: MARK })) },
      { ...body, system: [{ type: "text", text: "be exact", cache_control: { ...MARK, ttl: "1h" } }] },
      { ...body, output_config: { effort: "low" }, thinking: { type: "adaptive" }, max_tokens: 9 },
    ];
    for (const variant of variants) expect((await post(simulator, variant)).json.error).toBeUndefined();
  }));

test("an edit of tools, system or any earlier block is the 400 of a changed prefix, at the first block behind it", () =>
  withConversation(3, async ({ body, messages }, simulator) => {
    const cases: readonly (readonly [Body, string])[] = [
      [{ ...body, system: "be exact." }, "messages.1.content.0"],
      [{ ...body, tools: [{ ...TOOLS[0], description: "runs!" }] }, "messages.1.content.0"],
      [
        { ...body, tools: [{ description: "runs", name: "bash", input_schema: { type: "object" } }] },
        "messages.1.content.0",
      ],
      [{ ...body, messages: edited(messages, [0, 0], (b) => ({ ...b, text: "Begin" })) }, "messages.1.content.0"],
      [{ ...body, messages: edited(messages, [1, 2], () => undefined) }, "messages.3.content.0"],
      [{ ...body, messages: edited(messages, [2, 0], (b) => ({ ...b, content: "pruned" })) }, "messages.3.content.0"],
      [
        { ...body, messages: edited(messages, [3, 3], (b) => ({ ...b, input: { command: "other" } })) },
        "messages.5.content.0",
      ],
    ];
    for (const [variant, path] of cases) {
      const reply = await post(simulator, variant);
      expect(ruleOf(simulator)).toBe("31");
      expect(errorOf(reply).message).toStartWith(
        `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound`,
      );
    }
  }));

test("models without the prefix check take the same edits", () =>
  withConversation(
    3,
    async ({ body, messages }, simulator) => {
      const variant = {
        ...body,
        system: "other",
        messages: edited(messages, [2, 0], (b) => ({ ...b, content: "pruned" })),
      };
      expect((await post(simulator, variant)).json.error).toBeUndefined();
    },
    "claude-opus-5",
  ));

test("a leading run of thinking may go once its tool loop is over, a hole before a later block may not", () => {
  const script: Script = ({ index }) => ({
    content: [
      { type: "thinking", thinking: `thought ${index}` },
      { type: "text", text: `answer ${index}` },
    ],
  });
  return withSimulator({ script }, async (simulator) => {
    const head = { model: "claude-opus-5-5", max_tokens: 1000, thinking: THINKING };
    let messages: Message[] = [user("one")];
    for (const next of ["two", "three", "four"]) {
      messages = [...messages, echo(await post(simulator, { ...head, messages })), user(next)];
    }
    const without = (...gone: readonly number[]): Body => ({
      ...head,
      messages: messages.map((m, i) => (gone.includes(i) ? { ...m, content: (m.content as Block[]).slice(1) } : m)),
    });
    const verdicts: unknown[] = [];
    for (const gone of [[1], [1, 3], [1, 3, 5], [3], [5]]) {
      verdicts.push((await post(simulator, without(...gone))).status === 200 ? "fine" : ruleOf(simulator));
    }
    // Behind a hole at the very end stands no block that could miss it.
    expect(verdicts).toEqual(["fine", "fine", "fine", "31", "fine"]);
  });
});

test("thinking of the current loop may be neither altered nor removed", () =>
  withConversation(2, async ({ body, messages }, simulator) => {
    const cases: readonly (readonly [Message[], string])[] = [
      [edited(messages, [3, 0], (b) => ({ ...b, thinking: "other" })), "30"],
      [edited(messages, [3, 0], (b) => ({ ...b, signature: `${b.signature}`.slice(0, -8) })), "30a"],
      [edited(messages, [3, 1], (b) => ({ ...b, data: "AAAA" })), "30a"],
      [edited(messages, [3, 1], () => undefined), "30"],
      [
        edited(
          edited(messages, [3, 0], () => undefined),
          [3, 0],
          () => undefined,
        ),
        "30",
      ],
      [
        edited(
          edited(messages, [1, 0], () => undefined),
          [1, 0],
          () => undefined,
        ),
        "30",
      ],
      [edited(messages, [3, 0], () => messages[1]?.content[0] as Block), "31"],
    ];
    for (const [changed, rule] of cases) {
      expect((await post(simulator, { ...body, messages: changed })).status).toBe(400);
      expect(ruleOf(simulator)).toBe(rule);
    }
    expect((await post(simulator, body)).status).toBe(200);
  }));

test("a server that was started again accepts the older conversation, one with another secret does not", () =>
  withConversation(2, async ({ body }) => {
    await withSimulator({ script }, async (again) => expect((await post(again, body)).status).toBe(200));
    await withSimulator({ script, secret: "another" }, async (other) => {
      expect((await post(other, body)).status).toBe(400);
      expect(other.refusals[0]?.rule).toBe("30");
    });
  }));

test("omitted thinking is signed as the empty text that it is", () =>
  withSimulator(
    {
      script: sequence([
        {
          content: [
            { type: "thinking", thinking: "secret" },
            { type: "text", text: "x" },
          ],
        },
        { content: [] },
      ]),
    },
    async (simulator) => {
      const head = { model: "claude-opus-5-5", max_tokens: 100 };
      const reply = await post(simulator, { ...head, messages: [user("hi")] });
      expect((reply.json.content as Block[])[0]).toMatchObject({ type: "thinking", thinking: "" });
      const next = { ...head, messages: [user("hi"), echo(reply), user("go on")] };
      expect((await post(simulator, next)).status).toBe(200);
    },
  ));

test("ids of calls are unique, also for another attempt at the same answer and after a restart", async () => {
  const ids: unknown[] = [];
  for (const _server of [1, 2]) {
    await withSimulator({ script }, async (simulator) => {
      for (const _attempt of [1, 2]) {
        const { messages } = await converse(simulator, 2);
        ids.push(
          ...messages.flatMap((m) => (m.content as Block[]).flatMap((b) => (b.type === "tool_use" ? [b.id] : []))),
        );
      }
    });
  }
  expect(ids.length).toBe(8);
  expect(new Set(ids).size).toBe(8);
});

test("with a seed, two servers give the same bytes", async () => {
  const replies: Body[] = [];
  for (const _server of [1, 2]) {
    await withSimulator(
      { script, seed: "fixed" },
      async (simulator) => void replies.push((await converse(simulator, 2)).body),
    );
  }
  expect(replies[0]).toEqual(replies[1]);
});

test("property: any change of any block before the last thinking is refused", () =>
  withConversation(4, async ({ body, messages }, simulator) => {
    const positions = messages.slice(0, 7).flatMap((m, i) => (m.content as Block[]).map((_b, j) => [i, j] as const));
    const alter = (block: Block): Block | undefined => {
      const key = ["text", "content", "thinking", "data", "input"].find((name) => name in block) ?? "text";
      return { ...block, [key]: key === "input" ? { changed: true } : `${block[key]}!` };
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...positions), fc.boolean(), async (at, remove) => {
        const isResultOrCall = (b: Block) => b.type === "tool_result" || b.type === "tool_use";
        const change = (b: Block) => (remove && !isResultOrCall(b) ? undefined : alter(b));
        const changed = edited(messages, at, change).filter((m) => m.content.length > 0);
        expect((await post(simulator, { ...body, messages: changed })).status).toBe(400);
      }),
      { seed: 7, numRuns: 60 },
    );
  }));
