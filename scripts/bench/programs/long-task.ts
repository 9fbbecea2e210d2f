/**
 * A task under way in one turn, recorded by the session's own hand: thinking, a word, one to three calls, results from a line to
 * 5 KB, edits with real hashes, now and then a failure. Each step tells what its parts took.
 */
import { modelFacts } from "../../../src/anthropic/index.ts";
import { type ContextEngine, createContextEngine, freezePrefix } from "../../../src/context/index.ts";
import type { SessionHandle, SessionStore } from "../../../src/session/index.ts";
import { type Payload, sha256 } from "../../../src/shared/index.ts";
import { STARTED } from "./probe-store.ts";

/** Milliseconds. */
export interface StepCost {
  /** One step's events: checked, written as lines, folded, delivered. */
  readonly record: number;
  /** Whether to prune, and whether a compaction is due. */
  readonly room: number;
  /** The next request: selected, hashed, weighed, marked. */
  readonly build: number;
}

export interface LongTask {
  readonly session: SessionHandle;
  readonly context: ContextEngine;
  /** Two messages: an answer with its calls, and their results. */
  readonly step: () => StepCost;
}

const prefixIn = (store: SessionStore) => freezePrefix(store.blobs, ["You are a bench. ".repeat(200)], []);

/** For a session that `openTask` has made in this store: nobody is asked for a summary. */
export async function contextIn(store: SessionStore): Promise<ContextEngine> {
  return createContextEngine({ prefix: await prefixIn(store), facts: modelFacts, reservedOutputTokens: 32_000 });
}

/** Its conversation has grown to so many messages already. */
export async function openTask(store: SessionStore, messages: number): Promise<LongTask> {
  const { systemSha256, toolsSha256 } = await prefixIn(store);
  const session = await store.create({ ...STARTED, workingDirectory: "/project", systemSha256, toolsSha256 });
  const context = await contextIn(store);
  session.publish({ type: "user.message-created", payload: { text: "Mend all parts of it.", mentions: [] } });
  let number = 0;
  let begun = request(session, context, number);

  const step = (): StepCost => {
    const at = performance.now();
    answer(session, number, begun);
    for (const call of callsOf(number)) carryOut(session, call, number);
    number++;
    const recorded = performance.now();
    const state = session.state();
    context.pruneToolResults(state);
    context.needsCompaction(state);
    const judged = performance.now();
    const built = context.selectContext(state).record;
    const selected = performance.now();
    begun = begin(session, number, built);
    const record = recorded - at + (performance.now() - selected);
    return { record, room: judged - recorded, build: selected - judged };
  };
  while (session.state().conversation.messages.length < messages) step();
  return { session, context, step };
}

const request = (session: SessionHandle, context: ContextEngine, number: number): Begun =>
  begin(session, number, context.selectContext(session.state()).record);

type RequestRecord = Omit<Payload<"model.request-started">, "requestId" | "model" | "purpose">;

interface Begun {
  readonly requestId: string;
  readonly tokens: number;
}

function begin(session: SessionHandle, number: number, record: RequestRecord): Begun {
  const requestId = `request-${number}`;
  const payload = { requestId, model: STARTED.model, purpose: "main" as const, ...record };
  session.publish({ type: "model.request-started", payload });
  return { requestId, tokens: record.contextStats.estimatedInputTokens };
}

const THOUGHT = "The test is red because the loop ends one too early; the bound has to be looked at again. ";

/** All but what is new comes from the cache. */
const NEW_TOKENS = 900;

function answer(session: SessionHandle, number: number, { requestId, tokens }: Begun): void {
  const thinking = THOUGHT.repeat(1 + (number % 12));
  const thought = { requestId, blockIndex: 0, thinking, signature: sha256(`${number}`).repeat(4) };
  session.publish({ type: "model.thinking-block-completed", payload: thought });
  const text = `Step ${number}: größer 👍.`;
  session.publish({ type: "model.text-block-completed", payload: { requestId, blockIndex: 1, text } });
  for (const [at, call] of callsOf(number).entries()) {
    session.publish({ type: "tool.requested", payload: { requestId, blockIndex: 2 + at, ...call } });
  }
  const cached = Math.max(0, tokens - NEW_TOKENS);
  const usage = { inputTokens: 3, outputTokens: 300, cacheReadTokens: cached, cacheWriteTokens: tokens - cached };
  const ended = { requestId, stopReason: "tool_use", usage, durationMs: 900, messageId: `msg_${number}` };
  session.publish({ type: "model.response-completed", payload: ended });
}

interface Call {
  readonly toolUseId: string;
  readonly toolName: "read" | "bash" | "edit";
  readonly input: Readonly<Record<string, string>>;
}

/** Files that matter in a project. */
const FILES = 40;

/** One as a rule, two in every fifth step. */
function callsOf(number: number): readonly Call[] {
  const file_path = `/project/src/part-${number % FILES}.ts`;
  const all: readonly Omit<Call, "toolUseId">[] = [
    { toolName: "read", input: { file_path } },
    { toolName: "bash", input: { command: `make part-${number}` } },
    { toolName: "edit", input: { file_path, old_string: `part ${number}`, new_string: `part ${number + 1}` } },
  ];
  const chosen = [all[number % all.length], ...(number % 5 === 0 ? [all[(number + 1) % all.length]] : [])];
  return chosen.flatMap((call, at) => (call ? [{ ...call, toolUseId: `toolu_${number}_${at}` }] : []));
}

const LINE = "src/part.ts:12  the loop reads a file, runs its tests and mends what is red; größer, 日本, 👍\n";

/** From a line to 5 KB: many are short, some are long. */
const resultOf = (number: number): string => LINE.repeat(1 + Math.floor(((number * 7) % 11) ** 2 / 2));

const FAILS_EVERY = 17;

function carryOut(session: SessionHandle, { toolUseId, toolName, input }: Call, number: number): void {
  session.publish({ type: "tool.approved", payload: { toolUseId, via: "policy-allow" } });
  session.publish({ type: "tool.started", payload: { toolUseId, toolName } });
  const { file_path: path = "" } = input;
  const [before, after] = [sha256(`${path} ${number}`), sha256(`${path} ${number + FILES}`)];
  if (toolName === "read") {
    const payload = { path, bytes: 900, mtimeMs: number, toolUseId, sha256: before };
    session.publish({ type: "file.read", payload });
  }
  if (toolName === "edit") {
    const change = { path, operation: "edit", diffStats: { added: 1, removed: 1 }, toolUseId } as const;
    session.publish({ type: "file.modified", payload: { ...change, beforeSha256: before, afterSha256: after } });
  }
  const durationMs = 40;
  if (toolName === "bash" && number % FAILS_EVERY === 0) {
    const modelText = "error: no such part\n[exit code 2]";
    session.publish({ type: "tool.failed", payload: { toolUseId, modelText, errorKind: "exec-error", durationMs } });
    return;
  }
  const ui = { kind: toolName === "bash" ? "exec" : toolName, summary: "done" } as const;
  session.publish({ type: "tool.completed", payload: { toolUseId, modelText: resultOf(number), durationMs, ui } });
}
