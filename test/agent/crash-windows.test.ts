/**
 * The program dies between two lines of its log, and a resume goes on from exactly there: no question is lost, taken for
 * another or asked without need, no attempt is counted twice, and nothing is said to the model that is not so.
 */
import { describe, expect, test } from "bun:test";
import type { DurableEvent } from "../../src/shared/index.ts";
import { type ScriptedTurn, type ScriptRequest, sequence } from "../../src/simulator/index.ts";
import { bash, type Driven, edit, inHouse, read, say, sent, turn } from "./driving.ts";
import { dieBehind } from "./dying.ts";

/** Under which permission mode each run of the session went on: the log explains what was allowed. */
async function modes(house: Driven): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const event of house.engine.store.read(house.engine.session.id)) {
    if ("opaque" in event) continue;
    if (event.type === "session.started" || event.type === "session.resumed") found.push(event.payload.permissionMode);
  }
  return found;
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
      expect(await modes(house)).toEqual(["ask", "ask", "bypass"]);
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
