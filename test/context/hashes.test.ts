import { expect, test } from "bun:test";
import fc from "fast-check";
import { createHashChain, type RequestBinding, requestBinding, requestHashes } from "../../src/context/index.ts";
import type { AssistantBlock, Block, Message, UserBlock } from "../../src/shared/index.ts";

const BINDING: RequestBinding = { model: "m", systemSha256: "s", toolsSha256: "t", thinking: "adaptive" };

const text = fc.record({ type: fc.constant("text" as const), text: fc.string({ minLength: 1 }) });
const result = fc.record({
  type: fc.constant("tool_result" as const),
  tool_use_id: fc.string({ minLength: 1 }),
  content: fc.string(),
});
const call = fc.record({
  type: fc.constant("tool_use" as const),
  id: fc.string({ minLength: 1 }),
  name: fc.constantFrom("read", "bash"),
  input: fc.dictionary(fc.string(), fc.jsonValue()),
});
const thinking = fc.record({
  type: fc.constant("thinking" as const),
  thinking: fc.string(),
  signature: fc.string(),
});
const userBlocks: fc.Arbitrary<UserBlock[]> = fc.array(fc.oneof(text, result), { minLength: 1, maxLength: 4 });
const assistantBlocks: fc.Arbitrary<AssistantBlock[]> = fc.array(fc.oneof(text, call, thinking), {
  minLength: 1,
  maxLength: 4,
});
const conversation: fc.Arbitrary<Message[]> = fc
  .array(fc.tuple(userBlocks, assistantBlocks), { minLength: 1, maxLength: 6 })
  .map((turns) =>
    turns.flatMap(([said, answered]): Message[] => [
      { role: "user", content: said },
      { role: "assistant", content: answered },
    ]),
  );

const count = (messages: readonly Message[]) => messages.reduce((sum, { content }) => sum + content.length, 0);
const seed = { seed: 20261130, numRuns: 200 };

test("what is appended leaves the prefix as it was sent", () => {
  fc.assert(
    fc.property(conversation, conversation, (before, after) => {
      const first = requestHashes(BINDING, before, 0);
      const second = requestHashes(BINDING, [...before, ...after], count(before));
      expect(second.prefixSha256).toBe(first.requestSha256);
      expect(second.requestSha256).not.toBe(first.requestSha256);
    }),
    seed,
  );
});

test("text that joins the last user message before it was sent is new, and the prefix stays", () => {
  const said: UserBlock = { type: "text", text: "a" };
  const first = requestHashes(BINDING, [{ role: "user", content: [said] }], 0);
  const grown: Message[] = [{ role: "user", content: [said, { type: "text", text: "b" }] }];
  expect(requestHashes(BINDING, grown, 1).prefixSha256).toBe(first.requestSha256);
});

test("any change in an earlier block changes both hashes", () => {
  fc.assert(
    fc.property(conversation, fc.nat(), fc.string({ minLength: 1 }), (messages, where, more) => {
      const blocks = messages.flatMap(({ content }) => content as readonly Block[]);
      const victim = blocks[where % blocks.length];
      const altered = messages.map((message) => ({
        ...message,
        content: (message.content as readonly Block[]).map((block) =>
          block === victim ? changed(block, more) : block,
        ),
      })) as Message[];
      const [was, is] = [messages, altered].map((each) => requestHashes(BINDING, each, count(each)));
      expect(is?.requestSha256).not.toBe(was?.requestSha256 ?? "");
      expect(is?.prefixSha256).not.toBe(was?.prefixSha256 ?? "");
    }),
    seed,
  );
});

function changed(block: Block, more: string): Block {
  if (block.type === "text") return { ...block, text: block.text + more };
  if (block.type === "tool_result") return { ...block, content: block.content + more };
  if (block.type === "tool_use") return { ...block, id: block.id + more };
  return block.type === "thinking" ? { ...block, signature: block.signature + more } : block;
}

test("the order of an input's keys counts, and so does whose text it is", () => {
  const input = (value: unknown): Message[] => [
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "read", input: value }] },
  ];
  const hashes = [
    input({ a: 1, b: 2 }),
    input({ b: 2, a: 1 }),
    [{ role: "user", content: [{ type: "text", text: "x" }] }] as Message[],
    [{ role: "assistant", content: [{ type: "text", text: "x" }] }] as Message[],
  ].map((messages) => requestHashes(BINDING, messages, 0).requestSha256);
  expect(new Set(hashes).size).toBe(4);
});

test("everything that the server binds changes the hash", () => {
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "x" }] }];
  const others: RequestBinding[] = [
    BINDING,
    { ...BINDING, model: "n" },
    { ...BINDING, systemSha256: "u" },
    { ...BINDING, toolsSha256: "u" },
    { ...BINDING, thinking: "off" },
    { ...BINDING, effort: "high" },
    { ...BINDING, effort: "low" },
    { ...BINDING, outputSchemaSha256: "low" },
    { ...BINDING, effort: "low", outputSchemaSha256: "low" },
  ];
  const hashes = others.map((binding) => requestHashes(binding, messages, 1));
  expect(new Set(hashes.map((h) => h.requestSha256)).size).toBe(others.length);
  expect(new Set(hashes.map((h) => h.prefixSha256)).size).toBe(others.length);
});

test("a chain that is carried along gives what a computation from nothing gives, through growth and breaks", () => {
  type Step = { readonly grow: Message[]; readonly dropTo: number; readonly model: string };
  const step: fc.Arbitrary<Step> = fc.record({
    grow: conversation,
    dropTo: fc.nat({ max: 12 }),
    model: fc.constantFrom("m", "m", "m", "n"),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const chain = createHashChain();
      let messages: Message[] = [];
      for (const { grow, dropTo, model } of steps) {
        const kept = dropTo === 0 ? messages.slice(0, Math.floor(messages.length / 2)) : messages;
        messages = [...kept, ...grow];
        const binding = { ...BINDING, model };
        const sent = Math.min(dropTo, count(messages));
        expect(chain.extend(binding, messages, sent)).toEqual(requestHashes(binding, messages, sent));
      }
    }),
    seed,
  );
});

test("a chain that is carried along follows a conversation that became shorter", () => {
  const messages: Message[] = ["a", "b", "c"].map((each) => ({
    role: "user",
    content: [{ type: "text", text: each }],
  }));
  const chain = createHashChain();
  for (const kept of [messages, messages.slice(0, 1), messages.slice(0, 2), []]) {
    expect(chain.extend(BINDING, kept, 1)).toEqual(requestHashes(BINDING, kept, 1));
  }
});

test("the values themselves are pinned: a log must be checkable by a later version", () => {
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "fix the test" }] },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: { file_path: "a.ts" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
  ];
  expect(requestHashes(BINDING, messages, 1)).toEqual({
    requestSha256: "1c11ec28205c91ae6ad9497b1dd8198a47a6e0c0648d853a28520f62f060c8f4",
    prefixSha256: "8cf04ebe23659cdf243728624fdf181935ba8637874c69c193a64a5d2603d755",
  });
});

test("a session without settings is bound as one with the defaults", () => {
  const prefix = { systemSha256: "s", toolsSha256: "t" };
  expect(requestBinding({ model: "m" }, prefix)).toEqual(BINDING);
  expect(requestBinding({ model: "m", thinking: "off", effort: "max" }, prefix)).toEqual({
    ...BINDING,
    thinking: "off",
    effort: "max",
  });
  expect(requestBinding({ model: "m" }, { ...prefix, outputSchemaSha256: "o" })).toEqual({
    ...BINDING,
    outputSchemaSha256: "o",
  });
});
