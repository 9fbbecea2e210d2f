/** Sends the events of an answer, at their pace, and lets the fault strike at its place. Stops when the connection is gone. */
import { type Clock, sleep } from "../../shared/index.ts";
import type { FaultPlace, SseEvent, StreamFault, StreamOptions } from "../types.ts";
import { encodeEvent } from "./events.ts";
import type { ResponseBody } from "./http.ts";

export interface Delivery {
  readonly body: ResponseBody;
  readonly closed: AbortSignal;
  readonly clock: Clock;
  readonly options: StreamOptions;
  readonly fault: StreamFault | undefined;
  readonly requestId: string;
  readonly onEvent: (event: SseEvent) => void;
}

type Outcome = "answered" | "fault" | "client-closed";

/** Ends with how it went; never rejects because the client left. */
export async function deliver(events: readonly SseEvent[], delivery: Delivery): Promise<Outcome> {
  const { closed, fault } = delivery;
  const locate = fault ? locator(fault) : () => undefined;
  for (const event of events) {
    const isOver = (await sendEvent(event, delivery, locate)) === "over";
    if (closed.aborted) return "client-closed";
    if (isOver) return "fault";
    delivery.onEvent(event);
  }
  await delivery.body.end();
  return closed.aborted ? "client-closed" : "answered";
}

async function sendEvent(event: SseEvent, delivery: Delivery, locate: Locator): Promise<"over" | "go on"> {
  const { options, closed, fault } = delivery;
  if (options.deltaMs && event.event === "content_block_delta") await pause(delivery, options.deltaMs);
  if (closed.aborted) return "over";
  const bytes = encodeEvent(event, options);
  const at = locate(event, bytes.length);
  if (!fault || at === undefined) {
    await writeBytes(bytes, delivery);
    return "go on";
  }
  await writeBytes(bytes.subarray(0, at), delivery);
  const state = await strike(fault, delivery);
  if (state === "go on") await writeBytes(bytes.subarray(at), delivery);
  return state;
}

type Locator = (event: SseEvent, length: number) => number | undefined;

/** Asked event by event: the byte of this one before which the fault strikes, or undefined. */
function locator({ afterEvents = 0, afterBytes, afterSeen, times = 1 }: FaultPlace): Locator {
  let events = 0;
  let sent = 0;
  let seen = 0;
  return (event, length) => {
    const index = events++;
    const start = sent;
    sent += length;
    if (afterBytes !== undefined) return afterBytes >= start && afterBytes < sent ? afterBytes - start : undefined;
    if (afterSeen === undefined) return index === afterEvents ? 0 : undefined;
    if (!carries(event, afterSeen)) return undefined;
    return ++seen === times ? length : undefined;
  };
}

/** The type of the event, of its delta or of its block. */
function carries({ event, data }: SseEvent, type: string): boolean {
  if (event === type || typeof data === "string") return event === type;
  const inner = [data.delta, data.content_block] as readonly ({ readonly type?: unknown } | undefined)[];
  return inner.some((part) => part?.type === type);
}

async function strike(fault: StreamFault, delivery: Delivery): Promise<"over" | "go on"> {
  const { body, options, requestId } = delivery;
  switch (fault.kind) {
    case "cut":
      body.cut();
      return "over";
    case "reset":
      body.reset();
      return "over";
    case "clean-end":
      await body.end();
      return "over";
    case "error-event": {
      const error = fault.error ?? { type: "overloaded_error", message: "Overloaded" };
      const data = { type: "error", error, request_id: requestId };
      await body.write(encodeEvent({ event: "error", data }, { ...options, omitEventLines: fault.unnamed ?? false }));
      await body.end();
      return "over";
    }
    case "silence":
      await stayQuiet(fault, delivery);
      return delivery.closed.aborted ? "over" : "go on";
  }
}

async function stayQuiet(fault: Extract<StreamFault, { kind: "silence" }>, delivery: Delivery): Promise<void> {
  const { clock, closed, body, options } = delivery;
  const until = fault.ms === undefined ? Number.POSITIVE_INFINITY : clock.now() + fault.ms;
  const every = fault.pingEveryMs;
  while (!closed.aborted && clock.now() < until) {
    const left = until - clock.now();
    if (every === undefined && left === Number.POSITIVE_INFINITY) return gone(closed);
    await pause(delivery, Math.min(left, every ?? left));
    if (every !== undefined) await body.write(encodeEvent({ event: "ping", data: { type: "ping" } }, options));
  }
}

export const gone = (closed: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (closed.aborted) return resolve();
    closed.addEventListener("abort", () => resolve(), { once: true });
  });

/** Ends early when the connection does. */
export async function pause({ clock, closed }: Pick<Delivery, "clock" | "closed">, ms: number): Promise<void> {
  await sleep(clock, ms, closed).catch(() => undefined); // rejects only because `closed` aborted, which the caller sees
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function writeBytes(bytes: Uint8Array, { body, options }: Delivery): Promise<void> {
  if (!options.splitUtf8) return body.write(bytes);
  for (let at = 0; at < bytes.length; ) {
    const cut = bytes.findIndex((byte, i) => i > at && byte >= 0x80 && byte < 0xc0);
    const end = cut === -1 ? bytes.length : cut;
    await body.write(bytes.subarray(at, end));
    at = end;
    await nextTick();
  }
}
