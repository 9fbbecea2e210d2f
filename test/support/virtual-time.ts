/**
 * One time for the client and for the server that it talks to over a real socket. It stands still while anything happens, and
 * jumps to the next timer where nothing can: while the client waits between two attempts, and while the server is silent.
 */
import type { Fetch } from "../../src/anthropic/index.ts";
import type { Clock } from "../../src/shared/index.ts";

export interface VirtualTime {
  readonly client: Clock;
  /** Whoever waits by it is silent: time goes on as soon as the client has read the `eventsSent` before the silence. */
  readonly server: Clock;
  /** For the client, so that it is known what it has read. */
  readonly fetch: Fetch;
  /** The client is about to wait this long, and for nothing else. */
  passSoon(ms: number): void;
  /** How many events each answer sends before it falls silent, -1 for not even headers. What it sends then, one a wait, is added. */
  eventsSent: number;
  readonly elapsedMs: number;
  /** Timers of the client that are armed. */
  readonly armed: number;
  /** Requests whose answers are not over. */
  readonly open: number;
}

interface Timer {
  readonly dueMs: number;
  readonly task: () => void;
  readonly isServers: boolean;
  /** The request during which it was armed. */
  readonly request: object | undefined;
}

const START_MS = 1_790_000_000_000;

export function virtualTime(): VirtualTime {
  const timers = new Set<Timer>();
  const reading = countEvents();
  let passedMs = 0;
  let waits = 0;

  const clock = (isServers: boolean): Clock => ({
    now: () => START_MS + passedMs,
    after(ms, task) {
      const timer = { dueMs: passedMs + Math.max(0, ms), task, isServers, request: reading.newest() };
      timers.add(timer);
      if (isServers) reading.onceRead(time.eventsSent + waits, () => void (live().includes(timer) && passToNext()));
      return () => void timers.delete(timer);
    },
  });

  /** Without those of a server whose client has gone and who does not know it yet; the earliest first. */
  const live = (): readonly Timer[] =>
    [...timers]
      .filter(({ isServers, request }) => !isServers || request === reading.newest())
      .sort((a, b) => a.dueMs - b.dueMs);

  function passToNext(): void {
    const [next] = live();
    if (!next) return;
    passedMs = Math.max(passedMs, next.dueMs);
    timers.delete(next);
    if (next.isServers) waits++;
    const asked = reading.newest();
    next.task();
    if (next.isServers || asked === undefined) return;
    // The client has only looked how long it has waited: it still does, and the server is as silent as before.
    setImmediate(() => {
      const isSilent = live().some(({ isServers }) => isServers);
      if (isSilent && reading.newest() === asked) passToNext();
    });
  }

  const time: VirtualTime = {
    client: clock(false),
    server: clock(true),
    fetch: async (...args) => {
      waits = 0;
      return reading.fetch(...args);
    },
    passSoon(ms) {
      setImmediate(() => {
        const until = passedMs + ms;
        const [next] = live();
        if (next && next.dueMs <= until) passToNext();
      });
    },
    eventsSent: 0,
    get elapsedMs() {
      return passedMs;
    },
    get armed() {
      return [...timers].filter(({ isServers }) => !isServers).length;
    },
    get open() {
      return reading.open();
    },
  };
  return time;
}

interface Waiting {
  readonly events: number;
  readonly then: () => void;
}

/** Counts the events of the newest answer as they come out of the socket. */
function countEvents() {
  /** -1 until the headers are there. */
  let seen = -1;
  let open = 0;
  let newest: object | undefined;
  let waiting: Waiting[] = [];
  const look = (): void => {
    const ready = waiting.filter(({ events }) => events <= seen);
    waiting = waiting.filter((each) => !ready.includes(each));
    for (const { then } of ready) setImmediate(then); // by then it has been taken further in
  };
  return {
    open: () => open,
    /** The request that is under way, if one is. */
    newest: () => newest,
    onceRead(events: number, then: () => void): void {
      waiting.push({ events, then });
      look();
    },
    fetch: async (...args: Parameters<Fetch>): Promise<Response> => {
      seen = -1;
      waiting = [];
      open++;
      const request = {};
      newest = request;
      const over = once(() => {
        open--;
        if (newest === request) newest = undefined;
      });
      args[1]?.signal?.addEventListener("abort", over, { once: true });
      try {
        const response = await fetch(...args);
        if (!response.body || !response.ok) {
          over();
          return response;
        }
        seen = 0;
        look();
        let tail = "";
        const counted = response.body.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, out) {
              const text = tail + Buffer.from(chunk).toString("latin1");
              seen += text.split("\n\n").length - 1;
              tail = text.endsWith("\n") && !text.endsWith("\n\n") ? "\n" : "";
              out.enqueue(chunk);
              look();
            },
            flush: over,
          }),
        );
        const { status, headers } = response;
        return new Response(counted, { status, headers });
      } catch (error) {
        over();
        throw error;
      }
    },
  };
}

function once(task: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    task();
  };
}
