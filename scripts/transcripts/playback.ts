/**
 * The conversation again, turn by turn, through the real kernel: the model says what it said, thinking included, and the calls
 * get the results that they got, but the window is small, so the program has to prune and compact on its way.
 */

import type { ToolRuntime } from "../../src/agent/index.ts";
import { runTurn } from "../../src/agent/kernel.ts";
import { checkRequests } from "../../src/cli/request-check.ts";
import { freezePrefix } from "../../src/context/index.ts";
import type { PendingCall, SessionHandle } from "../../src/session/index.ts";
import { bytePrefix, isBlank } from "../../src/shared/index.ts";
import type { Script, ScriptedBlock, ScriptedTurn } from "../../src/simulator/index.ts";
import { cacheHealth } from "./cache-health.ts";
import { askOf, engineFor, NEVER } from "./exchange.ts";
import { type Api, type Ground, openApi, SYSTEM, toolsNamed } from "./ground.ts";
import { isRecord } from "./lines.ts";
import { asksForCheckpoint, CHECKPOINT_TURN } from "./model-words.ts";
import { pairingProblem } from "./pairing-rule.ts";
import type { Answer, CallResult, Entry, Transcript } from "./types.ts";
import { endOf } from "./write-answer.ts";
import { namesIn, startOf } from "./writer.ts";

export interface Played {
  readonly turns: number;
  readonly requests: number;
  readonly prunes: number;
  readonly compactions: number;
  /** Of those, how many came in the middle of a tool loop. */
  readonly inLoop: number;
  readonly events: number;
  /** Of all that was sent, what came from the cache. */
  readonly hitShare: number | null;
  readonly problems: readonly string[];
}

export const WINDOW = 60_000;
const EARLY_WINDOW = 36_000;
/** What no result or message may exceed, as the program's own tools see to it. */
const MAX_TEXT_BYTES = 32 * 1024;

/**
 * `prunesEarly`: at each turn's start, as soon as somewhat more than half of the window is used. By itself the program prunes
 * seldom: a long turn is compacted in its middle before the next one begins.
 */
export async function playInSmallWindow(
  transcript: Transcript,
  ground: Ground,
  { prunesEarly }: { readonly prunesEarly: boolean },
): Promise<Played> {
  const turns = turnsOf(transcript.entries);
  const answers: Answer[] = [];
  const script: Script = (request) => (asksForCheckpoint(request) ? CHECKPOINT_TURN : nextTurn(answers));
  const api = await openApi(ground.store, WINDOW, script);
  try {
    return await play({ turns, answers, transcript, ground, api, prunesEarly });
  } finally {
    await api.close();
  }
}

interface RecordedTurn {
  readonly said: string;
  readonly answers: readonly Answer[];
}

/** A turn is what was said and what was answered to it; what was said into a running turn begins another. */
function turnsOf(entries: readonly Entry[]): readonly RecordedTurn[] {
  const turns: { said: string; answers: Answer[] }[] = [];
  for (const entry of entries) {
    const last = turns.at(-1);
    if (entry.kind === "answer" && entry.end === "finished") {
      if (last) last.answers.push(entry);
      else turns.push({ said: "Go on.", answers: [entry] });
    }
    if (entry.kind !== "said") continue;
    const said = entry.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
    if (isBlank(said)) continue;
    if (last && last.answers.length === 0) last.said += `\n\n${said}`;
    else turns.push({ said, answers: [] });
  }
  return turns.filter(({ answers }) => answers.length > 0);
}

function nextTurn(answers: Answer[]): ScriptedTurn {
  for (let answer = answers.shift(); answer; answer = answers.shift()) {
    const content = answer.blocks.flatMap(scripted);
    if (content.some(({ type }) => type === "text" || type === "tool_use")) return { content };
  }
  return { content: [{ type: "text", text: "That is where it stands." }] };
}

function scripted(block: Answer["blocks"][number]): readonly ScriptedBlock[] {
  if (block.type === "call") {
    const input = isRecord(block.input) ? block.input : {};
    return [{ type: "tool_use", name: block.name, input, id: block.id }];
  }
  if (block.type === "thinking" && block.kind === "redacted") return [{ type: "redacted_thinking" }];
  if (block.type === "thinking") return [{ type: "thinking", thinking: block.thinking }];
  return isBlank(block.text) ? [] : [block];
}

interface Playing {
  readonly turns: readonly RecordedTurn[];
  /** Those of the turn that runs, and not yet said. */
  readonly answers: Answer[];
  readonly transcript: Transcript;
  readonly ground: Ground;
  readonly api: Api;
  readonly prunesEarly: boolean;
}

async function play({ turns, answers, transcript, ground, api, prunesEarly }: Playing): Promise<Played> {
  const { entries } = transcript;
  const prefix = await freezePrefix(ground.store.blobs, SYSTEM, toolsNamed(namesIn(entries)));
  const session = await ground.store.create(startOf(prefix));
  const context = engineFor({ prefix, api, ask: askOf(session, api) });
  const early = engineFor({ prefix, api, contextWindow: EARLY_WINDOW });
  let ids = 0;
  const deps = {
    session,
    context,
    model: api.client,
    tools: recordedTools(session, resultsOf(entries)),
    verifier: {
      take: async () => undefined,
      observe: async () => undefined,
      lookAgain: async (state: ReturnType<SessionHandle["state"]>) => state,
    },
    policy: {
      exceeded: () => undefined,
      prune: (prunesEarly ? early : context).pruneToolResults,
      needsCompaction: context.needsCompaction,
    },
    newId: () => `played-${++ids}`,
  };
  const watch = watchBreaks(session);
  const problems: string[] = [];
  for (const { said, answers: recorded } of turns) {
    answers.push(...recorded);
    for (let text = bytePrefix(said, MAX_TEXT_BYTES); answers.length > 0; text = "Go on.") {
      const { length: left } = answers;
      ground.setTime(undefined);
      session.publish({ type: "user.message-created", payload: { text, mentions: [] } });
      await runTurn(deps, NEVER);
      if (answers.length === left) answers.length = 0; // it gave up, which is recorded as a problem: no use to insist
    }
  }
  problems.push(...watch.failures.map((failure) => `in a window of ${WINDOW}: ${failure}`));
  const { conversation, lastSeq: events } = session.state();
  const problem = pairingProblem(conversation.messages);
  if (problem !== undefined) problems.push(`played in a small window: ${problem}`);
  await session.close();
  const { mismatches } = await checkRequests(ground.store, session.id);
  if (mismatches.length > 0) problems.push(`played requests that are built otherwise from the log: ${mismatches}`);
  const { prunes, compactions, inLoop } = watch;
  const health = await cacheHealth(ground.store, session.id);
  problems.push(...health.problems);
  if (health.breaks !== prunes + compactions) {
    problems.push(
      `the ledger names ${health.breaks} breaks, and there were ${prunes} prunes and ${compactions} compactions`,
    );
  }
  return {
    turns: turns.length,
    requests: api.counts.requests,
    prunes,
    compactions,
    inLoop,
    events,
    hitShare: health.hitShare,
    problems,
  };
}

interface Breaks {
  prunes: number;
  compactions: number;
  inLoop: number;
  readonly failures: string[];
}

function watchBreaks(session: SessionHandle): Breaks {
  const seen: Breaks = { prunes: 0, compactions: 0, inLoop: 0, failures: [] };
  session.bus.onAny((event) => {
    if (event.type === "context.pruned") seen.prunes++;
    if (event.type === "context.compacted") {
      seen.compactions++;
      if (event.payload.keptFromSeq === undefined) seen.inLoop++;
    }
    if (event.type === "model.request-failed") seen.failures.push(`a request failed: ${event.payload.message}`);
    if (event.type === "task.failed")
      seen.failures.push(`a turn failed: ${event.payload.reason}, ${event.payload.detail}`);
  });
  return seen;
}

const resultsOf = (entries: readonly Entry[]): ReadonlyMap<string, CallResult> =>
  new Map(entries.flatMap((entry) => (entry.kind === "result" ? [[entry.callId, entry]] : [])));

/** Every call gets what it got; one that repeats itself goes on, as it did. */
function recordedTools(session: SessionHandle, results: ReadonlyMap<string, CallResult>): ToolRuntime {
  const run = ({ toolUseId, toolName }: PendingCall): void => {
    session.publish({ type: "tool.approved", payload: { toolUseId, via: "policy-allow" } });
    session.publish({ type: "tool.started", payload: { toolUseId, toolName } });
    const { text = "", isError = true } = results.get(toolUseId) ?? {};
    session.publish(endOf({ toolUseId, text: bytePrefix(text, MAX_TEXT_BYTES), isError }));
  };
  return {
    async executeBatch() {
      for (const call of session.state().turn.pending) run(call);
    },
    async askAboutLoop(toolUseId) {
      for (const call of session.state().turn.pending) if (call.toolUseId === toolUseId) run(call);
    },
    cancel(toolUseId) {
      session.publish({
        type: "tool.cancelled",
        payload: { toolUseId, reason: "interrupted", modelText: "[cancelled]" },
      });
    },
  };
}
