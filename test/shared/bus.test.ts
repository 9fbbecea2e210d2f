import { describe, expect, test } from "bun:test";
import {
  createBus,
  type DurableEvent,
  type DurableInput,
  type KhaelorEvent,
  StoreError,
} from "../../src/shared/index.ts";

const renamed = (title: string): DurableInput => ({ type: "session.renamed", payload: { title } });
const output = (chunk: string) => ({ type: "tool.output", payload: { toolUseId: "t1", chunk } }) as const;

/** A bus over a list instead of a file, and what was seen of it. */
function station() {
  const log: DurableEvent[] = [];
  const errors: unknown[] = [];
  let stamped = 0;
  const bus = createBus({
    append(input) {
      const envelope = { v: 1, id: `e${log.length + 1}`, sessionId: "s", seq: log.length + 1, ts: 0 };
      const event = { ...envelope, ...input } as DurableEvent; // input and envelope make an event by definition
      log.push(event);
      return event;
    },
    stamp: (input) => ({ id: `p${++stamped}`, sessionId: "s", ts: 0, ...input }) as never,
    onHandlerError: (error, type) => errors.push([type, error]),
  });
  return { bus, log, errors };
}
const label = (event: KhaelorEvent) => ("seq" in event ? `${event.seq}` : event.id);

test("an event is in the log before anyone sees it, and the publisher gets the whole envelope", () => {
  const { bus, log } = station();
  const lengths: number[] = [];
  bus.onAny(() => lengths.push(log.length));
  const event = bus.publishDurable(renamed("one"));
  expect(event).toEqual({ v: 1, id: "e1", sessionId: "s", seq: 1, ts: 0, ...renamed("one") } as typeof event);
  expect(lengths).toEqual([1]);
});

test("every subscriber sees every event in the order of publishing, durable and ephemeral", () => {
  const { bus } = station();
  const seen: string[][] = [[], []];
  for (const list of seen) bus.onAny((event) => list.push(label(event)));
  bus.publishDurable(renamed("a"));
  bus.publishEphemeral(output("x"));
  bus.publishDurable(renamed("b"));
  expect(seen).toEqual([
    ["1", "p1", "2"],
    ["1", "p1", "2"],
  ]);
});

test("a subscription to one type sees that type only", () => {
  const { bus } = station();
  const titles: string[] = [];
  bus.on("session.renamed", ({ payload }) => titles.push(payload.title));
  bus.publishEphemeral(output("x"));
  bus.publishDurable(renamed("a"));
  bus.publishDurable({ type: "tool.started", payload: { toolUseId: "t", toolName: "read" } });
  expect(titles).toEqual(["a"]);
});

describe("a subscriber that publishes", () => {
  test("is refused on both doors, nothing is appended, and the others still get the event", () => {
    const { bus, log, errors } = station();
    const seen: string[] = [];
    bus.on("session.renamed", () => bus.publishDurable(renamed("again")));
    bus.on("session.renamed", () => bus.publishEphemeral(output("x")));
    bus.onAny((event) => seen.push(label(event)));
    bus.publishDurable(renamed("a"));
    expect([log.length, seen, errors.length]).toEqual([1, ["1"], 2]);
    expect(String(errors[0])).toContain("a subscriber published");
  });

  test("may publish afterwards: the bus is open again, also after a throwing subscriber", () => {
    const { bus, log } = station();
    bus.onAny(() => {
      throw new Error("broken");
    });
    bus.publishDurable(renamed("a"));
    bus.publishDurable(renamed("b"));
    expect(log.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

test("a throwing subscriber stops neither the others nor the publisher, and is reported with the type", () => {
  const { bus, errors } = station();
  const problem = new Error("broken");
  const seen: string[] = [];
  bus.onAny((event) => seen.push(`first ${label(event)}`));
  bus.onAny(() => {
    throw problem;
  });
  bus.onAny((event) => seen.push(`last ${label(event)}`));
  bus.publishDurable(renamed("a"));
  expect([seen, errors]).toEqual([["first 1", "last 1"], [["session.renamed", problem]]]);
});

test("when the append fails the publisher is told and nobody has seen anything", () => {
  const seen: unknown[] = [];
  const bus = createBus({
    append: () => {
      throw new StoreError("full", "the disk is full");
    },
    stamp: () => expect.unreachable(),
    onHandlerError: (error) => seen.push(error),
  });
  bus.onAny((event) => seen.push(event));
  expect(() => bus.publishDurable(renamed("a"))).toThrow(StoreError);
  expect(() => bus.publishDurable(renamed("a"))).toThrow("the disk is full");
  expect(seen).toEqual([]);
});

describe("unsubscribing", () => {
  test("ends one subscription, even of a handler that subscribed twice, and may be repeated", () => {
    const { bus } = station();
    const seen: string[] = [];
    const handler = (event: KhaelorEvent) => seen.push(label(event));
    const [stop] = [bus.onAny(handler), bus.onAny(handler)];
    expect(bus.subscriptions()).toBe(2);
    stop();
    stop();
    bus.publishDurable(renamed("a"));
    expect([seen, bus.subscriptions()]).toEqual([["1"], 1]);
  });

  test("from within a handler leaves the running delivery whole", () => {
    const { bus } = station();
    const seen: string[] = [];
    const stop = bus.onAny(() => {
      stop();
      stopLast();
    });
    const stopLast = bus.onAny((event) => seen.push(label(event)));
    bus.publishDurable(renamed("a"));
    bus.publishDurable(renamed("b"));
    expect([seen, bus.subscriptions()]).toEqual([["1"], 0]);
  });

  test("a subscriber that comes during a delivery sees the next event first", () => {
    const { bus } = station();
    const seen: string[] = [];
    const stop = bus.onAny(() => {
      stop();
      bus.onAny((event) => seen.push(label(event)));
    });
    bus.publishDurable(renamed("a"));
    bus.publishDurable(renamed("b"));
    expect(seen).toEqual(["2"]);
  });
});
