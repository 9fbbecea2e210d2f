/** Where a turn stands, as its fold holds it for everybody else. */
import type { CheckResult, Payload } from "../shared/index.ts";

export interface PendingCall {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly requestId: string;
  readonly blockIndex: number;
  readonly seq: number;
  readonly stage: "requested" | "waiting" | "granted" | "denied" | "approved" | "started";
  /** Of a denied one: what its result will say. */
  readonly feedback?: string;
  /** Of a started one that may change files: the blob that tells what the project was before it. */
  readonly picture?: string;
}

export interface OpenRequest {
  readonly requestId: string;
  readonly purpose: Payload<"model.request-started">["purpose"];
  readonly model: string;
  readonly attempt: number;
  readonly lastBlockIndex: number;
  readonly calls: readonly PendingCall[];
  readonly texts: readonly string[];
  readonly textSeq?: number;
}

export interface QueuedSteering {
  readonly eventId: string;
  readonly text: string;
  readonly deliver: "now" | "next-turn";
}

export interface OpenPermission {
  readonly permissionRequestId: string;
  readonly toolUseId?: string;
  /** It is about this file, which the user mentioned, and not about a call. */
  readonly mention?: string;
  readonly capability: string;
  readonly descriptor: string;
  readonly suggestion?: { readonly capability: string; readonly pattern: string };
}

/**
 * What the kernel derives its next action from. Fully immutable: it is held across awaits. What there is none of is undefined, and
 * not taken out: copies of objects that all have the same keys cost a fifth.
 */
export interface TurnState {
  readonly model: string;
  readonly auxModel: string;
  readonly effort?: string | undefined;
  readonly thinking?: string | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** The tools that the user chose when the session, or the first ancestor of a fork, began; absent: whatever there is. */
  readonly toolNames?: readonly string[] | undefined;
  /** `open` from a user's message until the turn completes, fails or is interrupted. */
  readonly phase: "idle" | "open" | "interrupted";
  readonly objective: string;
  readonly turnStartSeq: number;
  readonly turns: number;
  /** The request that has started and not ended: at resume, one that a crash cut. */
  readonly request?: OpenRequest | undefined;
  /** The last response of this turn, unless something newer was said since. */
  readonly lastResponse?: LastResponse | undefined;
  /** The text of an answer that was cut or paused, and goes on with the next response. */
  readonly said?: string | undefined;
  /** The last request's failure, if no response followed it. */
  readonly lastFailure?: Payload<"model.request-failed"> | undefined;
  /** A summary was asked for since the newest main request, and there is none yet. */
  readonly summaryAsked?: true | undefined;
  /** How the newest request failed that was to sum up the conversation of an open turn, if nothing has been asked since. */
  readonly compactionFailure?: Payload<"model.request-failed"> | undefined;
  readonly lastMessageId?: string | undefined;
  /** Calls that belong to the conversation and have no result, in block order. */
  readonly pending: readonly PendingCall[];
  /** Calls of answers that did not count, each until it is closed as discarded. Absent when there is none. */
  readonly discarding?: readonly string[] | undefined;
  readonly permissions: readonly OpenPermission[];
  readonly queued: readonly QueuedSteering[];
  /** Main requests started since the user's message, failed attempts left out. */
  readonly iterations: number;
  /** Continuations recorded since the user's message, by cause. */
  readonly continuations: { readonly maxTokens: number; readonly empty: number };
  /** The model was asked once to give its answer again in the form that was asked for. */
  readonly answerRepair?: true | undefined;
  /** The turn ended at a limit, be it that of the window, or because it could not be summed up: a resume goes on with it. */
  readonly limited?: true | undefined;
  /** The turn ended because its conversation does not fit the model's window, and nothing has made it smaller since. */
  readonly tooLarge?: true | undefined;
  /** Main requests that were answered since the user's message. */
  readonly responses: number;
  /** Compactions since the last answer. */
  readonly compactionsInARow: number;
  /** The newest three compactions since the user's message, or since the user let them go on: how many answers there were before each. */
  readonly compactedAt: readonly number[];
  /** The user does not want one more compaction in a row that brings the turn no further. */
  readonly thrashRefused?: true | undefined;
  /** The newest captured context by name, so that only what changed is captured again. */
  readonly capturedContext: Readonly<Record<string, string>>;
  /** Bytes of all results since the user's message, or since a compaction took them out of the conversation. */
  readonly resultBytes: number;
  /** The last two calls that ended, newest last. */
  readonly recentCalls: readonly EndedCall[];
  /** Calls for which the user said that the repetition may go on. */
  readonly loopGrants: readonly string[];
  readonly verification: VerificationState;
}

export interface LastResponse {
  readonly requestId: string;
  readonly stopReason: string;
  readonly seq: number;
  /** Its visible text, the blocks joined by blank lines, behind what it continues; empty when there was none. */
  readonly text: string;
  /** seq of its last text block, else of the response itself. */
  readonly textSeq: number;
  readonly toolCalls: number;
}

export interface EndedCall extends Pick<PendingCall, "toolName" | "input"> {
  /** What the model was told. */
  readonly result: string;
}

/** Everything the gate needs since the user's message, and the changes of earlier turns that no completion has spoken of. */
export interface VerificationState {
  /** A completion has spoken of these changes, or the user did not want to hear of them: the next turn begins without them. */
  readonly settled?: true;
  readonly changedFiles: readonly string[];
  /** seq of the last change to a file that is more than documentation; 0 when there is none. */
  readonly lastCodeChangeSeq: number;
  readonly attempts: number;
  readonly requested?: { readonly seq: number; readonly detectedChecks: readonly string[] };
  /** The newest result for each command in each folder. */
  readonly results: readonly (CheckResult & {
    readonly cwd?: string;
    readonly seq: number;
    readonly coversSeq: number;
  })[];
  /** A kernel nudge was recorded after the newest request. */
  readonly nudged: boolean;
  /** The check itself was refused by the permission gate. */
  readonly refused: boolean;
}
