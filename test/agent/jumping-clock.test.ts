/** The machine's clock is set while a session works: what is recorded stays in order, and nothing waits for a time that is over. */
import { describe, expect, test } from "bun:test";
import { spentOn } from "../../src/cli/day-spend.ts";
import { type Clock, systemClock } from "../../src/shared/index.ts";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { bash, type Driven, inHouse, say, text, thinking, turn } from "./driving.ts";

const HOUR_MS = 3_600_000;
/** A moment in each direction: an hour back, to the beginning of time, a year ahead. */
const JUMPS = {
  "an hour back": (now: number) => now - HOUR_MS,
  "to 1970": () => 1_000,
  "a year ahead": (now: number) => now + 365 * 24 * HOUR_MS,
} as const;

interface SetClock extends Clock {
  jump(to: (now: number) => number): void;
}

/** Its waits are a fiftieth as long. */
function setClock(): SetClock {
  let offset = 0;
  const now = () => systemClock.now() + offset;
  return {
    now,
    steady: () => performance.now(),
    after: (ms, task) => systemClock.after(ms / 50, task),
    jump(to) {
      offset += to(now()) - now();
    },
  };
}

const OVERLOADED = { kind: "http", status: 529 } as const;

async function expectInOrder({ engine, home }: Driven, clock: Clock): Promise<void> {
  const { session, store } = engine;
  const ids: string[] = [];
  for await (const event of store.read(session.id)) {
    ids.push(event.id);
    expect(Number.isInteger(event.ts) && event.ts > 0).toBe(true);
    if ("opaque" in event || !("durationMs" in event.payload)) continue;
    expect(event.payload.durationMs).toBeGreaterThanOrEqual(0);
    expect(event.payload.durationMs).toBeLessThan(HOUR_MS);
  }
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  expect(home).not.toBe("");
  const { usage, meta, turn } = session.state();
  expect(turn.phase).toBe("idle");
  expect(usage.spentUsd).toBeGreaterThan(0);
  const today = spentOn(clock.now(), usage.recentUsd);
  expect(today >= 0 && today <= usage.spentUsd + 1e-9).toBe(true);
  expect((await store.list()).map(({ id, damaged }) => [id, damaged])).toEqual([[meta.id, undefined]]);
}

for (const [name, to] of Object.entries(JUMPS)) {
  describe(`the clock jumps ${name}`, () => {
    const script: Script = sequence([
      turn(thinking("Look."), text("Looking."), bash("echo seen")),
      say("Seen."),
      turn(bash("echo again")),
      say("Again."),
    ]);

    test("between two events, at any of them", async () => {
      const clock = setClock();
      let left = 0;
      await inHouse({ script, outside: { clock } }, async (house) => {
        house.engine.session.bus.onAny((event) => {
          if ("seq" in event && ++left % 3 === 0) clock.jump(to);
        });
        await house.say("look");
        await house.say("and again");
        expect(house.of("task.completed")).toHaveLength(2);
        await expectInOrder(house, clock);
      });
    });

    test("while a request is waited for, and while it is to be repeated", async () => {
      const clock = setClock();
      const simulator = { faults: [OVERLOADED, OVERLOADED] };
      await inHouse({ script: () => say("At last."), simulator, outside: { clock } }, async (house) => {
        house.engine.session.bus.on("model.request-started", () => clock.jump(to));
        house.engine.session.bus.on("model.request-failed", () => clock.jump(to));
        await house.say("try");
        expect(house.of("model.request-failed").map(({ retriesExhausted }) => retriesExhausted)).toEqual([
          false,
          false,
        ]);
        expect(house.of("task.completed")).toHaveLength(1);
        await expectInOrder(house, clock);
      });
    });

    test("in a run whose time is bounded, which then has the time that it was given", async () => {
      const clock = setClock();
      await inHouse({ script, outside: { clock }, flags: { limits: { maxSeconds: 600 } } }, async (house) => {
        house.engine.session.bus.on("tool.started", () => clock.jump(to));
        await house.say("look");
        expect(house.of("task.failed")).toEqual([]);
        expect(house.of("task.completed")).toHaveLength(1);
        await expectInOrder(house, clock);
      });
    });

    test("between the end of a program and its resume", async () => {
      const clock = setClock();
      await inHouse({ script, outside: { clock } }, async (house) => {
        await house.say("look");
        clock.jump(to);
        await house.reopen();
        await house.say("and again");
        expect(house.of("task.completed")).toHaveLength(2);
        await expectInOrder(house, clock);
      });
    });
  });
}
