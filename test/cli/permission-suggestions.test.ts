/** Which rules would have spared questions: counted from logs, those asked most first. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suggestedRules } from "../../src/cli/permission-suggestions.ts";
import { createSessionStore } from "../../src/session/index.ts";
import { idSource, type Payload, silentLogger, systemClock } from "../../src/shared/index.ts";

const STARTED = {
  title: "",
  projectHash: "0123456789abcdef",
  workingDirectory: "/project",
  gitBranch: null,
  model: "m",
  auxModel: "m",
  khaelorVersion: "0",
};

type Source = Payload<"permission.denied">["source"];

test("questions are counted over sessions by the rule that they suggested, with their answers", async () => {
  const home = mkdtempSync(join(tmpdir(), "khaelor-suggestions-"));
  const { now } = systemClock;
  const store = createSessionStore({ home, now, newId: idSource(now), price: () => 0, logger: silentLogger });
  try {
    for (const answers of [["granted", "policy"], ["user", "granted"], []] as const) {
      const session = await store.create(STARTED);
      const ask = (id: string, pattern?: string) =>
        session.publish({
          type: "permission.requested",
          payload: {
            permissionRequestId: id,
            capability: "process.execute",
            descriptor: `Run ${pattern}`,
            ...(pattern !== undefined && { suggestion: { capability: "process.execute", pattern } }),
          },
        });
      for (const [at, answer] of answers.entries()) {
        const permissionRequestId = `q${at}`;
        ask(permissionRequestId, "npm test *");
        if (answer === "granted") {
          session.publish({ type: "permission.granted", payload: { permissionRequestId, scope: "once" } });
        } else {
          const source: Source = answer;
          session.publish({ type: "permission.denied", payload: { permissionRequestId, source, feedback: "no" } });
        }
      }
      ask("open", "make *");
      ask("without a rule");
      await session.close();
    }
    const rule = { capability: "process.execute" };
    expect(await suggestedRules(store, STARTED.projectHash)).toEqual([
      { ...rule, pattern: "npm test *", asked: 4, allowed: 2, refused: 1 },
      { ...rule, pattern: "make *", asked: 3, allowed: 0, refused: 0 },
    ]);
    expect(await suggestedRules(store, "fedcba9876543210")).toEqual([]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
