/**
 * Every call has exactly one result, whatever happens. Whole sessions are cut behind every line, as a crash would leave them,
 * and resumed: what recovery appends makes the conversation one that the API accepts, leaves open only what waits for consent,
 * and needs no second recovery. The property takes recovery, the folds and the cuts, so that wrong ones can be caught.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isLoopOpen, type TurnState } from "../../src/session/index.ts";
import type { Conversation } from "../../src/session/projections/conversation-state.ts";
import { type DurableInput, type DurableType, fold, type LogEvent, type Message } from "../../src/shared/index.ts";
import { countedCalls, expectedMessages, of } from "../support/expected-conversation.ts";
import { PAIRING_MUTANTS, REAL, type Subject } from "../support/pairing-mutants.ts";
import { anyPlot, type Plot, tellStory } from "../support/session-events.ts";
import { isOwnCommand, isResult, isWithdrawal } from "../support/story/memory-session.ts";
import { prefixNamed } from "../support/story/prefixes.ts";
import { judgeRequest } from "../support/story/strict-api.ts";

/** What is wrong with the sessions that go on from a crash behind each line of a story. */
async function violations(plot: Plot, subject: Subject): Promise<readonly string[]> {
  const { events } = await tellStory(plot);
  const wrong: string[] = [];
  for (let count = 1; count <= events.length && wrong.length === 0; count++) {
    const found = afterCrash(events.slice(0, count), subject);
    wrong.push(...found.map((what) => `cut behind seq ${count}: ${what}`));
  }
  return wrong;
}

function afterCrash(events: readonly LogEvent[], subject: Subject): readonly string[] {
  const resumed = resume(events, subject);
  const again = subject.recovery({ turn: subject.turn.apply(resumed.turn, resumedLine(resumed.log)) });
  const wrong = [
    ...(again.length > 0 ? [`a second recovery appends ${again.length}`] : []),
    ...openCallProblems(resumed, events),
    ...shapeProblems(resumed.conversation.messages),
    ...awaitingProblems(resumed),
    ...(events.length % 4 === 0 ? interruptedRecovery(events, subject) : []),
    ...(events.length % 3 === 0 ? [...saidAsRecorded(resumed), ...cutProblems(resumed, subject)] : []),
  ];
  return wrong.length > 0 ? wrong : acceptance(resumed, subject);
}

interface Resumed {
  readonly log: readonly LogEvent[];
  /** How many events recovery added. */
  readonly appended: number;
  readonly conversation: Conversation;
  readonly turn: TurnState;
}

/** As a resume does it; `only` so many events of recovery, before the next crash. */
function resume(events: readonly LogEvent[], { conversation, turn, recovery }: Subject, only = 1_000): Resumed {
  const log = [...events, resumedLine(events)];
  let state = fold(turn, log);
  const inputs = recovery({ turn: state }).slice(0, only);
  for (const input of inputs) {
    const next = line(log, input);
    log.push(next);
    state = turn.apply(state, next);
  }
  return { log, appended: inputs.length, conversation: fold(conversation, log), turn: state };
}

const line = (log: readonly LogEvent[], input: DurableInput): LogEvent => {
  const seq = log.length + 1;
  return { v: 1, id: `e${seq}`, sessionId: log[0]?.sessionId ?? "s", seq, ts: seq, ...input } as LogEvent;
};

function resumedLine(events: readonly LogEvent[]): LogEvent {
  const resumed = of(events, "session.resumed").at(-1) ?? of(events, "session.started").at(-1);
  const changed = of(events, "session.model-changed").at(-1);
  const model =
    (changed?.seq ?? 0) > (resumed?.seq ?? 0) ? (changed?.payload.to ?? "") : (resumed?.payload.model ?? "");
  const { systemSha256 = "", toolsSha256 = "" } = resumed?.payload ?? {};
  const about = { khaelorVersion: "0", replayedSeq: events.length, model, toolNames: [] };
  return line(events, { type: "session.resumed", payload: { ...about, systemSha256, toolsSha256 } });
}

/** Who may be open: calls that wait for consent, and those behind them that nothing has happened to. */
function openCallProblems({ log, turn }: Resumed, events: readonly LogEvent[]): readonly string[] {
  const before = endedCalls(events);
  const closed = log
    .slice(events.length)
    .filter(isResult)
    .map(({ payload }) => payload.toolUseId);
  const ids = of(log, "tool.requested").map(({ payload }) => payload.toolUseId);
  const open = ids.filter((id) => !before.has(id) && !closed.includes(id));
  const due = waitingCalls(events);
  const pending = turn.pending.map(({ toolUseId }) => toolUseId);
  return [
    ...(open.join() === due.join() ? [] : [`open are [${open}], due are [${due}]`]),
    ...(pending.join() === due.join() ? [] : [`pending are [${pending}], due are [${due}]`]),
    ...closed.filter((id, at) => before.has(id) || closed.indexOf(id) < at).map((id) => `${id} is closed twice`),
  ];
}

const endedCalls = (log: readonly LogEvent[]): ReadonlySet<string> =>
  new Set(log.filter(isResult).map(({ payload }) => payload.toolUseId));

function waitingCalls(log: readonly LogEvent[]): readonly string[] {
  const batch = countedCalls(log, log.length + 1);
  const ended = endedCalls(log);
  const answered = new Set(
    [...of(log, "permission.granted"), ...of(log, "permission.denied")].map((it) => it.payload.permissionRequestId),
  );
  const forked = of(log, "session.resumed").findLast(({ payload }) => payload.fork)?.seq ?? 0;
  const asked = of(log, "permission.requested").filter(
    ({ seq, payload }) => seq > forked && !answered.has(payload.permissionRequestId),
  );
  const waiting = new Set(asked.map(({ payload }) => payload.toolUseId));
  const touched = new Set(
    [...of(log, "permission.requested"), ...of(log, "tool.approved")].map(({ payload }) => payload.toolUseId),
  );
  const first = batch.findIndex((id) => waiting.has(id) && !ended.has(id));
  if (first === -1 || isStopped(log)) return [];
  return batch.filter((id, at) => at >= first && !ended.has(id) && (waiting.has(id) || !touched.has(id)));
}

/** The user's last word about the turn was to stop it. */
function isStopped(log: readonly LogEvent[]): boolean {
  const words: readonly DurableType[] = ["user.interrupted", "user.message-created", "user.steering-injected"];
  const isWord = (event: LogEvent) =>
    words.some((word) => word === event.type) && !isOwnCommand(event) && !isWithdrawal(event);
  return log.findLast(isWord)?.type === "user.interrupted";
}

/** Roles alternate, from the user on; the results of a message's calls are the beginning of the next one, in order. */
function shapeProblems(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role, content }, at) => {
    const next = messages[at + 1];
    const due = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const ids = (next?.content ?? []).map((block) => (block.type === "tool_result" ? block.tool_use_id : ""));
    const results = ids.filter((id) => id !== "");
    return [
      ...(at === 0 && role === "assistant" && content[0]?.type !== "compaction" ? ["the assistant begins"] : []),
      ...(next?.role === role ? [`messages ${at} and ${at + 1} are both from ${role}`] : []),
      ...(content.length === 0 ? [`message ${at} is empty`] : []),
      ...(next && results.join() !== due.join() ? [`message ${at} calls [${due}], answered are [${results}]`] : []),
      ...(ids.slice(0, results.length).includes("") ? [`message ${at + 1} has something before its results`] : []),
    ];
  });
}

function awaitingProblems({ conversation: { messages, awaiting }, turn }: Resumed): readonly string[] {
  const calls = (messages.at(-1)?.content ?? []).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  const isWaiting = turn.pending.length > 0;
  return [
    ...(awaiting.join() === calls.join() ? [] : [`awaited are [${awaiting}], the last message calls [${calls}]`]),
    ...(isWaiting === calls.length > 0 ? [] : [`${turn.pending.length} pending, and [${calls}] without results`]),
  ];
}

/** A crash during recovery: the next one finishes what it began. */
function interruptedRecovery(events: readonly LogEvent[], subject: Subject): readonly string[] {
  const whole = resume(events, subject);
  return Array.from({ length: whole.appended }, (_, only) => {
    const halfway = resume(events, subject, only);
    const finished = resume(halfway.log, subject);
    const isSame = JSON.stringify(finished.conversation.messages) === JSON.stringify(whole.conversation.messages);
    return isSame ? [] : [`recovery that died after ${only} events ends elsewhere`];
  }).flat();
}

function saidAsRecorded({ log, conversation: { messages } }: Resumed): readonly string[] {
  const expected = expectedMessages(log, log.length + 1).map(({ role, blocks }) => `${role} ${blocks.join()}`);
  const said = messages.map(({ role, content }) => `${role} ${content.map((it) => JSON.stringify(it)).join()}`);
  return said.join() === expected.join() ? [] : [`the conversation is ${said}, and not ${expected}`];
}

/** Of all boundaries exactly those are safe that part no call from its result; at the others a compaction is not applied. */
function cutProblems({ log, conversation: state }: Resumed, { conversation, cuts }: Subject): readonly string[] {
  const safe = cuts(state);
  const boundaries = state.spans.map(({ last }) => last);
  const strangers = safe.filter((seq) => !boundaries.includes(seq)).map((seq) => `no message ends at ${seq}`);
  const wrong = boundaries.flatMap((toSeq, at) => {
    const isSafe = isWhole(state.messages.slice(0, at + 1)) && isAnsweredBy(log, toSeq);
    if (isSafe !== safe.includes(toSeq))
      return [`a cut at ${toSeq} is ${isSafe ? "safe" : "unsafe"}, which is not seen`];
    const after = fold(conversation, [...log, line(log, checkpoint(toSeq))]).messages;
    const isApplied = JSON.stringify(after[0]).includes("the checkpoint");
    const done = isApplied === isSafe ? [] : [`a cut at ${toSeq} is ${isApplied ? "" : "not "}applied`];
    return [...done, ...shapeProblems(after).map((what) => `cut at ${toSeq}: ${what}`)];
  });
  return [...strangers, ...wrong];
}

const checkpoint = (toSeq: number): DurableInput => ({
  type: "context.compacted",
  payload: {
    checkpointYaml: "",
    message: "the checkpoint",
    cut: { fromSeq: 1, toSeq },
    trigger: "user-command",
    tokensBefore: 1,
    summaryModel: "m",
  },
});

function isWhole(head: readonly Message[]): boolean {
  const blocks = head.flatMap(({ content }): readonly Message["content"][number][] => content);
  const answered = new Set(blocks.map((block) => (block.type === "tool_result" ? block.tool_use_id : "")));
  return blocks.every((block) => block.type !== "tool_use" || answered.has(block.id));
}

/** The event model's own words: every call that counted up to there has its result up to there. */
function isAnsweredBy(log: readonly LogEvent[], toSeq: number): boolean {
  const ended = new Map(
    log
      .filter(isResult)
      .map(({ payload, seq }) => [payload.toolUseId, seq])
      .toReversed() as [string, number][],
  );
  return countedCalls(log, toSeq + 1).every((id) => (ended.get(id) ?? Number.POSITIVE_INFINITY) <= toSeq);
}

/** A loop whose thinking a break has taken: it is ended before anything is asked, which the property of byte stability sees. */
const isBroken = (state: Conversation): boolean => state.sentTail === undefined && isLoopOpen(state);

/** Once consent is refused and the user has said something, the strict server takes what is sent. */
function acceptance({ log, turn }: Resumed, { conversation, turn: turns }: Subject): readonly string[] {
  if (log.length % 5 !== 0 || isBroken(fold(conversation, log))) return [];
  const whole = [...log];
  for (const { toolUseId } of turn.pending) {
    const payload = { toolUseId, modelText: "no", errorKind: "permission-denied" as const, durationMs: 0 };
    whole.push(line(whole, { type: "tool.failed", payload }));
  }
  whole.push(line(whole, { type: "user.message-created", payload: { text: "go on", mentions: [] } }));
  const { messages, systemSha256, outputSchemaSha256 } = fold(conversation, whole);
  const { system, tools, outputSchema } = prefixNamed(systemSha256, outputSchemaSha256);
  const { model } = fold(turns, whole);
  const verdict = judgeRequest({
    model,
    system,
    tools,
    messages,
    marks: [],
    maxOutputTokens: 1_000,
    thinking: "adaptive",
    ...(outputSchema && { outputSchema: outputSchema.sent }),
  });
  return typeof verdict === "string" ? [`the next request is refused by ${verdict}`] : [];
}

test("a session that is cut anywhere goes on with a result for every call, but for those that wait for consent", async () => {
  const property = fc.asyncProperty(anyPlot(6), async (plot) => expect(await violations(plot, REAL)).toEqual([]));
  await fc.assert(property, { seed: 3, numRuns: 40 });
}, 60_000);

describe("the property catches a resume that", () => {
  test.each(Object.entries(PAIRING_MUTANTS))(
    "%s",
    async (_name, mutant) => {
      const property = fc.asyncProperty(anyPlot(6), async (plot) => (await violations(plot, mutant)).length === 0);
      const { failed } = await fc.check(property, { seed: 5, numRuns: 80, endOnFailure: true });
      expect(failed).toBe(true);
    },
    60_000,
  );
});
