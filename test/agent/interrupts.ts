/** Stopping a course of a task at its n-th moment, and what has to hold after that, whatever moment it was. */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { KhaelorEvent } from "../../src/shared/index.ts";
import type { Script, ScriptedTurn, ScriptRequest } from "../../src/simulator/index.ts";
import { type VirtualTime, virtualTime } from "../support/virtual-time.ts";
import { type Driven, inHouse, type SentMessage, type Setup, say } from "./driving.ts";

export const NEXT = "go on";

export interface Course {
  readonly script: Script;
  /** In its place, where the script depends on the moment. */
  readonly scriptAt?: (at: number) => Script;
  readonly setup?: Partial<Setup>;
  /** Of the server's events, not of the engine's. */
  readonly onWire?: true;
  /** Only moments from here on. */
  readonly from?: (event: KhaelorEvent) => boolean;
  /** Begins it; resolves when it is over. */
  readonly begin?: (house: Driven) => Promise<unknown>;
}

/** Whether the user has said NEXT, and so wants to hear nothing of what was before. */
export const saidNext = ({ body }: ScriptRequest): boolean =>
  (body.messages as readonly SentMessage[]).some(
    ({ role, content }) => role === "user" && content.some(({ text = "" }) => text === NEXT),
  );

/** What the task needs is done in the first answers; whatever the user says after a stop is answered at once. */
export const answers =
  (...turns: readonly ScriptedTurn[]): Script =>
  (request) =>
    saidNext(request) ? say("Fine.") : (turns[request.index] ?? say("Done."));

const FILES = {
  "a.md": "one\n",
  "ask.sh": "echo asked\n",
  "package.json": '{ "scripts": { "test": "grep -q two a.md" } }\n',
};

/** Stops it behind the n-th moment. Undefined where it was over before; else the types that it passed until then. */
export async function passUntil(course: Course, at: number, stop: (house: Driven) => void): Promise<Passed> {
  let moments = 0;
  let isCounting = course.from === undefined;
  let isOver = false;
  const passed = new Set<string>();
  const time = virtualTime();
  const moment = (house: Driven): void => {
    if (isOver || moments++ !== at) return;
    queueMicrotask(() => stop(house));
  };
  await inHouse(
    {
      files: FILES,
      script: course.scriptAt?.(at) ?? course.script,
      ...course.setup,
      outside: { clock: time.client, random: () => 0, fetch: time.fetch, ...course.setup?.outside },
      ...(course.onWire && { onSse: (_event, house) => moment(house) }),
    },
    async (house) => {
      answerAndPass(house, time, () => moments > at);
      house.engine.session.bus.onAny((event) => {
        if (!isOver) passed.add(event.type);
        isCounting ||= course.from?.(event) ?? false;
        // What a command prints comes in pieces of the system's choosing.
        if (!course.onWire && isCounting && event.type !== "tool.output") moment(house);
      });
      const { begin = (driven: Driven) => driven.say("do it") } = course;
      await begin(house);
      await house.settled();
      isOver = true;
      await expectStopped(house, time);
    },
  );
  return { isStopped: moments > at, passed };
}

interface Passed {
  readonly isStopped: boolean;
  readonly passed: ReadonlySet<string>;
}

/** One house for each moment that there is; the last one is not stopped and tells what the course passes. */
export async function stopEverywhere(
  course: Course,
  stop: (house: Driven) => void,
): Promise<{ readonly moments: number; readonly passed: ReadonlySet<string> }> {
  for (let at = 0; ; at++) {
    const { isStopped, passed } = await passUntil(course, at, stop);
    if (!isStopped) return { moments: at, passed };
  }
}

/** Until it is stopped: time goes on where it is waited for, and questions are answered, a moment after they were asked. */
function answerAndPass({ engine: { session, agent } }: Driven, time: VirtualTime, isStopped: () => boolean): void {
  session.bus.on("model.request-failed", ({ payload: { retryAfterMs } }) => {
    // Whoever is stopped does not wait until the time is up.
    if (retryAfterMs !== undefined && !isStopped())
      setImmediate(() => void (isStopped() || time.passSoon(retryAfterMs)));
  });
  session.bus.on("permission.requested", ({ payload: { permissionRequestId: requestId } }) => {
    setImmediate(() => {
      if (!isStopped()) agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
    });
  });
}

/** Nothing runs on, nothing is left open, and the strict server takes what is said next. */
async function expectStopped(house: Driven, time: VirtualTime): Promise<void> {
  const { turn } = house.engine.session.state();
  const rest = {
    phase: turn.phase,
    pending: turn.pending,
    asked: turn.permissions,
    armed: time.armed,
    open: time.open,
  };
  expect(rest).toEqual({ phase: expect.stringMatching(/idle|interrupted/), pending: [], asked: [], armed: 0, open: 0 });
  expect(house.of("user.interrupted").length).toBeLessThanOrEqual(1);
  if (existsSync(join(house.cwd, "ran.md"))) {
    expect(house.of("tool.started").map(({ toolName }) => toolName)).toContain("bash");
  }
  const { length } = house.events;
  await new Promise((resolve) => setImmediate(resolve));
  expect(house.events.slice(length)).toEqual([]);
  await house.say(NEXT);
  expect([house.simulator.refusals.length, house.types().at(-1)]).toEqual([0, "task.completed"]);
}
