/** What was done and spent, told from events. */
import { expect, test } from "bun:test";
import {
  ACTIVITY_TYPES,
  type Activity,
  activity,
  activityOf,
  addActivity,
  eventsOfTypes,
  forgotten,
  noActivity,
} from "../../src/session/index.ts";
import { decode, type LogEvent } from "../../src/shared/index.ts";
import { ID, line, lines, said, started, workshop } from "./workshop.ts";

const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3 });
const asked = (seq: number, requestId: string, model = "priced"): string =>
  line(seq, "model.request-started", {
    requestId,
    model,
    purpose: "main",
    contextStats: { estimatedInputTokens: 1, sections: [] },
  });
const answered = (seq: number, requestId: string, input: number): string =>
  line(seq, "model.response-completed", {
    requestId,
    stopReason: "end_turn",
    usage: usage(input),
    durationMs: 1,
  });
const called = (seq: number, toolName: string): string =>
  line(seq, "tool.requested", { requestId: "r", blockIndex: 0, toolUseId: `t${seq}`, toolName, input: {} });
const done = (seq: number): string =>
  line(seq, "task.completed", {
    evidence: { objective: "a", changedFiles: [], checks: [], unresolvedIssues: [] },
  });
const stopped = (seq: number): string => line(seq, "user.interrupted", { scope: "turn", pendingToolUseIds: [] });

const fold = activity((model, { inputTokens }) => (model === "priced" ? inputTokens : null));

function events(...texts: readonly string[]): readonly LogEvent[] {
  return texts.map((text) => {
    const read = decode(text);
    if (!read.ok) throw new Error(read.error.message);
    return read.value;
  });
}

const after = (state = noActivity(), ...texts: readonly string[]) =>
  events(...texts).reduce((folded, event) => fold.apply(folded, event), state);

const shown = ({ byModel, tools, ...rest }: Activity) => ({
  ...rest,
  byModel: Object.fromEntries(byModel),
  tools: Object.fromEntries(tools),
});

test("turns, their ends, requests, calls, tokens and money are counted by what they are", () => {
  const state = after(
    undefined,
    said(2, "a"),
    asked(3, "r"),
    called(4, "bash"),
    called(5, "read"),
    called(6, "bash"),
    answered(7, "r", 10),
    done(8),
    said(9, "b"),
    asked(10, "s", "unpriced"),
    answered(11, "s", 5),
    stopped(12),
    line(13, "user.message-created", { text: "on", mentions: [], by: "kernel" }),
    line(14, "user.steering-queued", { text: "c", deliver: "next-turn" }),
    line(15, "user.steering-injected", {
      queuedEventId: "01J8ZQ0000EVNT000000000014",
      seam: "pre-model-call",
      afterSeq: 14,
    }),
    asked(16, "t"),
    line(17, "model.request-failed", {
      requestId: "t",
      kind: "retryable",
      message: "cut",
      retriesExhausted: false,
      usage: usage(1),
    }),
  );
  expect(shown(activityOf(state))).toEqual({
    turns: 3,
    outcomes: { completed: 1, failed: 0, interrupted: 1, unfinished: 1 },
    requests: 3,
    cut: usage(1),
    tools: { bash: 2, read: 1 },
    byModel: {
      priced: { usage: usage(10), responses: 1, costUsd: 10, unpriced: 0 },
      unpriced: { usage: usage(5), responses: 1, costUsd: 0, unpriced: 1 },
    },
  });
});

test("what was forgotten counts no more, but gives a later answer its model", () => {
  const state = after(
    forgotten(after(undefined, said(2, "a"), asked(3, "r"), called(4, "bash"))),
    answered(5, "r", 7),
    done(6),
  );
  expect(shown(activityOf(state))).toEqual({
    turns: 0,
    outcomes: { completed: 0, failed: 0, interrupted: 0, unfinished: 0 },
    requests: 0,
    cut: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    tools: {},
    byModel: { priced: { usage: usage(7), responses: 1, costUsd: 7, unpriced: 0 } },
  });
});

test("two sessions together are the sum of both", () => {
  const one = activityOf(
    after(undefined, said(2, "a"), asked(3, "r"), called(4, "bash"), answered(5, "r", 7), done(6)),
  );
  const two = addActivity(one, one);
  expect(two.byModel.get("priced")).toEqual({
    usage: { inputTokens: 14, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 6 },
    responses: 2,
    costUsd: 14,
    unpriced: 0,
  });
  expect([two.turns, two.requests, two.outcomes.completed, two.tools.get("bash")]).toEqual([2, 2, 2, 2]);
});

test("the lines that matter are found without decoding the others, also where they are spelled otherwise", async () => {
  using room = workshop();
  const odd = `{"type":"user.message-created","v":1,"id":"x","sessionId":"${ID}","seq":3,"ts":1,"payload":{"text":"odd","mentions":[]}}`;
  const bad = '{"v":1,"id":"x","sessionId":"s","seq":1,"ts":1,"type":"file.read","payload":not read at all';
  room.write(`${lines(started(), said(2, "a"), odd, bad, "no event", called(5, "bash"))}${said(6, "torn")}`);
  const found: string[] = [];
  for await (const { type, seq } of eventsOfTypes(room.log(), ACTIVITY_TYPES)) found.push(`${seq} ${type}`);
  expect(found).toEqual(["2 user.message-created", "3 user.message-created", "5 tool.requested"]);
});

test("of requests that never ended the newest few are kept", () => {
  const state = after(undefined, ...Array.from({ length: 50 }, (_, at) => asked(at + 1, `r${at}`)));
  expect([state.requests, [...state.open.keys()].at(-1)]).toEqual([50, "r49"]);
  expect(state.open.size).toBeLessThanOrEqual(8);
});
