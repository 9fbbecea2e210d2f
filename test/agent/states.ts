/** States as folds leave them, for the pure parts: the initial one with what a test is about. */
import {
  conversation,
  fileChangeSet,
  metaOf,
  type PendingCall,
  processTable,
  type SessionState,
  sessionMeta,
  type TurnState,
  turnState,
  usageTotals,
  type VerificationState,
} from "../../src/session/index.ts";

/** An open turn after the user's message, before its first request. */
export const openTurn = (changes: Partial<TurnState> = {}): TurnState => ({
  ...turnState.initial(),
  model: "model-a",
  phase: "open",
  objective: "fix it",
  turnStartSeq: 2,
  turns: 1,
  ...changes,
});

export const stateWith = (turn: TurnState, lastSeq = 10): SessionState => ({
  lastSeq,
  conversation: conversation.initial(),
  turn,
  usage: usageTotals(() => 0).initial(),
  files: fileChangeSet.initial(),
  processes: processTable.initial(),
  grants: { rules: [], asked: {} },
  meta: metaOf(sessionMeta(() => 0).initial()),
});

export const pendingCall = (changes: Partial<PendingCall> = {}): PendingCall => ({
  toolUseId: "toolu_1",
  toolName: "read",
  input: { file_path: "a.ts" },
  requestId: "request-1",
  blockIndex: 0,
  seq: 4,
  stage: "requested",
  ...changes,
});

export const response = (
  changes: Partial<NonNullable<TurnState["lastResponse"]>> = {},
): NonNullable<TurnState["lastResponse"]> => ({
  requestId: "request-1",
  stopReason: "end_turn",
  seq: 8,
  text: "Done.",
  textSeq: 7,
  toolCalls: 0,
  ...changes,
});

export const noVerification: VerificationState = turnState.initial().verification;

export const ranCheck = (
  exitCode: number,
  coversSeq: number,
  command = "sh test.sh",
): VerificationState["results"][number] => ({
  command,
  exitCode,
  summary: exitCode === 0 ? "3 passed, 0 failed" : "2 passed, 1 failed",
  durationMs: 5,
  seq: coversSeq + 1,
  coversSeq,
});

export const endedCall = (
  { toolName, input }: Pick<PendingCall, "toolName" | "input">,
  result: string,
): TurnState["recentCalls"][number] => ({ toolName, input, result });
