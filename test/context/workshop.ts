/** States as the folds would make them, and blobs in memory, for tests of the context engine. */
import type { ModelFacts, ToolSchema } from "../../src/anthropic/index.ts";
import type { BlobStore, SessionState, TurnState } from "../../src/session/index.ts";
import { type Message, type ModelUsage, sha256 } from "../../src/shared/index.ts";

const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** What is left out is as if the whole conversation had been sent. */
export interface StateParts {
  readonly messages?: readonly Message[];
  readonly conversation?: Partial<SessionState["conversation"]>;
  readonly turn?: Partial<TurnState>;
  readonly last?: Partial<ModelUsage>;
}

export function stateOf({ messages = [], conversation, turn, last }: StateParts): SessionState {
  const { meta, files, processes, grants } = EMPTY;
  return {
    lastSeq: 1,
    meta,
    files,
    processes,
    grants,
    conversation: { messages, spans: [], sentBlocks: 0, breaks: 0, awaiting: [], ...conversation },
    turn: { ...EMPTY.turn, ...turn },
    usage: {
      byModel: {},
      total: NO_USAGE,
      cut: NO_USAGE,
      requests: 0,
      responses: 0,
      costUsd: 0,
      spentUsd: 0,
      unpriced: 0,
      turnUsd: 0,
      recentUsd: {},
      ...(last && { last: { ...NO_USAGE, ...last }, calibration: 1 }),
    },
  };
}

const EMPTY = {
  files: { changes: {}, seen: {} },
  processes: { live: [], ended: [], lastNumber: 0 },
  grants: { rules: [], asked: {} },
  meta: {
    id: "",
    title: "",
    projectHash: "",
    workingDirectory: "/",
    gitBranch: null,
    model: "m",
    createdAt: 0,
    updatedAt: 0,
    events: 1,
    userMessages: 0,
    usage: NO_USAGE,
    costUsd: null,
    recentUsd: {},
    pendingApprovals: 0,
    lastOutcome: "none",
  },
  turn: {
    model: "m",
    auxModel: "x",
    phase: "open",
    objective: "",
    turnStartSeq: 1,
    turns: 1,
    pending: [],
    permissions: [],
    queued: [],
    iterations: 0,
    continuations: { maxTokens: 0, empty: 0 },
    responses: 0,
    compactionsInARow: 0,
    compactedAt: [],
    capturedContext: {},
    resultBytes: 0,
    recentCalls: [],
    loopGrants: [],
    verification: {
      changedFiles: [],
      lastCodeChangeSeq: 0,
      attempts: 0,
      results: [],
      nudged: false,
      refused: false,
    },
  },
} satisfies Pick<SessionState, "files" | "processes" | "grants" | "meta" | "turn">;

export function memoryBlobs(): BlobStore & { readonly stored: Map<string, Uint8Array> } {
  const stored = new Map<string, Uint8Array>();
  const put = async (content: Uint8Array): Promise<string> => {
    const name = sha256(content);
    stored.set(name, content);
    return name;
  };
  return {
    stored,
    put,
    keep: put,
    get: async (name) => stored.get(name),
  };
}

export const FACTS: ModelFacts = {
  contextWindow: 200_000,
  maxOutputTokens: 64_000,
  thinking: ["adaptive"],
  efforts: ["low", "high"],
};

export const TOOL: ToolSchema = {
  name: "read",
  description: "Reads.",
  input_schema: { type: "object", properties: { b: { type: "string" }, a: { type: "string" } }, required: ["b"] },
};

export const says = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
