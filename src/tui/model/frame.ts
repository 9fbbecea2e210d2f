/** What the screen is told at once, and how the text of one lane is gathered within a bound. */
import { byteLength, bytePrefix, type DurableEvent } from "../../shared/index.ts";
import type { Lane, LaneKind } from "./lanes.ts";

/** What became new since the frame before. What a lane got comes before any event of `durables` that ends the lane. */
export interface CoalescedFrame {
  /** Model text by `blockKey`. */
  readonly textAppends: ReadonlyMap<string, string>;
  /** Model thinking by `blockKey`. */
  readonly thinkingAppends: ReadonlyMap<string, string>;
  /** Names of the tools whose calls the model began to write, by toolUseId. */
  readonly toolCallsStarted: ReadonlyMap<string, string>;
  /** A call's whole input so far, as far as it fits, by toolUseId: it replaces the preview before. */
  readonly toolInputPreviews: ReadonlyMap<string, string>;
  /** Tool output by toolUseId. */
  readonly toolOutputAppends: ReadonlyMap<string, string>;
  /** Output of background processes by processId. */
  readonly processOutputAppends: ReadonlyMap<string, string>;
  /** In the order of the log. */
  readonly durables: readonly DurableEvent[];
}

/** Stands where text was cut for the eye. The whole is in the settled event, the spill file or the process's buffer. */
export const omissionMarker = (bytes: number): string => `\n… ${bytes} bytes not shown …\n`;

/** The text one lane has gathered. */
export interface Stream {
  readonly lane: Lane;
  text: string;
  bytes: number;
  omitted: number;
}

export const emptyStream = (lane: Lane): Stream => ({ lane, text: "", bytes: 0, omitted: 0 });

/** Once something was left out, everything behind it is too: what is shown may end early, but it has no holes. */
export function extend(stream: Stream, text: string, capBytes: number): void {
  const kept = stream.omitted === 0 ? bytePrefix(text, capBytes - stream.bytes) : "";
  const keptBytes = byteLength(kept);
  stream.text += kept;
  stream.bytes += keptBytes;
  stream.omitted += kept === text ? 0 : byteLength(text) - keptBytes;
}

export function frameOf(streams: Iterable<Stream>, durables: readonly DurableEvent[]): CoalescedFrame {
  const byKind: Readonly<Record<LaneKind, Map<string, string>>> = {
    text: new Map(),
    thinking: new Map(),
    call: new Map(),
    input: new Map(),
    tool: new Map(),
    process: new Map(),
  };
  for (const { lane, text, omitted } of streams) {
    byKind[lane.kind].set(lane.id, omitted === 0 ? text : text + omissionMarker(omitted));
  }
  return {
    textAppends: byKind.text,
    thinkingAppends: byKind.thinking,
    toolCallsStarted: byKind.call,
    toolInputPreviews: byKind.input,
    toolOutputAppends: byKind.tool,
    processOutputAppends: byKind.process,
    durables,
  };
}
