/** Keeps memory low without slowing the work: each step leaves a request's whole body behind, and each answer what it was shown with. */
import type { ModelClient } from "../anthropic/index.ts";
import type { Clock, KhaelorEvent } from "../shared/index.ts";

/** The runtime alone lets some dozens of bodies pile up. More often than this costs time, and gains nothing. */
const REQUESTS = 10;

/** The runtime is asked to collect just before the model is waited for, and does so beside that. */
export function collectingWhileItWaits(model: ModelClient): ModelClient {
  let requests = 0;
  return {
    ...model,
    stream(request, signal) {
      requests++;
      if (requests % REQUESTS === 0) Bun.gc(false);
      return model.stream(request, signal);
    },
  };
}

interface Resting {
  /** Of a session; returns the end of it. */
  readonly listen: (onEvent: (event: KhaelorEvent) => void) => () => void;
  readonly clock: Clock;
  readonly collect?: () => void;
}

const ENDS: ReadonlySet<string> = new Set(["task.completed", "task.failed", "user.interrupted"]);
/** The end of the work that begins so is still to come. */
const BEGINS: ReadonlySet<string> = new Set(["model.request-started", "tool.started"]);
/** So long nothing has happened then. It takes some 15 ms, also of a long session. */
const REST_MS = 2000;

/**
 * For a program that stays: collects once when a session has been opened and whenever a turn has ended, as soon as nothing
 * happens any more; what background processes do is not waited for. The runtime by itself would hold on to some ten megabytes
 * until there is more to do. Returns its end.
 */
export function collectingAtRest({ listen, clock, collect = () => Bun.gc(true) }: Resting): () => void {
  let cancel: (() => void) | undefined;
  function stop(): void {
    cancel?.();
    cancel = undefined;
  }
  function rest(): void {
    stop();
    cancel = clock.after(REST_MS, () => {
      cancel = undefined;
      collect();
    });
  }
  const off = listen(({ type }) => {
    if (type.startsWith("process.")) return;
    if (BEGINS.has(type)) stop();
    else if (cancel || ENDS.has(type)) rest();
  });
  rest();
  return () => {
    stop();
    off();
  };
}

/** So often it is looked at how much the program holds. */
const LOOK_EVENTS = 256;
const GROWN_BYTES = 16 * 1024 * 1024;

interface Reading {
  /** What the program holds, in bytes. */
  readonly held?: () => number;
  readonly collect?: () => void;
}

/**
 * The events or lines of a log, which may be a hundred megabytes: what was read of them is collected whenever the program has grown by
 * some. By itself the runtime lets more than all of them pile up first.
 */
export async function* collectingWhileItReads<T>(events: AsyncIterable<T>, reading: Reading = {}): AsyncGenerator<T> {
  const { held = process.memoryUsage.rss, collect = () => Bun.gc(true) } = reading;
  let most = held() + GROWN_BYTES;
  let count = 0;
  for await (const event of events) {
    yield event;
    count += 1;
    if (count % LOOK_EVENTS !== 0 || held() <= most) continue;
    collect();
    most = held() + GROWN_BYTES;
  }
}
