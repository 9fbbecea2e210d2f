/** What counts as evidence: the model's own run of a check, when it is one, and what is said where there is none. */
import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Flags } from "../../src/cli/settings.ts";
import { sha256 } from "../../src/shared/index.ts";
import { done, gate, inProject, look, repair, repairWorse, run, WRONG, worsen } from "./add-project.ts";
import { bash, edit, read, turn } from "./driving.ts";

describe("the model's own run of the check", () => {
  const recognised = ["sh test.sh", "sh ./test.sh", "cd . && sh test.sh", "true && sh test.sh"];
  for (const command of recognised) {
    test(`\`${command}\` is evidence`, async () => {
      await inProject([look, repair, turn(bash(command)), done], async (house) => {
        expect(await run(house)).toMatchObject({ exit_code: 0, verified: true });
        expect(gate(house)).toEqual([`tool ${command}: 0`, "completed"]);
        expect(house.of("verify.result")[0]).toMatchObject({
          summary: "1 passed, 0 failed",
          toolUseId: expect.any(String),
        });
      });
    });
  }

  const notProof = [
    "sh test.sh | tail -1",
    "sh test.sh || true",
    "sh test.sh; true",
    "sh test.sh & wait",
    "sh -n test.sh",
  ];
  for (const command of notProof) {
    test(`\`${command}\` proves nothing, for its exit code is another's`, async () => {
      await inProject([look, repair, turn(bash(command)), done], async (house) => {
        expect(await run(house)).toMatchObject({ exit_code: 0, verified: true });
        expect(gate(house)).toEqual(["withheld 1", "khaelor sh test.sh: 0", "completed"]);
      });
    });
  }

  const elsewhere = [
    "mkdir ../other && echo exit 0 > ../other/test.sh && cd ../other && sh test.sh",
    "mkdir lower && echo exit 0 > lower/test.sh && cd lower && sh test.sh",
  ];
  for (const command of elsewhere) {
    test(`\`${command}\` proves nothing, for it is another check`, async () => {
      await inProject([look, repair, turn(bash(command)), done], async (house) => {
        expect(await run(house)).toMatchObject({ exit_code: 0, verified: true });
        expect(gate(house)).toEqual(["withheld 1", "khaelor sh test.sh: 0", "completed"]);
      });
    });
  }

  test("in a folder of the project is recorded there", async () => {
    const command = "cd lower && ./node_modules/.bin/jest";
    await inProject([look, repair, turn(bash(command)), done], async (house) => {
      const folder = join(house.cwd, "lower/node_modules/.bin");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "jest"), "#!/bin/sh\necho 1 passed\n", { mode: 0o755 });
      expect(await run(house)).toMatchObject({ verified: true });
      expect(house.of("verify.result")).toMatchObject([{ cwd: join(house.cwd, "lower"), exitCode: 0 }]);
    });
  });

  test("red, is told to the model once, and not run again before it has changed something", async () => {
    await inProject([look, worsen, turn(bash("sh test.sh")), done, repairWorse, done], async (house) => {
      expect(await run(house)).toMatchObject({ exit_code: 0, verified: true });
      expect(gate(house)).toEqual([
        "tool sh test.sh: 3",
        "withheld 1",
        "nudge",
        "withheld 2",
        "khaelor sh test.sh: 0",
        "completed",
      ]);
    });
  });

  test("red, is told to whoever asked for it, also where nothing was changed", async () => {
    await inProject([turn(bash("sh test.sh")), done], async (house) => {
      const issues = ["`sh test.sh` fails with exit code 3."];
      expect(await run(house)).toMatchObject({ exit_code: 6, verified: false, changed_files: [], issues });
      expect(gate(house)).toEqual(["tool sh test.sh: 3", "completed"]);
    });
  });

  test("is stale after an edit, also one of the same answer", async () => {
    const both = turn(edit("add.sh", "$1 - $2", "$1 + $2"), bash("sh test.sh"), edit("add.sh", "$1 + $2", "$2 + $1"));
    await inProject([look, both, done], async (house) => {
      expect(await run(house)).toMatchObject({ exit_code: 0, verified: true });
      expect(gate(house)).toEqual(["tool sh test.sh: 0", "withheld 1", "khaelor sh test.sh: 0", "completed"]);
    });
  });
});

describe("a green check over bytes that are no longer there", () => {
  const behind = (command: string) => [look, repair, turn(bash("sh test.sh")), turn(bash(command)), done];

  test("proves nothing: what a command did to the changed file is recorded, and the check runs again", async () => {
    await inProject(behind("echo '# added' >> add.sh"), async (house) => {
      expect(await run(house)).toMatchObject({ exit_code: 0, verified: true, changed_files: ["add.sh"] });
      expect(gate(house)).toEqual(["tool sh test.sh: 0", "withheld 1", "khaelor sh test.sh: 0", "completed"]);
      const [edited, appended] = house.of("file.modified");
      expect(appended).toMatchObject({ path: "add.sh", operation: "exec", beforeSha256: edited?.afterSha256 });
    });
  });

  test("proves nothing: what the command broke comes back", async () => {
    const turns = [...behind("echo 'add() { echo 0; }' >> add.sh"), done, done];
    await inProject(turns, async (house) => {
      expect(await run(house)).toMatchObject({ exit_code: 6, verified: false });
      expect(gate(house).slice(0, 4)).toEqual(["tool sh test.sh: 0", "withheld 1", "khaelor sh test.sh: 3", "nudge"]);
    });
  });

  test("is one thing, a red check another: it stays red whatever else changes", async () => {
    await inProject([look, worsen, done, done, done], async (house) => {
      const red = ["`sh test.sh` fails with exit code 3."];
      const file = join(house.cwd, "add.sh");
      house.engine.session.bus.on("task.verification-requested", ({ payload }) => {
        if (payload.attempt === 2) appendFileSync(file, "# by somebody else\n");
      });
      expect(await run(house)).toMatchObject({ exit_code: 6, verified: false, issues: red });
    });
  });

  const REPLACED: readonly (readonly [what: string, by: (path: string) => void, hash: null | undefined])[] = [
    ["a folder", (path) => mkdirSync(path), null],
    ["a link to itself, which nobody can read", (path) => symlinkSync(path, path), undefined],
  ];
  for (const [what, by, hash] of REPLACED) {
    test(`proves nothing where the file has become ${what}`, async () => {
      await inProject([look, repair, turn(bash("sh test.sh")), done, done, done], async (house) => {
        const file = join(house.cwd, "add.sh");
        const stop = house.engine.session.bus.on("verify.result", () => {
          stop();
          rmSync(file);
          by(file);
        });
        expect(await run(house)).toMatchObject({ exit_code: 6, verified: false });
        expect(house.of("file.modified").at(-1)?.afterSha256).toBe(hash);
      });
    });
  }

  test("proves nothing where no answer looked at the files again: the run was out of requests", async () => {
    const flags: Flags = { permissionMode: "bypass", limits: { maxTurns: 3 } };
    await inProject(
      [look, repair, turn(bash("sh test.sh")), done],
      async (house) => {
        const checks = [expect.objectContaining({ command: "sh test.sh", exitCode: 0 })];
        expect(await run(house)).toMatchObject({ status: "failed", exit_code: 7, checks, verified: false });
      },
      { flags },
    );
  });

  test("a check that itself changes the file is not run for ever", async () => {
    const files = { "add.sh": WRONG, "test.sh": "echo '# checked' >> add.sh; echo '1 passed, 0 failed'\n" };
    await inProject(
      [look, repair, done],
      async (house) => {
        expect(await run(house)).toMatchObject({ status: "completed" });
        expect(gate(house)).toEqual([
          "withheld 1",
          "khaelor sh test.sh: 0",
          "withheld 2",
          "khaelor sh test.sh: 0",
          "completed",
        ]);
      },
      { files },
    );
  });

  test("proves nothing after the last attempt either, and is not repeated for a file that never rests", async () => {
    await inProject([look, repair, done], async (house) => {
      const file = join(house.cwd, "add.sh");
      house.engine.session.bus.on("verify.result", () => appendFileSync(file, "# by somebody else\n"));
      const issues = ["Not verified: files changed after the check ran."];
      expect(await run(house)).toMatchObject({ exit_code: 0, verified: false, checks: [], issues });
      expect(gate(house)).toEqual([
        "withheld 1",
        "khaelor sh test.sh: 0",
        "withheld 2",
        "khaelor sh test.sh: 0",
        "completed",
      ]);
      expect(house.of("file.modified").at(-1)?.afterSha256).toBe(sha256(readFileSync(file)));
      expect(house.of("task.completed")[0]?.evidence).toMatchObject({ checks: [], unresolvedIssues: issues });
    });
  });

  test("proves nothing either when the file is gone", async () => {
    const turns = [...behind("rm add.sh"), done, done];
    await inProject(turns, async (house) => {
      expect(await run(house)).toMatchObject({ exit_code: 6, verified: false });
      expect(house.of("file.modified").at(-1)).toMatchObject({ operation: "exec", afterSha256: null });
    });
  });
});

describe("no check", () => {
  test("is needed for documentation, nor after one was green", async () => {
    const words = turn(edit("README.md", "# add", "# Adding"));
    await inProject([turn(read("README.md")), words, done], async (house) => {
      expect(await run(house)).toMatchObject({
        exit_code: 0,
        verified: false,
        changed_files: ["README.md"],
        issues: [],
      });
      expect(gate(house)).toEqual(["completed"]);
    });
    const after = [turn(read("add.sh"), read("README.md")), repair, turn(bash("sh test.sh")), words, done];
    await inProject(after, async (house) => {
      expect(await run(house)).toMatchObject({ exit_code: 0, verified: true });
      expect(gate(house)).toEqual(["tool sh test.sh: 0", "completed"]);
    });
  });

  test("is found: the answer goes out and says so", async () => {
    await inProject(
      [look, repair, done],
      async (house) => {
        const issues = ["Not verified: no test command that can run here was found in this project."];
        expect(await run(house)).toMatchObject({ status: "completed", verified: false, issues });
        expect(house.of("task.verification-requested")).toMatchObject([{ attempt: 1, detectedChecks: [] }]);
        expect(gate(house)).toEqual(["withheld 1", "completed"]);
      },
      { files: { "add.sh": WRONG } },
    );
  });

  test("is left after the last nudge: the answer goes out and says so", async () => {
    const remove = turn(edit("add.sh", "$1 / $2", "$1 + $2"), bash("rm test.sh"));
    const turns = [look, worsen, done, turn(edit("add.sh", "$1 * $2", "$1 / $2")), done, remove, done];
    await inProject(turns, async (house) => {
      expect(await run(house)).toMatchObject({
        status: "completed",
        verified: false,
        issues: ["Not verified: no test command that can run here was found in this project."],
      });
    });
  });

  const ask: Flags = { permissionMode: "accept-edits" };
  const notAllowed = ["Not verified: `sh test.sh` was not allowed to run."];

  test("may run, says a rule: the answer goes out and says so", async () => {
    const flags: Flags = { permissions: [{ capability: "process.execute", pattern: "sh *", action: "deny" }] };
    await inProject(
      [look, repair, done],
      async (house) => {
        expect(await run(house)).toMatchObject({
          status: "completed",
          verified: false,
          issues: notAllowed,
          pending: {},
        });
        expect(house.of("verify.result")).toEqual([]);
      },
      { flags },
    );
  });

  test("may run with nobody to ask: exit code 4", async () => {
    await inProject(
      [look, repair, done],
      async (house) => {
        expect(await run(house)).toMatchObject({
          exit_code: 4,
          verified: false,
          issues: [expect.stringContaining("nobody was there to ask"), ...notAllowed],
          pending: {},
        });
      },
      { flags: ask },
    );
  });

  test("may run, says the user", async () => {
    await inProject(
      [look, repair, done],
      async (house) => {
        const asked = house.next("permission.requested");
        house.submit("fix add");
        const { permissionRequestId: requestId } = (await asked).payload;
        house.engine.agent.dispatch({ kind: "permission-response", requestId, decision: "deny" });
        await house.settled();
        expect(house.of("task.completed")[0]?.evidence.unresolvedIssues).toEqual(notAllowed);
      },
      { flags: ask, somebodyToAsk: true },
    );
  });
});
