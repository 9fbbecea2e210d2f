/**
 * The session's own handle over a log in memory: same envelopes, same lines, same integrity, same folds, no disk. It can be
 * told to die before a line, and it watches that no fold changes what it has shown before.
 */
import { createFoldedState, type FoldedState } from "../../../src/session/folds.ts";
import { createHandle } from "../../../src/session/handle.ts";
import type { SessionHandle } from "../../../src/session/index.ts";
import type { Conversation } from "../../../src/session/projections/conversation-state.ts";
import { createIntegrity } from "../../../src/session/store/integrity.ts";
import {
  type DurableEvent,
  decode,
  idSource,
  type LogEvent,
  type Message,
  type Projection,
  silentLogger,
} from "../../../src/shared/index.ts";

/** The process ends here, in the middle of whatever it does. */
export class Died extends Error {}

export interface MemoryLog {
  /** As they would lie on the disk, without their newlines. */
  readonly lines: string[];
  /** What a fold did that no fold may do. */
  readonly wrong: string[];
  /** Calls that have a terminal event. */
  readonly ended: Set<string>;
  readonly conversation: Projection<Conversation>;
  /** Blobs that are gone. */
  readonly lost: Set<string>;
}

export interface MemorySession {
  readonly handle: SessionHandle;
  /** Writes a line of a type that this build does not know. */
  writeUnknown(): void;
  /** From now on so many lines are written, then the process dies. */
  dieAfter(lines: number): void;
}

/** Replays what the log holds. Nothing is appended. */
export function openInMemory(log: MemoryLog, id: string): MemorySession {
  const folded = watchedFolds(log);
  const integrity = createIntegrity();
  let lastId: string | undefined;
  let left = Number.POSITIVE_INFINITY;
  for (const event of readLog(log.lines)) {
    folded.apply(event);
    integrity.accept(event);
    lastId = event.id;
  }
  let now = 1_765_400_000_000 + log.lines.length;
  const tick = () => ++now;
  const append = (line: string): void => {
    if (left-- <= 0) throw new Died("the process died");
    log.lines.push(line);
  };
  const newId = idSource(tick);
  const handle = createHandle({
    id,
    log: { path: `memory:${id}`, append, sync: async () => {} },
    folded,
    integrity,
    ...(lastId !== undefined && { lastId }),
    blobs: {
      put: async () => "",
      keep: async () => "",
      get: async (sha256) => (log.lost.has(sha256) ? undefined : NO_BYTES),
    },
    now: tick,
    newId,
    logger: silentLogger,
    keepMeta: () => undefined,
    release: async () => {},
  });
  return {
    handle,
    writeUnknown() {
      const seq = folded.read().lastSeq + 1;
      const stranger = { v: 3, id: newId(), sessionId: id, seq, ts: tick(), type: "future.fact", payload: { seq } };
      append(JSON.stringify(stranger));
      const event: LogEvent = { ...stranger, opaque: true };
      integrity.accept(event);
      folded.apply(event);
    },
    dieAfter(lines) {
      left = lines;
    },
  };
}

const NO_BYTES = new Uint8Array();

export const readLog = (lines: readonly string[]): LogEvent[] =>
  lines.map((line) => {
    const read = decode(line);
    if (!read.ok) throw new Error(`${read.error.kind}: ${read.error.message}`);
    return read.value;
  });

/** The session's folds with the conversation in question, and eyes on what they have shown. */
function watchedFolds({ conversation, wrong, ended }: MemoryLog): FoldedState {
  const rest = createFoldedState(() => 0);
  let own = conversation.initial();
  let snapshot: ReturnType<FoldedState["read"]> | undefined;
  return {
    metaFold: rest.metaFold,
    apply(event) {
      freeze(event);
      if (isResult(event)) ended.add(event.payload.toolUseId);
      rest.apply(event);
      freeze(rest.read().turn);
      const shown = own.messages;
      const before = [...shown];
      own = conversation.apply(own, event);
      snapshot = undefined;
      if (!before.every((message, at) => shown[at] === message)) {
        wrong.push(`seq ${event.seq} (${event.type}): messages that were shown are changed in place`);
      }
      for (const message of newOnes(own.messages, before)) freeze(message);
    },
    read() {
      snapshot ??= { ...rest.read(), conversation: own };
      return snapshot;
    },
    lastSeq: rest.lastSeq,
  };
}

type Result = DurableEvent<"tool.completed" | "tool.failed" | "tool.cancelled">;

export const isResult = (event: LogEvent): event is Result =>
  event.type === "tool.completed" || event.type === "tool.failed" || event.type === "tool.cancelled";

/** What was taken back was never said. */
export const isWithdrawal = (event: LogEvent): boolean =>
  !("opaque" in event) && event.type === "user.steering-injected" && event.payload.seam === "withdrawn";

/** A command of the user's own is said, and begins nothing. */
export const isOwnCommand = (event: LogEvent): boolean =>
  !("opaque" in event) && event.type === "user.message-created" && event.payload.shell !== undefined;

function newOnes(messages: readonly Message[], known: readonly Message[]): readonly Message[] {
  return messages.filter((message, at) => known[at] !== message);
}

/** Modules are strict: a fold that writes to what is frozen throws. */
export function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
