/**
 * The program dies between two lines of its log, and a resume goes on from exactly there: no question is lost, taken for
 * another or asked without need, no attempt is counted twice, and nothing is said to the model that is not so.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DurableEvent, DurableType } from "../../src/shared/index.ts";
import { type ScriptedTurn, type ScriptRequest, sequence } from "../../src/simulator/index.ts";
import { bash, type Driven, edit, inHouse, read, say, sent, turn } from "./driving.ts";

/** Ends the program right behind the first event that fits, as far as the log can tell, and opens the session again. */
const dieBehind = <T extends DurableType>(
  house: Driven,
  type: T,
  begin: () => void,
  fits?: (event: DurableEvent<T>) => boolean,
): Promise<void> => die(house, { type, begin, ...(fits && { fits }), lines: (log) => log });

/** Likewise right before it: what led to the event has happened, the event was not written. */
const dieBefore = (house: Driven, type: DurableType, begin: () => void): Promise<void> =>
  die(house, { type, begin, lines: (log) => log.slice(0, -1) });

interface Death<T extends DurableType> {
  readonly type: T;
  readonly begin: () => void;
  readonly fits?: (event: DurableEvent<T>) => boolean;
  /** Which of the lines up to the event were written. */
  readonly lines: (log: readonly string[]) => readonly string[];
}

async function die<T extends DurableType>(
  house: Driven,
  { type, begin, lines, fits = () => true }: Death<T>,
): Promise<void> {
  const { session } = house.engine;
  const reached = new Promise<string>((resolve) => {
    const stop = session.bus.onAny((event) => {
      if (event.type !== type || !("seq" in event) || !fits(event as DurableEvent<T>)) return;
      stop();
      resolve(readFileSync(session.path, "utf8"));
    });
  });
  begin();
  const log = await reached;
  house.interrupt();
  await house.settled();
  await house.engine.close();
  writeFileSync(
    session.path,
    lines(log.trimEnd().split("\n"))
      .map((line) => `${line}\n`)
      .join(""),
  );
  house.events.length = 0;
  await house.reopen();
}

const open = (house: Driven) => house.engine.session.state().turn.permissions;

describe("the question whether a call may repeat itself", () => {
  const asking = { flags: { permissionMode: "ask" }, somebodyToAsk: true } as const;
  const isLoop = ({ payload }: DurableEvent<"permission.requested">) => payload.capability === "loop.continue";

  test("still stands after a crash: the call does not run before it is answered", async () => {
    const again = turn(bash("cat same.md"));
    const script = sequence([again, again, again, say("Enough.")]);
    await inHouse({ ...asking, script, files: { "same.md": "same\n" } }, async (house) => {
      await dieBehind(house, "permission.requested", () => house.submit("loop"), isLoop);
      const [question] = open(house);
      expect(question?.capability).toBe("loop.continue");
      expect(house.engine.agent.resume()).toBe(true);
      for (let tick = 0; tick < 20; tick++) await Promise.resolve(); // a call that is not held back starts within a few
      expect([house.types(), open(house)]).toEqual([[], question ? [question] : []]);
      const requestId = question?.permissionRequestId ?? "";
      house.engine.agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
      await house.settled();
      expect(house.of("permission.requested")).toEqual([]);
      expect(house.of("tool.completed")).toHaveLength(1);
    });
  });

  test("is not the question whether it may run at all", async () => {
    const again = turn(bash("sh same.sh"));
    const script = sequence([again, again, again, say("Enough.")]);
    await inHouse({ ...asking, script, files: { "same.sh": "echo same\n" } }, async (house) => {
      const { agent } = house.engine;
      house.engine.session.bus.on("permission.requested", ({ payload }) => {
        if (payload.capability === "loop.continue") return;
        const { permissionRequestId: requestId } = payload;
        queueMicrotask(() => agent.dispatch({ kind: "permission-response", requestId, decision: "once" }));
      });
      await dieBehind(house, "permission.requested", () => house.submit("loop"), isLoop);
      const requestId = open(house)[0]?.permissionRequestId ?? "";
      const asked = house.next("permission.requested");
      house.engine.agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
      expect((await asked).payload.capability).toBe("process.execute");
      expect(house.of("tool.started")).toEqual([]);
      house.interrupt();
      await house.settled();
    });
  });
});

describe("a call that needs consent", () => {
  const asking = { flags: { permissionMode: "ask" }, somebodyToAsk: true, files: { "a.sh": "echo a\n" } } as const;
  const script = sequence([turn(bash("sh a.sh"), bash("sh a.sh b")), say("I see.")]);

  test("and was refused before the crash is not asked for again: the user's words are its result", async () => {
    await inHouse({ ...asking, script }, async (house) => {
      house.engine.session.bus.on("permission.requested", ({ payload: { permissionRequestId: requestId } }) => {
        const refusal = { kind: "permission-response", requestId, decision: "deny", feedback: "use make" } as const;
        queueMicrotask(() => house.engine.agent.dispatch(refusal));
      });
      await dieBehind(house, "permission.denied", () => house.submit("run"));
      house.engine.agent.resume();
      await house.settled();
      expect(house.of("permission.requested")).toEqual([]);
      expect(sent(house).at(-1)?.content).toMatchObject([
        { type: "tool_result", is_error: true, content: "The user refused: use make" },
        { type: "tool_result", is_error: true },
      ]);
    });
  });

  test("is no open question any more when a policy lets it run after the restart", async () => {
    await inHouse({ ...asking, script }, async (house) => {
      await dieBehind(house, "permission.requested", () => house.submit("run"));
      expect(house.engine.session.state().meta.pendingApprovals).toBe(1);
      await house.reopen({ flags: { permissionMode: "bypass" } });
      house.engine.agent.resume();
      await house.settled();
      expect(house.types().at(-1)).toBe("task.completed");
      expect(house.engine.session.state().meta.pendingApprovals).toBe(0);
    });
  });

  test("is no open question any more when the user stops the turn", async () => {
    await inHouse({ ...asking, script }, async (house) => {
      const asked = house.next("permission.requested");
      house.submit("run");
      await asked;
      house.interrupt();
      await house.settled();
      expect(house.engine.session.state().meta).toMatchObject({ pendingApprovals: 0, lastOutcome: "interrupted" });
    });
  });
});

describe("the gate", () => {
  const files = { "a.sh": "echo one\n", "test.sh": "sh a.sh; exit 1\n" };
  const steps: readonly ScriptedTurn[] = [
    turn(read("a.sh")),
    turn(edit("a.sh", "echo one", "echo two")),
    say("Done."),
    turn(edit("a.sh", "echo two", "echo three")),
    turn(bash("sh test.sh")),
    say("Done again."),
    say("It has nothing to do with my changes."),
  ];

  test("shows the model the output of the run that it speaks of, not of an earlier one", async () => {
    await inHouse({ script: sequence(steps), files }, async (house) => {
      await house.say("count");
      const nudges = house.of("user.message-created").filter(({ by }) => by === "kernel");
      expect(nudges.map(({ text }) => text.split("\n")[2])).toEqual(["two", "three"]);
      expect(house.of("verify.result").map(({ observedFrom }) => observedFrom)).toEqual(["khaelor", "tool"]);
    });
  });

  test("does not count an attempt twice whose check a crash cut", async () => {
    const script = ({ index }: ScriptRequest): ScriptedTurn => steps[Math.min(index, 2)] ?? say("Done.");
    await inHouse({ script, files }, async (house) => {
      await dieBehind(house, "task.verification-requested", () => house.submit("count"));
      house.engine.agent.resume();
      await house.settled();
      expect(house.types().slice(0, 3)).toEqual(["verify.result", "user.message-created", "model.request-started"]);
      expect(house.of("task.verification-requested").map(({ attempt }) => attempt)).toEqual([2]);
    });
  });
});

describe("a file that was written when the program died, before that was recorded", () => {
  const [WRONG, RIGHT] = ["echo wrong", "echo right"];
  const files = { "a.sh": `${WRONG}\n`, "test.sh": "sh a.sh | grep right\n" };
  const change = turn(edit("a.sh", WRONG, RIGHT));

  test("is found by its hash: the change is recorded with its diff, its content before is kept, and it is verified", async () => {
    await inHouse({ script: sequence([turn(read("a.sh")), change, say("Done.")]), files }, async (house) => {
      await dieBefore(house, "file.modified", () => house.submit("repair it"));
      expect(readFileSync(join(house.cwd, "a.sh"), "utf8")).toBe(`${RIGHT}\n`);
      const { session, agent } = house.engine;
      const { changes } = session.state().files;
      expect(changes["a.sh"]).toMatchObject({ operations: 1, diffStats: { added: 1, removed: 1 } });
      const before = await session.blobs.get(changes["a.sh"]?.firstBeforeSha256 ?? "");
      expect(new TextDecoder().decode(before)).toBe(`${WRONG}\n`);
      agent.resume();
      await house.settled();
      expect(house.of("verify.result")).toMatchObject([{ exitCode: 0 }]);
      expect(house.of("task.completed")[0]?.evidence.changedFiles).toEqual(["a.sh"]);
    });
  });

  test("has to be read again before it is edited", async () => {
    const again = turn(edit("a.sh", RIGHT, "echo right # as it should be"));
    await inHouse({ script: sequence([turn(read("a.sh")), change, again, say("Done.")]), files }, async (house) => {
      await dieBefore(house, "file.modified", () => house.submit("repair it"));
      house.engine.agent.resume();
      await house.settled();
      expect(house.of("tool.failed")[0]?.modelText).toContain("read it again");
    });
  });

  test("is recorded once, however often the program dies", async () => {
    await inHouse({ script: sequence([turn(read("a.sh")), change, say("Done.")]), files }, async (house) => {
      await dieBefore(house, "file.modified", () => house.submit("repair it"));
      const { session } = house.engine;
      const log = readFileSync(session.path, "utf8").trimEnd().split("\n");
      await house.engine.close();
      const recorded = log.findIndex((line) => line.includes('"file.modified"'));
      writeFileSync(session.path, `${log.slice(0, recorded + 1).join("\n")}\n`);
      await house.reopen();
      expect(house.engine.session.state().files.changes["a.sh"]?.operations).toBe(1);
    });
  });

  test("that was not written after all is no change", async () => {
    await inHouse({ script: sequence([turn(read("a.sh")), change, say("Done.")]), files }, async (house) => {
      await dieBefore(house, "file.modified", () => house.submit("repair it"));
      const { session } = house.engine;
      const log = readFileSync(session.path, "utf8").trimEnd().split("\n");
      await house.engine.close();
      const started = log.findLastIndex((line) => line.includes('"tool.started"'));
      writeFileSync(session.path, `${log.slice(0, started + 1).join("\n")}\n`);
      writeFileSync(join(house.cwd, "a.sh"), `${WRONG}\n`);
      await house.reopen();
      expect(house.engine.session.state().files.changes).toEqual({});
    });
  });
});

describe("a change that no completion has spoken of", () => {
  const files = { "a.sh": "echo wrong\n", "test.sh": "sh a.sh | grep right\n" };
  const [look, change] = [turn(read("a.sh")), turn(edit("a.sh", "echo wrong", "echo other"))];
  /** Every answer but the first two; the change stays wrong. */
  const script = ({ index }: ScriptRequest): ScriptedTurn => [look, change][index] ?? say("It is done.");
  const evidence = { changedFiles: ["a.sh"], unresolvedIssues: ["`sh test.sh` fails with exit code 1."] };

  test("is proved in the turn that follows a crash, whatever that turn is about", async () => {
    await inHouse({ script, files }, async (house) => {
      await dieBehind(
        house,
        "tool.completed",
        () => house.submit("repair it"),
        ({ payload }) => payload.ui.kind === "edit",
      );
      await house.say("are you done?");
      expect(house.of("task.completed")).toMatchObject([{ evidence }]);
    });
  });

  test("is proved in the turn that follows an interrupt", async () => {
    await inHouse({ script, files }, async (house) => {
      const changed = house.next("file.modified");
      house.submit("repair it");
      await changed;
      house.interrupt();
      await house.settled();
      await house.say("are you done?");
      expect(house.of("task.completed")).toMatchObject([{ evidence }]);
    });
  });

  test("is proved in the turn that follows a failure", async () => {
    const refused = { kind: "http", status: 400 } as const;
    const failing = (request: ScriptRequest): ScriptedTurn =>
      request.index === 2 && !request.lastUserText().includes("done?")
        ? { ...say("never"), fault: refused }
        : script(request);
    await inHouse({ script: failing, files }, async (house) => {
      await house.say("repair it");
      expect(house.types().at(-1)).toBe("task.failed");
      await house.say("are you done?");
      expect(house.of("task.completed")).toMatchObject([{ evidence }]);
    });
  });

  test("is left alone in the turn that follows its completion", async () => {
    await inHouse({ script, files }, async (house) => {
      await house.say("repair it");
      await house.say("thanks");
      expect(house.of("task.completed")[1]?.evidence).toMatchObject({ changedFiles: [], unresolvedIssues: [] });
    });
  });
});
