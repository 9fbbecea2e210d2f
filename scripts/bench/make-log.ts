/**
 * A session of a wanted length, made by the session's own hand: turns of reading, commands and edits, with real hashes, some
 * text beyond Latin letters, and a compaction whenever the conversation has grown as large as a window lets it.
 */
import { modelFacts } from "../../src/anthropic/index.ts";
import { createContextEngine, freezePrefix } from "../../src/context/index.ts";
import type { SessionHandle } from "../../src/session/index.ts";
import type { Payload } from "../../src/shared/index.ts";
import { openBenchStore, STARTED } from "./programs/probe-store.ts";

export interface MadeLog {
  readonly id: string;
  readonly path: string;
  /** What stands at its end. */
  readonly lastText: string;
  /** As many as the transcript shows. */
  readonly items: number;
}

const STEPS_PER_TURN = 20;
/** What the user said; what each step says and does; the last answer; how it ended. */
const ITEMS_PER_TURN = 1 + 2 * STEPS_PER_TURN + 1 + 1;
/** About 100,000 tokens. */
const TURNS_PER_COMPACTION = 10;

const WORDS = "the loop reads a file, runs its tests and mends what is red; größer, 日本, 👍; ".repeat(12);
const USAGE = { inputTokens: 12, outputTokens: 240, cacheReadTokens: 40_000, cacheWriteTokens: 900 };

/** Characters of the longest result, where nobody asks for others; the shortest has 200. */
const MOST_RESULT_CHARS = 1000;

/** At least `events` lines, and at most a turn more. */
export async function makeLog(
  home: string,
  events: number,
  workingDirectory: string = STARTED.workingDirectory,
  mostResultChars: number = MOST_RESULT_CHARS,
): Promise<MadeLog> {
  const store = openBenchStore(home);
  const prefix = await freezePrefix(store.blobs, ["You are a bench."], []);
  const { systemSha256, toolsSha256 } = prefix;
  const session = await store.create({ ...STARTED, workingDirectory, systemSha256, toolsSha256 });
  const context = createContextEngine({ prefix, facts: modelFacts, reservedOutputTokens: 32_000 });
  const record = () => context.selectContext(session.state()).record;
  const step = stepper(session, { record, mostResultChars });
  let [turn, items] = [0, 0];
  while (session.state().lastSeq < events) {
    turn++;
    session.publish({ type: "user.message-created", payload: { text: `Do part ${turn}.`, mentions: [] } });
    for (let at = 0; at < STEPS_PER_TURN; at++) step(turn * 1000 + at, "tool_use");
    step(turn * 1000 + STEPS_PER_TURN, "end_turn");
    session.publish({ type: "task.completed", payload: { evidence: EVIDENCE } });
    items += ITEMS_PER_TURN;
    if (turn % TURNS_PER_COMPACTION !== 0) continue;
    compact(session);
    items++;
  }
  await session.close();
  return { id: session.id, path: session.path, lastText: `${turn * 1000 + STEPS_PER_TURN}:`, items };
}

const EVIDENCE = { objective: "Do a part.", changedFiles: [], checks: [], unresolvedIssues: [] };

type RequestRecord = Pick<Payload<"model.request-started">, "contextStats" | "requestSha256" | "prefixSha256">;

interface Steps {
  readonly record: () => RequestRecord;
  readonly mostResultChars: number;
}

function stepper(session: SessionHandle, { record, mostResultChars }: Steps) {
  const printed = WORDS.repeat(Math.ceil(mostResultChars / WORDS.length));
  return (number: number, stopReason: "tool_use" | "end_turn"): void => {
    const requestId = `request-${number}`;
    const block = { requestId, blockIndex: 0 };
    const started = { requestId, model: STARTED.model, purpose: "main" as const, ...record() };
    session.publish({ type: "model.request-started", payload: started });
    session.publish({ type: "model.text-block-completed", payload: { ...block, text: `Step ${number}: größer 👍.` } });
    const toolUseId = `toolu_${number}`;
    if (stopReason === "tool_use") {
      const call = { requestId, blockIndex: 1, toolUseId, toolName: "bash", input: { command: `make part-${number}` } };
      session.publish({ type: "tool.requested", payload: call });
    }
    const answered = { requestId, stopReason, usage: USAGE, durationMs: 900, messageId: `msg_${number}` };
    session.publish({ type: "model.response-completed", payload: answered });
    if (stopReason === "end_turn") return;
    session.publish({ type: "tool.approved", payload: { toolUseId, via: "policy-allow" } });
    session.publish({ type: "tool.started", payload: { toolUseId, toolName: "bash" } });
    const modelText = printed.slice(0, 200 + ((number * 37) % (mostResultChars - 200)));
    const ui = { kind: "exec", summary: "exit code 0", exitCode: 0 } as const;
    session.publish({ type: "tool.completed", payload: { toolUseId, modelText, durationMs: 40, ui } });
  };
}

function compact(session: SessionHandle): void {
  const toSeq = session.state().lastSeq;
  session.publish({
    type: "context.compacted",
    payload: {
      checkpointYaml: "done: parts",
      cut: { fromSeq: 1, toSeq },
      trigger: "proactive-token-budget",
      tokensBefore: 100_000,
      summaryModel: STARTED.auxModel,
      message: `The earlier parts are done. ${WORDS}`,
    },
  });
}
