/** The gate through the house: a change to code is proven by the project's own check, or the answer says that it is not. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import { CHECK, done, FILES, gate, inProject, look, repair, repairWorse, run, WRONG, worsen } from "./add-project.ts";
import { edit, lastSaid, say, sent, turn } from "./driving.ts";
import { engineIn } from "./engines.ts";

/** Resolves when a file of this name has been made in the folder. */
const appearance = (folder: string, name: string): Promise<void> =>
  new Promise((resolve) => {
    const watcher = watch(folder, (_kind, file) => {
      if (file !== name) return;
      watcher.close();
      resolve();
    });
  });

describe("a change to code", () => {
  test("is proven by the project's own check, with its real exit code", async () => {
    await inProject([look, repair, done], async (house) => {
      const result = await run(house);
      expect(gate(house)).toEqual(["withheld 1", "khaelor sh test.sh: 0", "completed"]);
      const [withheld] = house.of("task.verification-requested");
      const answer = house.events.findLast(({ type }) => type === "model.text-block-completed");
      expect(withheld?.withheldCandidateSeq).toBe(answer?.seq ?? 0);
      const check = {
        command: "sh test.sh",
        exitCode: 0,
        summary: "1 passed, 0 failed",
        durationMs: expect.any(Number),
      };
      expect(house.of("task.completed")).toEqual([
        { evidence: { objective: "fix add", changedFiles: ["add.sh"], checks: [check], unresolvedIssues: [] } },
      ]);
      expect(result).toMatchObject({
        status: "completed",
        exit_code: 0,
        result: "Done.",
        verified: true,
        changed_files: ["add.sh"],
        checks: [check],
        issues: [],
      });
    });
  });

  test("that fails it comes back with what the check printed, is repaired, and is proven", async () => {
    await inProject([look, worsen, done, repairWorse, say("Repaired.")], async (house) => {
      const result = await run(house);
      expect(gate(house)).toEqual([
        "withheld 1",
        "khaelor sh test.sh: 3",
        "nudge",
        "withheld 2",
        "khaelor sh test.sh: 0",
        "completed",
      ]);
      const [nudge = ""] = lastSaid(house, 3);
      expect(nudge).toContain("`sh test.sh` fails with exit code 3");
      expect(nudge).toContain("got 6\n0 passed, 1 failed");
      expect(house.of("model.request-started").map(({ purpose }) => purpose)).toEqual([
        "main",
        "main",
        "main",
        "verification-nudge",
        "verification-nudge",
      ]);
      expect(result).toMatchObject({ exit_code: 0, verified: true, result: "Repaired." });
    });
  });

  test("that fails it twice goes out with the failure named, and exit code 6", async () => {
    await inProject([look, worsen, done, say("It should work."), say("It does work.")], async (house) => {
      const result = await run(house);
      expect(gate(house)).toEqual(["withheld 1", "khaelor sh test.sh: 3", "nudge", "withheld 2", "nudge", "completed"]);
      expect(house.of("task.completed")[0]?.evidence).toMatchObject({
        checks: [{ command: "sh test.sh", exitCode: 3, summary: "0 passed, 1 failed" }],
        unresolvedIssues: ["`sh test.sh` fails with exit code 3."],
      });
      expect(result).toMatchObject({
        status: "completed",
        exit_code: 6,
        result: "It does work.",
        verified: false,
        issues: ["`sh test.sh` fails with exit code 3."],
      });
    });
  });

  test("that is changed again after the last nudge is looked at once more, and no further", async () => {
    const back = turn(edit("add.sh", "$1 + $2", "$1 * $2"));
    const turns = [look, worsen, done, turn(edit("add.sh", "$1 * $2", "$1 / $2")), done];
    await inProject([...turns, turn(edit("add.sh", "$1 / $2", "$1 + $2")), done, back], async (house) => {
      expect(await run(house)).toMatchObject({ exit_code: 0, verified: true });
      expect(gate(house).slice(3)).toEqual([
        "withheld 2",
        "khaelor sh test.sh: 3",
        "nudge",
        "khaelor sh test.sh: 0",
        "completed",
      ]);
    });
  });

  test("is proven anew in each turn", async () => {
    await inProject([look, repair, done, say("Nothing to do."), done], async (house) => {
      await house.say("fix add");
      await house.say("anything else?");
      expect(gate(house)).toEqual(["withheld 1", "khaelor sh test.sh: 0", "completed", "completed"]);
    });
  });
});

describe("a check", () => {
  test("that is stopped records nothing, and runs when the turn goes on, as the same attempt", async () => {
    const slow = { ...FILES, "test.sh": `echo running > running.md; [ -e fast ] || sleep 60\n${CHECK}` };
    await inProject(
      [look, repair, done, say("Still done.")],
      async (house) => {
        const running = appearance(house.cwd, "running.md");
        house.submit("fix add");
        await running;
        house.interrupt();
        await house.settled();
        expect(house.of("verify.result")).toEqual([]);
        expect(house.types().slice(-2)).toEqual(["user.interrupted", "file.modified"]); // what it did is recorded all the same
        writeFileSync(join(house.cwd, "fast"), "");
        expect(house.engine.agent.resume()).toBe(true);
        await house.settled();
        expect(gate(house)).toEqual(["withheld 1", "nudge", "khaelor sh test.sh: 0", "completed"]);
      },
      { files: slow },
    );
  });

  test("that is asked about when the user stops the turn leaves no question open", async () => {
    await inProject(
      [look, repair, done, say("Fine.")],
      async (house) => {
        const asked = house.next("permission.requested");
        house.submit("fix add");
        await asked;
        house.interrupt();
        await house.settled();
        expect(house.engine.session.state().turn.permissions).toEqual([]);
        expect(house.engine.session.state().meta.pendingApprovals).toBe(0);
        await house.say("leave it");
        expect(sent(house).at(-1)?.content).toMatchObject([{ text: "leave it" }]);
      },
      { flags: { permissionMode: "accept-edits" }, somebodyToAsk: true },
    );
  });

  test("runs where it was found, wherever in the project the user stands", async () => {
    await inProject([look, repair, done], async (house) => {
      const cwd = join(house.cwd, "lib");
      mkdirSync(join(house.cwd, ".git"));
      writeFileSync(join(house.cwd, ".git", "HEAD"), "ref: refs/heads/main\n");
      mkdirSync(cwd);
      writeFileSync(join(cwd, "add.sh"), WRONG);
      writeFileSync(join(house.cwd, "test.sh"), `cd lib\n${CHECK}`);
      const places = { home: house.home, userHome: dirname(house.cwd), cwd };
      const engine = await engineIn(house, { places });
      try {
        const watch = watchRun(engine.session, () => 0);
        const end = await runHeadless(engine, { prompt: "fix add", onEvent: watch.onEvent });
        expect(watch.finish(end)).toMatchObject({
          exit_code: 0,
          verified: true,
          checks: [{ command: "sh test.sh", exitCode: 0 }],
        });
      } finally {
        await engine.close();
      }
    });
  });

  test("does not keep the user's words waiting longer than it runs", async () => {
    await inProject([look, repair, done, say("Also done.")], async (house) => {
      const requested = house.next("task.verification-requested");
      house.submit("fix add");
      await requested;
      house.submit("and use tabs");
      await house.settled();
      expect(lastSaid(house)).toEqual(["text: and use tabs"]);
      expect(gate(house)).toEqual(["withheld 1", "khaelor sh test.sh: 0", "completed"]);
    });
  });
});
