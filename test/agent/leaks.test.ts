/**
 * Subscriptions, timers and descriptors return to their start value after each turn and at shutdown, whatever happened in
 * the turn.
 */
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../src/cli/engine.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import type { EventOf, EventType } from "../../src/shared/index.ts";
import type { Script } from "../../src/simulator/index.ts";
import { type House, openHouse } from "../support/house.ts";
import { type Held, type ResourceWatch, watchResources } from "../support/resources.ts";
import { bash, call, edit, read, say, turn } from "./driving.ts";
import { engineIn } from "./engines.ts";

const background = (input: Readonly<Record<string, unknown>>) => turn(call("process", input));

/** What the model does, by the last word in brackets that the user said; after results, and without one, it is done. */
const script: Script = ({ lastUserText }) => {
  const word = [...lastUserText().matchAll(/\[(\w+)\]/g)].at(-1)?.[1];
  return (word === undefined ? undefined : ANSWERS[word]) ?? say("Done.");
};

const ANSWERS: Readonly<Record<string, ReturnType<typeof turn>>> = {
  tools: turn(read("a.md"), bash("seq 1 20000; sleep 0.01 & echo x"), edit("a.md", "one", "one, two"), bash("exit 3")),
  talk: { ...say("word ".repeat(400)), stream: { deltaChars: 5, deltaMs: 1 } },
  sleep: turn(bash("sleep 300.95")),
  guarded: turn(bash("sh ask.sh")),
  start: background({ action: "start", command: "echo up; cat -u", wait: 30 }),
  type: background({ action: "write", id: "p1", input: "hello\n", wait: 30 }),
  wait: background({ action: "read", id: "p1", wait: 600 }),
  stop: background({ action: "stop", id: "p1" }),
  brief: background({ action: "start", command: "echo up; until [ -e go ]; do sleep 0.02; done", wait: 30 }),
};

interface Course {
  readonly engine: Engine;
  readonly house: House;
  /** Acts right behind the first event of this type in this turn. */
  at<T extends EventType>(type: T, act: (event: EventOf<T>) => void): void;
}

const stopAt =
  (type: EventType) =>
  ({ at, engine }: Course) =>
    at(type, () => engine.agent.dispatch({ kind: "interrupt" }));

const allow = ({ at, engine }: Course) =>
  at("permission.requested", ({ payload: { permissionRequestId: requestId } }) =>
    engine.agent.dispatch({ kind: "permission-response", requestId, decision: "once" }),
  );

const BUSY = { kind: "http", status: 529, headers: { "retry-after-ms": "1" } } as const;

/** What the user says, what happens meanwhile, and whether a process lives on behind it. */
const TURNS: readonly (readonly [prompt: string, meanwhile?: ((course: Course) => void) | undefined, lives?: true])[] =
  [
    ["use all [tools]"],
    ["[talk], and be interrupted", stopAt("model.text-delta")],
    ["[sleep], and be interrupted", stopAt("tool.started")],
    [
      "use [tools], and be steered",
      ({ at, engine }) => at("tool.started", () => engine.agent.dispatch({ kind: "steer", text: "and more" })),
    ],
    ["run what is [guarded], and be allowed", allow],
    ["ask for what is [guarded], and be interrupted", stopAt("permission.requested")],
    [
      "meet failures that pass",
      ({ house }) => house.simulator.failNext(BUSY, { ...BUSY, status: 500 }, { kind: "cut", afterEvents: 2 }),
    ],
    ["meet one that does not", ({ house }) => house.simulator.failNext({ kind: "http", status: 400 })],
    [
      "be interrupted before a request is sent again",
      (course) => {
        course.house.simulator.failNext({ ...BUSY, headers: { "retry-after-ms": "20000" } });
        stopAt("model.request-failed")(course);
      },
    ],
    ["[start] a process", undefined, true],
    ["[type] into it", allow, true],
    ["[wait] for it, and be interrupted", stopAt("tool.started"), true],
    ["[stop] it"],
  ];

async function run(course: Omit<Course, "at">, prompt: string, meanwhile?: (course: Course) => void): Promise<void> {
  const { bus } = course.engine.session;
  const left = new Set<() => void>();
  const at: Course["at"] = (type, act) => {
    const stop = bus.on(type, (event) => {
      stop();
      left.delete(stop);
      queueMicrotask(() => act(event));
    });
    left.add(stop);
  };
  meanwhile?.({ ...course, at });
  await runHeadless(course.engine, { prompt, onEvent: () => {} });
  for (const stop of left) stop();
  expect([prompt, left.size]).toEqual([prompt, 0]); // what was to happen has happened
}

interface Warm extends Omit<Course, "at"> {
  /** What was held before the engine was opened. */
  readonly before: Held;
}

/** A house that has done it all once, so that what the runtime makes for good is there; and then an engine from the start. */
async function inWarmHouse(work: (warm: Warm, watch: ResourceWatch) => Promise<void>): Promise<void> {
  using watch = watchResources();
  const house = await openHouse({ script, files: { "a.md": "one\n", "ask.sh": "true\n" } });
  try {
    await house.say("use all [tools]");
    await house.engine.close();
    const before = await atRest(watch, house);
    await work({ house, before, engine: await openEngine(house) }, watch);
  } finally {
    await house.close();
  }
}

/** Twice the same picture: what a closed engine had is gone. */
async function atRest(watch: ResourceWatch, { simulator }: House): Promise<Held> {
  let last: Held | undefined;
  return watch.heldOnce({ simulator }, (held) => {
    const isSame = Bun.deepEquals(held, last);
    last = held;
    return isSame;
  });
}

const openEngine = (house: House) =>
  engineIn(house, { flags: { permissionMode: "accept-edits", permissions: RULES }, somebodyToAsk: true });

const RULES = ["seq *", "sleep *", "exit *", "cat *", "until *", "[ *"].map((pattern) => ({
  capability: "process.execute" as const,
  pattern,
  action: "allow" as const,
}));

/** What has nothing to do with a process that still runs. */
const lasting = ({ subscriptions, timers, handlers }: Held) => ({ subscriptions, timers, handlers });
const whole = (held: Held) => held;

describe("a session gives back what it took", () => {
  test("after each turn, when a process ends between turns, and at its end", async () => {
    await inWarmHouse(async (course, watch) => {
      const { engine, house, before } = course;
      const holder = { bus: engine.session.bus, simulator: house.simulator };
      await run(course, "use all [tools]"); // the first command starts the watchdog, which stays as long as the engine
      const start = watch.held(holder);
      const expectBack = async (when: string, wanted: Held, part: (held: Held) => object = whole) => {
        const held = await watch.heldOnce(holder, (now) => Bun.deepEquals(part(now), part(wanted)));
        expect({ when, ...part(held) }).toEqual({ when, ...part(wanted) });
      };
      for (const [prompt, meanwhile, lives] of TURNS) {
        await run(course, prompt, meanwhile);
        await expectBack(prompt, start, lives ? lasting : whole);
      }
      await run(course, "start a [brief] process");
      await endBetweenTurns(course);
      await expectBack("a process ended", start);
      await run(course, "[start] one that the end stops");
      await engine.close();
      await expectBack("the end", before);
    });
  }, 30_000);

  test("and would be seen if it did not", async () => {
    await inWarmHouse(async ({ engine, house, before }, watch) => {
      const { bus } = engine.session;
      const holder = { bus, simulator: house.simulator };
      const leaked = [
        bus.on("task.completed", () => {}),
        closing(openSync(join(house.cwd, "a.md"), "r")),
        clearing(setTimeout(() => {}, 60_000)),
        forgetting("SIGHUP", () => {}),
        ending(Bun.spawn(["sleep", "300.96"])),
      ];
      const held = watch.held(holder);
      for (const undo of leaked) await undo();
      const seen = {
        subscriptions: held.subscriptions,
        timers: held.timers.map((place) => place.includes("leaks.test.ts")),
        descriptors: held.descriptors.includes(join(house.cwd, "a.md")),
        handlers: held.handlers.SIGHUP,
        children: held.children.length - before.children.length,
      };
      expect(seen).toEqual({ subscriptions: 1, timers: [true], descriptors: true, handlers: 1, children: 1 });
      await engine.close();
      const after = await watch.heldOnce(holder, (now) => Bun.deepEquals(now, before));
      expect(after).toEqual(before);
    });
  }, 30_000);
});

async function endBetweenTurns({ engine, house }: Warm): Promise<void> {
  const exited = Promise.withResolvers<void>();
  const stop = engine.session.bus.on("process.exited", () => exited.resolve());
  writeFileSync(join(house.cwd, "go"), "");
  await exited.promise;
  stop();
}

const closing = (fd: number) => () => closeSync(fd);
const clearing = (timer: Timer) => () => clearTimeout(timer);
const forgetting = (name: NodeJS.Signals, handler: () => void) => {
  process.on(name, handler);
  return () => process.off(name, handler);
};
const ending = (child: Bun.Subprocess) => () => {
  child.kill("SIGKILL");
  return child.exited;
};
