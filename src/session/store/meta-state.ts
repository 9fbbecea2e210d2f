/**
 * The meta's fold as JSON, so that a log which has grown is read on from where it was left and not from its beginning. What is
 * not exactly such a state is none.
 */
import { accepts } from "../../shared/index.ts";
import type { MetaFold } from "../projections/session-meta.ts";

const USAGE = {
  inputTokens: "number.integer",
  outputTokens: "number.integer",
  cacheReadTokens: "number.integer",
  cacheWriteTokens: "number.integer",
  "cacheWrite5m?": "number.integer",
  "cacheWrite1h?": "number.integer",
  "thinkingTokens?": "number.integer",
} as const;

const FORKED_FROM = {
  sessionId: "string",
  seq: "number.integer",
  usage: USAGE,
  costUsd: "number | null",
  spentUsd: "number",
  unpriced: "number.integer",
} as const;

/** Only what tells when it is answered: of the questions the meta knows how many there are. */
const QUESTION = { permissionRequestId: "string", "toolUseId?": "string", "mention?": "string" } as const;

const OPEN_REQUEST = { requestId: "string", model: "string", purpose: "string", estimatedTokens: "number" } as const;

const STATE = {
  id: "string",
  updatedAt: "number",
  events: "number.integer",
  told: {
    title: "string",
    projectHash: "string",
    workingDirectory: "string",
    gitBranch: "string | null",
    model: "string",
    createdAt: "number",
    userMessages: "number.integer",
    lastOutcome: "'none' | 'completed' | 'failed' | 'interrupted'",
    "forkedFrom?": FORKED_FROM,
    titledBy: "'start' | 'message' | 'rename'",
  },
  asked: [QUESTION, "[]"],
  tally: {
    byModel: { "[string]": { ...USAGE, responses: "number.integer" } },
    total: USAGE,
    cut: USAGE,
    requests: "number.integer",
    responses: "number.integer",
    costUsd: "number | null",
    spentUsd: "number",
    unpriced: "number.integer",
    turnUsd: "number",
    recentUsd: { "[string]": "number" },
    "last?": USAGE,
    "calibration?": "number",
    open: [OPEN_REQUEST, "[]"],
    turn: { isOpen: "boolean", queued: [{ id: "string", isOwnTurn: "boolean" }, "[]"] },
  },
} as const;

/** For JSON.stringify. */
export function writtenState({ tally, asked, ...rest }: MetaFold): unknown {
  const { isOpen, queued } = tally.turn;
  const waiting = [...queued].map(([id, isOwnTurn]) => ({ id, isOwnTurn }));
  return {
    ...rest,
    asked: asked.map(({ permissionRequestId, toolUseId, mention }) => ({ permissionRequestId, toolUseId, mention })),
    tally: { ...tally, turn: { isOpen, queued: waiting } },
  };
}

/** What was written, with all of its keys; undefined for anything else. */
export function readState(value: unknown): MetaFold | undefined {
  if (!accepts(STATE, value)) return undefined;
  const { told, asked, tally, ...rest } = value;
  const { last, calibration, turn, ...counts } = tally;
  const queued = new Map(turn.queued.map(({ id, isOwnTurn }) => [id, isOwnTurn]));
  return {
    ...rest,
    asked: asked.map((question) => ({ ...question, capability: "", descriptor: "" })),
    told: { ...told, forkedFrom: told.forkedFrom },
    tally: { ...counts, last, calibration, turn: { isOpen: turn.isOpen, queued } },
  };
}
