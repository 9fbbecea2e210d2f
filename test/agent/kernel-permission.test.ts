/** Consent through the house: asked, given, refused, absent, stale; and the question that a repetition raises. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import type { Flags } from "../../src/cli/settings.ts";
import type { KernelCommand } from "../../src/shared/index.ts";
import { sequence } from "../../src/simulator/index.ts";
import { bash, type Driven, inHouse, lastSaid, read, say, turn } from "./driving.ts";

type Answer = Omit<Extract<KernelCommand, { kind: "permission-response" }>, "kind" | "requestId">;

const TOUCH = "sh make.sh";
const ASK = {
  flags: { permissionMode: "ask" },
  somebodyToAsk: true,
  files: { "make.sh": "touch made.md\n", "a.md": "x\n" },
} as const;

/** Answers the questions that come, in order; the rest is left unanswered. */
function answering(house: Driven, ...answers: readonly Answer[]): void {
  const left = [...answers];
  house.engine.session.bus.on("permission.requested", ({ payload }) => {
    const next = left.shift();
    const { permissionRequestId: requestId } = payload;
    if (next) queueMicrotask(() => house.engine.agent.dispatch({ kind: "permission-response", requestId, ...next }));
  });
}

const made = (house: Driven): boolean => existsSync(join(house.cwd, "made.md"));

describe("consent", () => {
  test("given once lets this call run and asks again for the next", async () => {
    const script = sequence([turn(bash(TOUCH)), turn(bash(TOUCH)), say("Done.")]);
    await inHouse({ ...ASK, script }, async (house) => {
      answering(house, { decision: "once" }, { decision: "once" });
      await house.say("touch");
      expect(made(house)).toBe(true);
      expect(house.of("permission.requested")).toMatchObject([
        { capability: "process.execute", descriptor: expect.stringContaining(TOUCH) },
        { capability: "process.execute" },
      ]);
      expect(house.of("tool.approved").map(({ via }) => via)).toEqual(["user-once", "user-once"]);
      const course = house.types().slice(4, 11);
      expect(course).toEqual([
        "permission.requested",
        "permission.granted",
        "tool.approved",
        "tool.started",
        "file.modified",
        "tool.completed",
        "model.request-started",
      ]);
    });
  });

  test("given for the session is not asked for again in it", async () => {
    const script = sequence([turn(bash(TOUCH)), turn(bash(TOUCH)), say("Done.")]);
    await inHouse({ ...ASK, script }, async (house) => {
      answering(house, { decision: "session" });
      await house.say("touch");
      expect(house.of("permission.requested")).toHaveLength(1);
      expect(house.of("tool.approved").map(({ via }) => via)).toEqual(["user-always", "rule"]);
    });
  });

  test("given for always is kept: the next session does not ask", async () => {
    const script = sequence([turn(bash(TOUCH)), say("Done."), turn(bash(TOUCH)), say("Done.")]);
    await inHouse({ ...ASK, script }, async (house) => {
      answering(house, { decision: "always-user" });
      await house.say("touch");
      expect(readFileSync(join(house.home, "permissions.json"), "utf8")).toContain(JSON.stringify(TOUCH));
      await house.reopen();
      await house.say("touch again");
      expect(house.of("permission.granted")).toHaveLength(1);
      expect(house.of("permission.granted")[0]?.scope).toBe("always-user");
      expect(house.of("permission.requested")).toHaveLength(1);
      expect(house.of("tool.completed")).toHaveLength(2);
    });
  });

  test("given for always is not kept before its record is safe", async () => {
    const script = sequence([turn(bash(TOUCH)), say("Done.")]);
    await inHouse({ ...ASK, script }, async (house) => {
      const kept = join(house.home, "permissions.json");
      const { promise: power, resolve: restore } = Promise.withResolvers<void>();
      const session: { sync(): Promise<void> } = house.engine.session; // the handle itself, to hold its disk up
      const sync = session.sync;
      const granted = house.next("permission.granted");
      answering(house, { decision: "always-user" });
      house.submit("touch");
      session.sync = () => power.then(() => sync.call(session));
      await granted;
      for (let look = 0; look < 20; look++) await readdir(house.home); // as long as writing it would take
      expect(existsSync(kept)).toBe(false);
      restore();
      await house.settled();
      expect(existsSync(kept)).toBe(true);
    });
  });

  test("given for always where no rule could say it is recorded as what it is: once", async () => {
    const both = turn(bash("touch made.md")); // needs two consents, so that no single rule is enough
    await inHouse({ ...ASK, script: sequence([both, both, say("Done.")]) }, async (house) => {
      answering(house, { decision: "always-user" }, { decision: "session" });
      await house.say("touch");
      expect(house.of("permission.requested").map(({ suggestion }) => suggestion)).toEqual([undefined, undefined]);
      expect(house.of("permission.granted").map(({ scope }) => scope)).toEqual(["once", "once"]);
      expect(house.of("tool.approved").map(({ via }) => via)).toEqual(["user-once", "user-once"]);
    });
  });

  test("refused with words gives the model those words, and the batch goes on", async () => {
    const script = sequence([turn(bash(TOUCH), read("a.md")), say("As you wish.")]);
    await inHouse({ ...ASK, script }, async (house) => {
      answering(house, { decision: "deny", feedback: "write it by hand" });
      await house.say("touch");
      expect(made(house)).toBe(false);
      expect(house.of("permission.denied")).toMatchObject([
        { source: "user", feedback: "The user refused: write it by hand" },
      ]);
      expect(house.of("tool.failed")).toMatchObject([
        { errorKind: "permission-denied", modelText: "The user refused: write it by hand" },
      ]);
      expect(lastSaid(house)).toEqual(["error", "result"]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("with nobody to ask is a refusal; the run goes on and ends with exit code 4", async () => {
    const script = sequence([turn(bash(TOUCH)), say("It was not allowed.")]);
    await inHouse({ ...ASK, script, somebodyToAsk: false }, async (house) => {
      const watch = watchRun(house.engine.session, () => 0);
      const end = await runHeadless(house.engine, { prompt: "touch", onEvent: watch.onEvent });
      const result = watch.finish(end);
      expect(made(house)).toBe(false);
      expect(house.of("permission.denied")[0]).toMatchObject({ source: "timeout" });
      expect(house.of("tool.failed")[0]?.modelText).toContain("nobody is there to give it");
      expect(result).toMatchObject({
        status: "completed",
        exit_code: 4,
        result: "It was not allowed.",
        pending: {},
      });
    });
  });

  test("denied by a rule needs nobody, and is no question", async () => {
    const flags: Flags = {
      permissionMode: "bypass",
      permissions: [{ capability: "process.execute", pattern: "sh *", action: "deny" }],
    };
    const script = sequence([turn(bash(TOUCH)), say("Not allowed.")]);
    await inHouse({ script, flags }, async (house) => {
      await house.say("touch");
      expect(made(house)).toBe(false);
      expect(house.of("permission.requested")).toEqual([]);
      expect(house.of("permission.denied")).toMatchObject([{ source: "policy" }]);
      expect(house.of("tool.failed")).toMatchObject([{ errorKind: "permission-denied" }]);
    });
  });
});

describe("an answer", () => {
  test("to another request, to one that was answered, or to none changes nothing", async () => {
    const script = sequence([turn(bash(TOUCH)), say("Done.")]);
    await inHouse({ ...ASK, script }, async (house) => {
      const asked = house.next("permission.requested");
      house.submit("touch");
      const { permissionRequestId: requestId } = (await asked).payload;
      const events = house.events.length;
      const { agent } = house.engine;
      agent.dispatch({ kind: "permission-response", requestId: "01J8ZQ0000NOBODY0000000000", decision: "session" });
      expect([house.events.length, made(house)]).toEqual([events, false]);
      agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
      agent.dispatch({ kind: "permission-response", requestId, decision: "deny" });
      agent.dispatch({ kind: "permission-response", requestId, decision: "always-user" });
      await house.settled();
      agent.dispatch({ kind: "permission-response", requestId, decision: "deny" });
      expect(agent.isBusy()).toBe(false);
      expect(house.of("permission.granted")).toEqual([{ permissionRequestId: requestId, scope: "once" }]);
      expect(house.of("permission.denied")).toEqual([]);
      expect(made(house)).toBe(true);
    });
  });

  test("that comes after an interrupt does not run what was stopped", async () => {
    const script = sequence([turn(bash(TOUCH)), say("Fine.")]);
    await inHouse({ ...ASK, script }, async (house) => {
      const asked = house.next("permission.requested");
      house.submit("touch");
      const { permissionRequestId: requestId } = (await asked).payload;
      house.interrupt();
      house.engine.agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
      await house.settled();
      house.engine.agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
      await house.settled();
      expect(made(house)).toBe(false);
      expect(house.engine.session.state().turn).toMatchObject({ phase: "interrupted", pending: [], permissions: [] });
      expect(house.of("tool.cancelled")).toMatchObject([{ reason: "interrupted" }]);
      await house.say("leave it");
      expect(lastSaid(house)).toEqual(["error", "text: leave it"]);
    });
  });
});

describe("a call that repeats itself", () => {
  const again = turn(bash("cat same.md"));
  const script = sequence([again, again, again, again, say("Enough.")]);
  const files = { "same.md": "same\n" };

  test("asks at the third time; a refusal, with the user's words, becomes its result", async () => {
    await inHouse({ script, files, flags: { permissionMode: "ask" }, somebodyToAsk: true }, async (house) => {
      answering(house, { decision: "deny", feedback: "read the other file" });
      await house.say("loop");
      expect(house.of("permission.requested")).toMatchObject([
        { capability: "loop.continue", descriptor: expect.stringContaining("cat same.md") },
      ]);
      const [refused] = house.of("tool.failed");
      expect(refused?.errorKind).toBe("permission-denied");
      expect(refused?.modelText).toStartWith("The user refused: read the other file\n");
      expect(refused?.modelText).toContain("the third identical call in a row");
      expect(house.of("tool.completed")).toHaveLength(3); // the fourth follows another result, so it is no repetition
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("goes on when the user says so, and asks again at the next", async () => {
    await inHouse({ script, files, flags: { permissionMode: "ask" }, somebodyToAsk: true }, async (house) => {
      answering(house, { decision: "once" }, { decision: "once" });
      await house.say("loop");
      expect(house.of("permission.requested").map(({ capability }) => capability)).toEqual([
        "loop.continue",
        "loop.continue",
      ]);
      expect(house.of("tool.completed")).toHaveLength(4);
    });
  });

  test("is stopped when nobody can be asked", async () => {
    await inHouse({ script, files, flags: { permissionMode: "ask" } }, async (house) => {
      await house.say("loop");
      expect(house.of("tool.failed")).toMatchObject([{ errorKind: "permission-denied" }]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("goes on in bypass mode without a question", async () => {
    await inHouse({ script, files }, async (house) => {
      await house.say("loop");
      expect(house.of("permission.requested")).toEqual([]);
      expect(house.of("tool.completed")).toHaveLength(4);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("can be stopped while it is asked about", async () => {
    await inHouse({ script, files, flags: { permissionMode: "ask" }, somebodyToAsk: true }, async (house) => {
      const asked = house.next("permission.requested");
      house.submit("loop");
      await asked;
      house.interrupt();
      await house.settled();
      expect(house.of("tool.cancelled")).toHaveLength(1);
      expect(house.engine.session.state().turn).toMatchObject({ phase: "interrupted", pending: [], permissions: [] });
    });
  });
});

test("Esc between the approval of a write and its start leaves the file as it was", async () => {
  const script = sequence([turn(read("a.md")), turn({ type: "tool_use", name: "edit", input: EDIT }), say("Fine.")]);
  for (const moment of ["tool.approved", "tool.started"] as const) {
    await inHouse({ script, files: { "a.md": "before\n" } }, async (house) => {
      const reached = house.next(moment, ({ seq }) => seq > 10);
      house.submit("edit");
      await reached;
      house.interrupt();
      await house.settled();
      expect(readFileSync(join(house.cwd, "a.md"), "utf8")).toBe("before\n");
      expect(house.of("tool.cancelled")).toHaveLength(1);
    });
  }
});

const EDIT = { file_path: "a.md", old_string: "before", new_string: "after" };
