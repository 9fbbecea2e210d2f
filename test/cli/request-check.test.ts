/** What `fsck` says of the requests of a log: that each can be rebuilt as it was sent, or which cannot. */
import { expect, test } from "bun:test";
import { checkRequests } from "../../src/cli/request-check.ts";
import { createHashChain, requestBinding } from "../../src/context/index.ts";
import { conversation, type SessionStore, turnState } from "../../src/session/index.ts";
import type { DurableEvent, DurableInput } from "../../src/shared/index.ts";

const PREFIX = { systemSha256: "5".repeat(64), toolsSha256: "7".repeat(64) };
const USAGE = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** One tool loop of so many requests, with the hashes that were right when they were sent. */
function loopOf(requests: number): DurableEvent[] {
  const events: DurableEvent[] = [];
  const chain = createHashChain();
  let messages = conversation.initial();
  let turn = turnState.initial();
  const add = (input: DurableInput): void => {
    const seq = events.length + 1;
    const event = { v: 1, id: `event-${seq}`, sessionId: "session", seq, ts: seq, ...input } as DurableEvent; // one input
    events.push(event);
    messages = conversation.apply(messages, event);
    turn = turnState.apply(turn, event);
  };
  const about = { title: "", projectHash: "p", workingDirectory: "/p", gitBranch: null, khaelorVersion: "0" };
  add({ type: "session.started", payload: { ...about, model: "m", auxModel: "m", ...PREFIX } });
  add({ type: "user.message-created", payload: { text: "go", mentions: [] } });
  for (let at = 0; at < requests; at++) {
    const [requestId, toolUseId] = [`request-${at}`, `toolu_${at}`];
    const hashes = chain.extend(requestBinding(turn, PREFIX), messages.messages, messages.sentBlocks);
    const contextStats = { estimatedInputTokens: 1, sections: [] };
    add({
      type: "model.request-started",
      payload: { requestId, model: "m", purpose: "main", contextStats, ...hashes },
    });
    add({ type: "model.text-block-completed", payload: { requestId, blockIndex: 0, text: `Step ${at}.` } });
    add({
      type: "tool.requested",
      payload: { requestId, blockIndex: 1, toolUseId, toolName: "bash", input: { command: `echo ${at}` } },
    });
    add({
      type: "model.response-completed",
      payload: { requestId, stopReason: "tool_use", usage: USAGE, durationMs: 1 },
    });
    const ui = { kind: "exec", summary: "exit code 0" } as const;
    add({ type: "tool.completed", payload: { toolUseId, modelText: `${at}\n`, durationMs: 1, ui } });
  }
  return events;
}

function storeOf(events: readonly DurableEvent[]): SessionStore {
  const read = async function* () {
    yield* events;
  };
  const blobs = { get: async () => new Uint8Array() };
  return { read, blobs } as unknown as SessionStore; // the check asks for nothing else
}

test("every request of a long session is rebuilt, in a time that does not grow with its square", async () => {
  expect((await checkRequests(storeOf(loopOf(1_400)), "session")).mismatches).toEqual([]);
});

test("a byte that was changed is found in the request that sent it first, and in all that repeat it", async () => {
  const events = loopOf(3);
  const changed = events.map((event): DurableEvent => {
    if (event.type !== "tool.completed" || event.payload.toolUseId !== "toolu_0") return event;
    return { ...event, payload: { ...event.payload, modelText: "other\n" } };
  });
  const requests = events.filter(({ type }) => type === "model.request-started").map(({ seq }) => seq);
  expect((await checkRequests(storeOf(changed), "session")).mismatches).toEqual(requests.slice(1));
});
