/** A session as the rest of the house sees it: a handle that records, and the states that folds hold. */
import type {
  Block,
  CompletionEvidence,
  DiffStats,
  DurableEvent,
  DurableInput,
  EphemeralInput,
  EventBus,
  GitBaseline,
  ModelUsage,
  Payload,
} from "../shared/index.ts";
import type { ConversationState } from "./conversation-types.ts";
import type {
  EndedCall,
  OpenPermission,
  OpenRequest,
  PendingCall,
  QueuedSteering,
  TurnState,
  VerificationState,
} from "./turn-types.ts";

export interface SessionHandle {
  readonly id: string;
  /** The log's absolute path. */
  readonly path: string;
  /** The open file whose lock says that the session is in use: a process that inherits it keeps the session so while it lives. */
  readonly lockFd?: number;
  /** What was moved out of the log when it was opened: the end of a line that was never accepted. */
  readonly torn?: TornTail;
  /** For subscribing. Publishing goes through this handle. */
  readonly bus: Pick<EventBus, "on" | "onAny" | "subscriptions">;
  /**
   * Writes one line, applies the folds, delivers. Throws StoreError when nothing was written, and an internal error for what
   * a replay would refuse: a payload that does not fit, a result for a call never requested, a cut that parts the two.
   */
  publish<E extends DurableInput>(input: E): DurableEvent<E["type"]>;
  publishEphemeral(input: EphemeralInput): void;
  /**
   * Resolves when everything published so far is on the disk. One fdatasync runs at a time; later callers share the next. A
   * failed sync is final: the system may have dropped the bytes, so this and every later call throws StoreError.
   */
  sync(): Promise<void>;
  /** The folds' present states; each is a snapshot that later events do not change, but for long lists (see fold.ts). */
  state(): SessionState;
  /** The content-addressed store: pre-images, attachments, frozen prefix. */
  readonly blobs: BlobStore;
  /** Syncs, writes the meta cache, releases the lock. Idempotent. */
  close(): Promise<void>;
}

export interface TornTail {
  readonly bytes: number;
  /** The file that they were added to, absolute. */
  readonly path: string;
}

export interface BlobStore {
  /** Stores and returns the lower-case hex sha256. Storing again is free. */
  put(content: Uint8Array): Promise<string>;
  /** As `put`, for the content of files that are not ours: what holds a key in use is not stored, and the answer is undefined. */
  keep(content: Uint8Array): Promise<string | undefined>;
  /** The content, or undefined when it is missing or does not match its name. */
  get(sha256: string): Promise<Uint8Array | undefined>;
}

export interface SessionState {
  /** seq of the last line. */
  readonly lastSeq: number;
  readonly conversation: ConversationState;
  readonly turn: TurnState;
  readonly usage: UsageTotals;
  readonly files: FileChangeSet;
  readonly processes: ProcessTable;
  readonly grants: SessionGrants;
  readonly meta: SessionMeta;
}

export interface UsageTotals {
  readonly byModel: Readonly<Record<string, ModelUsage & { readonly responses: number }>>;
  readonly total: ModelUsage;
  /** What cut streams had reported: spent at least that. Not part of `total`. */
  readonly cut: ModelUsage;
  readonly requests: number;
  readonly responses: number;
  /** US dollars; null as soon as one response has no known price. */
  readonly costUsd: number | null;
  /** US dollars: at least so much was spent. Cut streams count, whatever has no known price does not. */
  readonly spentUsd: number;
  /** Responses and cut streams without a known price. */
  readonly unpriced: number;
  /** US dollars, at least: since the turn began. Without what a fork's origin spent. */
  readonly turnUsd: number;
  /** US dollars, at least: what was spent of late, by the quarter of an hour since the epoch; the 200 newest in which something was. Without what a fork's origin spent. */
  readonly recentUsd: Readonly<Record<number, number>>;
  /** Tokens that the API counted for each one estimated, a quarter to four, in the newest response without images; 1 until one tells, undefined before the first response. */
  readonly calibration?: number | undefined;
  /** Of the newest response that was no compaction; absent behind a prune or compaction until the next response tells. */
  readonly last?: ModelUsage | undefined;
}

/** Background processes, in the order in which they began or ended. */
export interface ProcessTable {
  /** Begun, and no end recorded: after a crash they are gone all the same. */
  readonly live: readonly LiveProcess[];
  /** The last few that ended. */
  readonly ended: readonly EndedProcess[];
  /** The highest number that was given: of p7 it is 7. */
  readonly lastNumber: number;
}

export interface LiveProcess {
  readonly processId: string;
  readonly pid: number;
  readonly command: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

export interface EndedProcess extends Pick<LiveProcess, "processId" | "command"> {
  readonly cause: Payload<"process.exited">["cause"];
  readonly exitCode: number | null;
  readonly signal?: string;
}

export interface FileChange {
  readonly path: string;
  readonly operations: number;
  readonly diffStats: DiffStats;
  readonly firstBeforeSha256?: string | null;
  readonly lastAfterSha256?: string | null;
  readonly toolUseIds: readonly string[];
}

export interface FileChangeSet {
  readonly baseline?: GitBaseline;
  readonly changes: Readonly<Record<string, FileChange>>;
  /** By path as recorded: the hash that the model last read or wrote; what a command or a rewind left is not known to it. */
  readonly seen: Readonly<Record<string, string>>;
}

/** Allowances for the rest of the session. */
export interface SessionGrants {
  /** The permission mode that the user chose while the session ran; absent when it is the one that it was opened with. */
  readonly mode?: string | undefined;
  /** Each said once, in the order of the answers. Capabilities are as recorded: a later build may know more of them. */
  readonly rules: readonly { readonly capability: string; readonly pattern: string }[];
  /** Caps in US dollars that were chosen for this session, null for no cap; a scope of which nothing was said is left out. A fork inherits them. */
  readonly budget?: NonNullable<Payload<"permission.granted">["budget"]> | undefined;
  /** The rules that open questions suggest, by question. */
  readonly asked: Readonly<Record<string, { readonly capability: string; readonly pattern: string }>>;
}

export interface SessionMeta {
  readonly id: string;
  readonly title: string;
  readonly projectHash: string;
  readonly workingDirectory: string;
  readonly gitBranch: string | null;
  readonly model: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly events: number;
  readonly userMessages: number;
  readonly usage: ModelUsage;
  readonly costUsd: number | null;
  /** As in UsageTotals. */
  readonly recentUsd: UsageTotals["recentUsd"];
  readonly pendingApprovals: number;
  readonly lastOutcome: "none" | "completed" | "failed" | "interrupted";
  /** Of a fork: where its own lines begin, and what the counts, here and in UsageTotals, hold that was spent before them. */
  readonly forkedFrom?: {
    readonly sessionId: string;
    readonly seq: number;
    readonly usage: ModelUsage;
    readonly costUsd: number | null;
    readonly spentUsd: number;
    readonly unpriced: number;
  };
}

export type {
  Block,
  CompletionEvidence,
  ConversationState,
  EndedCall,
  OpenPermission,
  OpenRequest,
  PendingCall,
  QueuedSteering,
  TurnState,
  VerificationState,
};
