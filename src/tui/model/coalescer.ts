/**
 * Between the bus and the screen: gathers what streams into at most one frame a window. It is the only buffer on that way
 * and owns the only timer. Deltas are for the eye and may be cut; a durable event is never dropped, changed or reordered.
 */
import type { Clock, DurableEvent, EphemeralEvent, KhaelorEvent } from "../../shared/index.ts";
import { type CoalescedFrame, emptyStream, extend, frameOf, type Stream } from "./frame.ts";
import { createEndedLanes, deltaOf, ends, settlementOf } from "./lanes.ts";

export interface Coalescer {
  /** Takes every event of one session, in bus order. */
  push(event: KhaelorEvent): void;
  /** `onFrame` owns the frame and must not throw. Returns the end of the subscription. */
  subscribe(onFrame: (frame: CoalescedFrame) => void): () => void;
  /** Delivers what is buffered, if anything is: for what somebody waits to see. */
  flush(): void;
  /** Drops what is buffered and cancels the timer; nothing is delivered afterwards. */
  dispose(): void;
}

interface CoalescerOptions {
  readonly clock: Clock;
  /** No two frames come closer than this, but for those that a settlement or an interrupt forces. */
  readonly windowMs?: number;
  /** The most text of one lane in one frame, in bytes, not counting the marker for what is missing. */
  readonly capBytes?: number;
}

export function createCoalescer({ clock, windowMs = 16, capBytes = 16 * 1024 }: CoalescerOptions): Coalescer {
  const subscribers = new Set<(frame: CoalescedFrame) => void>();
  const ended = createEndedLanes();
  /** Inputs of unsettled calls: unlike the other lanes they outlive the frame. */
  const inputs = new Map<string, Stream>();
  const streams = new Map<string, Stream>();
  let durables: DurableEvent[] = [];
  let disarm: (() => void) | undefined;
  let disposed = false;

  function flush(): void {
    disarm?.();
    disarm = undefined;
    const frame = frameOf(streams.values(), durables);
    streams.clear();
    durables = [];
    for (const onFrame of [...subscribers]) onFrame(frame);
  }

  function append(event: EphemeralEvent): void {
    const { lane, text } = deltaOf(event);
    if (ended.has(lane)) return;
    const stream = streams.get(lane.key) ?? inputs.get(lane.key) ?? emptyStream(lane);
    extend(stream, text, capBytes);
    streams.set(lane.key, stream);
    if (lane.kind === "input") inputs.set(lane.key, stream);
    disarm ??= clock.after(windowMs, flush);
  }

  function record(event: DurableEvent): void {
    const settlement = settlementOf(event);
    const interrupted = event.type === "user.interrupted";
    const settlesBuffered = [...streams.values()].some(({ lane }) => ends(settlement, lane));
    if (event.type === "model.request-started") ended.reopen(event.payload.requestId);
    ended.add(settlement);
    for (const [key, { lane }] of inputs) if (interrupted || ends(settlement, lane)) inputs.delete(key);
    durables.push(event);
    if (interrupted || settlesBuffered) flush();
    else disarm ??= clock.after(windowMs, flush);
  }

  return {
    push(event) {
      if (disposed) return;
      if ("seq" in event) record(event);
      else append(event);
    },
    subscribe(onFrame) {
      const entry = (frame: CoalescedFrame) => onFrame(frame);
      subscribers.add(entry);
      return () => subscribers.delete(entry);
    },
    flush() {
      if (disarm) flush();
    },
    dispose() {
      disposed = true;
      disarm?.();
      subscribers.clear();
      streams.clear();
      inputs.clear();
      durables = [];
    },
  };
}
