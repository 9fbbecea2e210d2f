/** What a step of a session under way looks at: only what is new, however long the conversation has become. Counted, not timed. */
import { expect, test } from "bun:test";
import { createContextEngine, freezePrefix } from "../../src/context/index.ts";
import type { SessionState } from "../../src/session/index.ts";
import type { Message } from "../../src/shared/index.ts";
import { FACTS, memoryBlobs, says, stateOf, TOOL } from "./workshop.ts";

const prefix = await freezePrefix(memoryBlobs(), ["static", "project"], [TOOL]);
const { systemSha256, toolsSha256 } = prefix;

/** A conversation that tells how often anybody has looked into one of its messages. */
function watched(): { readonly grow: (to: number) => readonly Message[]; readonly looks: () => number } {
  const messages: Message[] = [];
  let looks = 0;
  const watch = ({ role, content }: Message): Message => {
    const seen = {
      role,
      get content() {
        looks++;
        return content;
      },
    };
    return seen as Message; // as: role and content are of one message
  };
  return {
    grow(to) {
      while (messages.length < to) messages.push(watch(messageAt(messages.length)));
      return messages;
    },
    looks: () => looks,
  };
}

function messageAt(at: number): Message {
  if (at === 0) return says("mend it");
  const result = { type: "tool_result", tool_use_id: `t${at - 1}`, content: `result ${at}` } as const;
  if (at % 2 === 0) return { role: "user", content: [result] };
  return {
    role: "assistant",
    content: [
      { type: "thinking", thinking: `thought ${at}`, signature: "s" },
      { type: "tool_use", id: `t${at}`, name: "read", input: { file_path: "a" } },
    ],
  };
}

/** As behind a request that held all but the newest two messages. */
const stateAt = (messages: readonly Message[]): SessionState =>
  stateOf({
    messages,
    conversation: {
      systemSha256,
      toolsSha256,
      sentBlocks: 1 + ((messages.length - 3) / 2) * 3,
      sentTail: { message: messages.length - 3, block: 0 },
      countedTail: { message: messages.length - 2, block: 1 },
    },
    turn: { iterations: 5, responses: 5 },
    last: { cacheReadTokens: 1_000 },
  });

/** How many messages are looked into between an answer with its results and the next request. */
function looksOfStep(length: number): number {
  const engine = createContextEngine({ prefix, facts: () => FACTS, reservedOutputTokens: 32_000 });
  const { grow, looks } = watched();
  engine.selectContext(stateAt(grow(length)));
  const before = looks();
  const state = stateAt(grow(length + 2));
  engine.pruneToolResults(state);
  engine.needsCompaction(state);
  engine.selectContext(state);
  return looks() - before;
}

test("a step looks at as much of a conversation of a thousand messages as of one of eleven", () => {
  expect(looksOfStep(1_001)).toBe(looksOfStep(11));
  expect(looksOfStep(11)).toBeGreaterThanOrEqual(2);
});

test("where an earlier message has become another, all behind it is looked at again, and nothing before", () => {
  const engine = createContextEngine({ prefix, facts: () => FACTS, reservedOutputTokens: 32_000 });
  const { grow, looks } = watched();
  const messages = grow(101);
  engine.selectContext(stateAt(messages));
  const before = looks();
  const pruned = messages.with(80, {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "t79", content: "gone" }],
  });
  const { record } = engine.selectContext(stateAt(pruned));
  expect(looks() - before).toBeLessThan(50);
  const anew = createContextEngine({ prefix, facts: () => FACTS, reservedOutputTokens: 32_000 });
  expect(record).toEqual(anew.selectContext(stateAt(pruned)).record);
});
