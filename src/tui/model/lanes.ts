/**
 * Which stream a delta belongs to, and which streams a durable event ends. Pure, and the only place that knows it.
 * A lane is one stream: a block, a call's input, a tool's or a process's output.
 */
import type { DurableEvent, EphemeralEvent } from "../../shared/index.ts";

export type LaneKind = "text" | "thinking" | "call" | "input" | "tool" | "process";

export interface Lane {
  /** Unique over all kinds. */
  readonly key: string;
  readonly kind: LaneKind;
  /** What a reader of the frame looks it up by. */
  readonly id: string;
  /** The request it belongs to, when it ends with one. */
  readonly requestId?: string;
}

/** Names a block of a response in a frame. */
export const blockKey = (requestId: string, blockIndex: number): string => `${requestId}/${blockIndex}`;

const laneKey = (kind: LaneKind, id: string): string => `${kind}:${id}`;
const lane = (kind: LaneKind, id: string, requestId?: string): Lane => ({
  key: laneKey(kind, id),
  kind,
  id,
  ...(requestId === undefined ? {} : { requestId }),
});

/** The lane of a delta, and what it adds. */
export function deltaOf(event: EphemeralEvent): { readonly lane: Lane; readonly text: string } {
  switch (event.type) {
    case "model.text-delta":
    case "model.thinking-delta": {
      const { requestId, blockIndex, text } = event.payload;
      const kind = event.type === "model.text-delta" ? "text" : "thinking";
      return { lane: lane(kind, blockKey(requestId, blockIndex), requestId), text };
    }
    case "model.tool-call-started":
      return { lane: lane("call", event.payload.toolUseId, event.payload.requestId), text: event.payload.toolName };
    case "model.tool-input-delta":
      return {
        lane: lane("input", event.payload.toolUseId, event.payload.requestId),
        text: event.payload.partialJson,
      };
    case "tool.output":
      return { lane: lane("tool", event.payload.toolUseId), text: event.payload.chunk };
    case "process.output":
      return { lane: lane("process", event.payload.processId), text: event.payload.chunk };
  }
}

/** What a durable event ends: the named lanes, or with `whole` every lane of the request. */
export interface Settlement {
  readonly keys: readonly string[];
  readonly requestId?: string;
  readonly whole?: true;
}

const NOTHING: Settlement = { keys: [] };

export function settlementOf(event: DurableEvent): Settlement {
  switch (event.type) {
    case "model.text-block-completed":
      return blockSettled("text", event.payload);
    case "model.thinking-block-completed":
      return blockSettled("thinking", event.payload);
    case "tool.requested": {
      const { requestId, toolUseId } = event.payload;
      return { keys: [laneKey("call", toolUseId), laneKey("input", toolUseId)], requestId };
    }
    case "tool.completed":
    case "tool.failed":
    case "tool.cancelled":
      return { keys: (["call", "input", "tool"] as const).map((kind) => laneKey(kind, event.payload.toolUseId)) };
    case "process.exited":
      return { keys: [laneKey("process", event.payload.processId)] };
    case "model.response-completed":
    case "model.request-failed":
      return { keys: [], requestId: event.payload.requestId, whole: true };
    default:
      return NOTHING;
  }
}

function blockSettled(kind: LaneKind, block: { readonly requestId: string; readonly blockIndex: number }): Settlement {
  return { keys: [laneKey(kind, blockKey(block.requestId, block.blockIndex))], requestId: block.requestId };
}

export const ends = ({ keys, requestId, whole }: Settlement, lane: Lane): boolean =>
  keys.includes(lane.key) || (whole === true && lane.requestId === requestId);

/** The most settlements remembered; older ones have long left the screen's live part. */
const MAX_REMEMBERED = 1024;

/** What has ended, remembered so that a late delta cannot revive it. Bounded: the oldest is forgotten first. */
export interface EndedLanes {
  has(lane: Lane): boolean;
  add(settlement: Settlement): void;
  /** The request is made once more and streams the same blocks again. */
  reopen(requestId: string): void;
}

export function createEndedLanes(): EndedLanes {
  const owners = new Map<string, string | undefined>();
  return {
    has: ({ key, requestId }) => owners.has(key) || (requestId !== undefined && owners.has(wholeKey(requestId))),
    add({ keys, requestId, whole }) {
      for (const key of whole && requestId !== undefined ? [wholeKey(requestId)] : keys) owners.set(key, requestId);
      for (const oldest of owners.keys()) {
        if (owners.size <= MAX_REMEMBERED) return;
        owners.delete(oldest);
      }
    },
    reopen(requestId) {
      for (const [key, owner] of owners) if (owner === requestId) owners.delete(key);
    },
  };
}

const wholeKey = (requestId: string): string => `request:${requestId}`;
