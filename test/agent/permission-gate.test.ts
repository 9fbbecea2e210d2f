/** The gate over a real session and a real evaluator: one decision over everything that a call touches. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createPermissionGate } from "../../src/agent/index.ts";
import { createEvaluator } from "../../src/permissions/index.ts";
import { type Access, idSource, type PermissionRule } from "../../src/shared/index.ts";
import { type House, openHouse } from "../support/house.ts";
import { say } from "./driving.ts";

const never = new AbortController().signal;

async function withGate(
  rules: readonly PermissionRule[],
  run: (gate: ReturnType<typeof createPermissionGate>, house: House) => Promise<void>,
): Promise<void> {
  const house = await openHouse({ script: () => say("never asked") });
  const evaluator = createEvaluator({
    home: "/nonexistent",
    stateFolder: house.home,
    projectRoot: house.cwd,
    mode: "ask",
    rules,
    resolvePath: (path) => path,
  });
  const newId = idSource(() => 1_765_500_000_000);
  try {
    await run(createPermissionGate({ session: house.engine.session, evaluator, somebodyToAsk: false, newId }), house);
  } finally {
    await house.close();
  }
}

const reading = (house: House): Access => ({ kind: "path", op: "read", path: join(house.cwd, "a.ts") });
const writing = (house: House): Access => ({ kind: "path", op: "write", path: join(house.cwd, "a.ts") });
const running = (house: House, command: string): Access => ({ kind: "command", command, cwd: house.cwd });

describe("the gate", () => {
  test("lets a call pass that touches nothing", async () => {
    await withGate([], async (gate, house) => {
      expect(await gate.authorize([], "call", never)).toEqual({ allowed: true, via: "policy-allow" });
      expect(house.events).toEqual([]);
    });
  });

  test("takes the strictest verdict over everything that a call touches, wherever it stands", async () => {
    const deny: PermissionRule = { capability: "process.execute", pattern: "make *", action: "deny" };
    await withGate([deny], async (gate, house) => {
      const all = [reading(house), writing(house), running(house, "make all")];
      for (const accesses of [all, [...all].reverse()]) {
        const answer = await gate.authorize(accesses, "call", never);
        expect(answer).toMatchObject({ allowed: false, feedback: expect.stringContaining("make all") });
      }
      expect(house.types()).toEqual(["permission.denied", "permission.denied"]);
      const asked = await gate.authorize(all.slice(0, 2), "call", never);
      expect(asked).toMatchObject({ allowed: false, feedback: expect.stringContaining("nobody is there") });
      expect(await gate.authorize(all.slice(0, 1), "call", never)).toEqual({ allowed: true, via: "policy-allow" });
    });
  });

  test("says which denials no rule can lift", async () => {
    await withGate([], async (gate, house) => {
      await gate.authorize([running(house, "rm -rf /")], "call", never);
      expect(house.events.at(-1)?.payload).toMatchObject({ source: "hardline" });
    });
  });

  test("records the request of a check of its own that a rule denies, and of a call's only when somebody could answer", async () => {
    const deny: PermissionRule = { capability: "process.execute", pattern: "make *", action: "deny" };
    await withGate([deny], async (gate, house) => {
      await gate.authorize([running(house, "make test")], undefined, never);
      expect(house.types()).toEqual(["permission.requested", "permission.denied"]);
    });
  });

  test("asks nothing for a turn that is over", async () => {
    await withGate([], async (gate, house) => {
      const answer = await gate.authorize([running(house, "make")], undefined, AbortSignal.abort());
      expect([answer.allowed, house.events]).toEqual([false, []]);
    });
  });
});
