/** The engine over real folds: what is sent next always begins with what was sent before, until the log records a break. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createContextEngine, freezePrefix, requestBinding, requestHashes } from "../../src/context/index.ts";
import { conversation, type SessionState, turnState } from "../../src/session/index.ts";
import type { DurableEvent, DurableInput } from "../../src/shared/index.ts";
import { FACTS, memoryBlobs, stateOf, TOOL } from "./workshop.ts";

const prefix = await freezePrefix(memoryBlobs(), ["static"], [TOOL]);
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** A log that lives in memory, behind the folds that a session keeps. */
function openLog() {
  const empty = stateOf({});
  let folds = { conversation: conversation.initial(), turn: turnState.initial() };
  let seq = 0;
  const publish = (input: DurableInput) => {
    seq++;
    const event = { v: 1, id: `e${seq}`, sessionId: "s", seq, ts: seq, ...input } as DurableEvent;
    folds = {
      conversation: conversation.apply(folds.conversation, event),
      turn: turnState.apply(folds.turn, event),
    };
  };
  const started = { title: "", projectHash: "", workingDirectory: "/", gitBranch: null, model: "m", auxModel: "x" };
  const { systemSha256, toolsSha256 } = prefix;
  publish({ type: "session.started", payload: { ...started, khaelorVersion: "0", systemSha256, toolsSha256 } });
  return { publish, state: (): SessionState => ({ ...empty, lastSeq: seq, ...folds }) };
}

/** Drives turns, and checks each request against the one before it and against a computation from nothing. */
function openSession() {
  const { publish, state } = openLog();
  const engine = createContextEngine({ prefix, facts: () => FACTS, reservedOutputTokens: 1000 });
  const done: string[] = [];
  let before = "";
  let requests = 0;

  function request(broken: boolean): string {
    const now = state();
    const { request: built, record } = engine.selectContext(now);
    const { messages, sentBlocks } = now.conversation;
    expect<object>(record).toMatchObject(requestHashes(requestBinding(now.turn, prefix), messages, sentBlocks));
    if (before !== "") expect(record.prefixSha256 === before).toBe(!broken);
    expect(built.marks.length).toBe(before === "" || broken ? 1 : 2);
    before = record.requestSha256 ?? "";
    const requestId = `r${++requests}`;
    publish({ type: "model.request-started", payload: { requestId, model: "m", purpose: "main", ...record } });
    return requestId;
  }

  function end(requestId: string, stopReason: string): void {
    publish({ type: "model.response-completed", payload: { requestId, stopReason, usage, durationMs: 1 } });
  }

  return {
    prune(): boolean {
      const toolUseIds = done.slice(-1);
      const payload = { toolUseIds, placeholder: "[removed]", tokensReclaimedEstimate: 1 };
      if (toolUseIds.length > 0) publish({ type: "context.pruned", payload });
      return toolUseIds.length > 0;
    },
    say: (text: string, by: "user" | "kernel" = "user") =>
      publish({ type: "user.message-created", payload: { text, mentions: [], by } }),
    /** Thinking, then calls with their results. */
    work(calls: number, broken: boolean): void {
      const requestId = request(broken);
      const thinking = { requestId, blockIndex: 0, thinking: "", signature: `sig${requestId}` };
      publish({ type: "model.thinking-block-completed", payload: thinking });
      const ids = Array.from({ length: calls }, (_, at) => `${requestId}t${at}`);
      for (const [at, toolUseId] of ids.entries()) {
        const call = { requestId, blockIndex: at + 1, toolUseId, toolName: "read", input: { at } };
        publish({ type: "tool.requested", payload: call });
      }
      end(requestId, "tool_use");
      for (const toolUseId of ids) {
        const ui = { kind: "read" as const, summary: "" };
        publish({ type: "tool.completed", payload: { toolUseId, modelText: toolUseId, durationMs: 1, ui } });
      }
      done.push(...ids);
    },
    answer(broken: boolean): void {
      const requestId = request(broken);
      publish({ type: "model.text-block-completed", payload: { requestId, blockIndex: 0, text: "answer" } });
      end(requestId, "end_turn");
    },
  };
}

type Turn = { readonly say: string; readonly calls: number; readonly nudge: boolean; readonly prune: boolean };

test("every request continues the one before it, and a prune is the only exception", () => {
  const turn: fc.Arbitrary<Turn> = fc.record({
    say: fc.string().map((text) => `s${text}`),
    calls: fc.nat({ max: 3 }),
    nudge: fc.boolean(),
    prune: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 5 }), (turns) => {
      const session = openSession();
      for (const { say, calls, nudge, prune } of turns) {
        const broken = prune && session.prune();
        session.say(say);
        if (calls > 0) session.work(calls, broken);
        if (nudge && calls > 0) session.say("nudge", "kernel");
        session.answer(broken && calls === 0);
      }
    }),
    { seed: 7, numRuns: 150 },
  );
});
