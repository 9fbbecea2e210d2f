/**
 * The wire between the real client and the strict API, without a socket: bytes in pieces of any size, each when it is chosen,
 * and connections that end as real ones do.
 */
import type { Fetch } from "../../src/anthropic/index.ts";
import type { Exchange, MessagesApi, ResponseBody } from "../../src/simulator/index.ts";
import type { Dice } from "../support/story/dice.ts";
import type { Schedule } from "./schedule.ts";

interface Wire {
  readonly api: MessagesApi;
  readonly dice: Dice;
  readonly schedule: Schedule;
  /** Told what nobody foresaw in the server. */
  readonly onBug: (error: unknown) => void;
}

/** `hangUpAll` is what the server sees when the process at the other end dies. */
export function createWire(wire: Wire): { readonly fetch: Fetch; hangUpAll(): void } {
  const open = new Set<AbortController>();
  let isOver = false;
  return {
    fetch: (input, init = {}) =>
      new Promise<Response>((resolve, reject) => {
        if (isOver) return reject(lost());
        const closed = new AbortController();
        open.add(closed);
        const stop = (): void => closed.abort();
        init?.signal?.addEventListener("abort", stop, { once: true });
        closed.signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        wire.api
          .serve(exchangeOf(wire, { url: String(input), init, closed, resolve, reject }))
          .catch((error: unknown) => {
            wire.onBug(error);
            reject(lost());
          })
          .finally(() => {
            open.delete(closed);
            init?.signal?.removeEventListener("abort", stop);
          });
      }),
    hangUpAll() {
      isOver = true;
      for (const closed of open) closed.abort();
    },
  };
}

interface Call {
  readonly url: string;
  readonly init: NonNullable<Parameters<Fetch>[1]>;
  readonly closed: AbortController;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

/** As Bun's fetch tells it. */
const lost = (): Error =>
  Object.assign(new TypeError("The socket connection was closed unexpectedly."), { code: "ECONNRESET" });

function exchangeOf({ dice, schedule }: Wire, { url, init, closed, resolve, reject }: Call): Exchange {
  const { pathname, search } = new URL(url);
  const break_ = (fail: (error: Error) => void) => (): void => {
    if (!closed.signal.aborted) atLast(schedule.turn("the connection breaks", closed.signal), () => fail(lost()));
  };
  return {
    request: {
      method: init.method ?? "GET",
      path: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers as Headers).entries()),
      body: Buffer.from(String(init.body ?? "")),
      tooLarge: false,
    },
    closed: closed.signal,
    async respond(status, headers, body) {
      await schedule.turn(`answer ${status}`, closed.signal);
      resolve(new Response(body, { status, headers }));
    },
    async open(headers) {
      await schedule.turn("headers", closed.signal);
      const [response, body] = streamed({ dice, schedule, closed: closed.signal }, headers);
      resolve(response);
      return body;
    },
    hangUp: break_(reject),
  };
}

interface Line {
  readonly dice: Dice;
  readonly schedule: Schedule;
  readonly closed: AbortSignal;
}

function streamed(line: Line, headers: Readonly<Record<string, string>>): readonly [Response, ResponseBody] {
  const { dice, schedule, closed } = line;
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      sink = controller;
    },
    cancel: () => {
      sink = undefined;
    },
  });
  const fail = (error: Error): void => {
    sink?.error(error);
    sink = undefined;
  };
  closed.addEventListener("abort", () => fail(new DOMException("aborted", "AbortError")));
  const end = async (how: () => void): Promise<void> => {
    if (closed.aborted) return;
    await schedule.turn("the end of the body", closed);
    how();
  };
  const body: ResponseBody = {
    async write(bytes) {
      for (const piece of pieces(dice, bytes)) {
        if (closed.aborted) return;
        await schedule.turn("bytes", closed);
        sink?.enqueue(piece);
      }
    },
    end: () =>
      end(() => {
        sink?.close();
        sink = undefined;
      }),
    cut: () => atLast(schedule.turn("the body breaks", closed), () => fail(lost())),
    reset: () => atLast(schedule.turn("the body breaks", closed), () => fail(lost())),
  };
  return [new Response(stream, { status: 200, headers }), body];
}

/** Also when nothing happens any more, because the process at this end is dead: it has to find that out. */
const atLast = (turn: Promise<void>, act: () => void): void => void turn.then(act, act);

/** Mostly as one; now and then torn at any byte. */
function* pieces(dice: Dice, bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const length = dice.chance(0.1) ? 1 + dice.below(bytes.length - at) : bytes.length - at;
    yield bytes.slice(at, at + length);
    at += length;
  }
}
