/** What commands change is recorded as changes to files, and the verification gate answers for them. */
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/shared/index.ts";
import { sequence } from "../../src/simulator/index.ts";
import { CHECK, done, FILES, gate, inProject, look, repair, run } from "./add-project.ts";
import { bash, call, type Driven, edit, inHouse, turn } from "./driving.ts";
import { dieBefore } from "./dying.ts";

const RIGHT = "add() { echo $(($1 + $2)); }\n";
const FIX = "sed -i 's/ - / + /' add.sh";

/** Each change in a line: how, what, and by which command. */
const changes = (house: Driven): readonly string[] =>
  house
    .of("file.modified")
    .map(({ path, operation, toolUseId }) => `${operation} ${path}${toolUseId ? "" : " (gate)"}`);

function commitAll(house: Driven): void {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: house.cwd,
      env: { PATH: process.env.PATH, HOME: house.home, GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "x");
}

describe("a command that changes a file", () => {
  test("leaves its diff, both hashes and the content before, under git as without it", async () => {
    for (const prepare of [commitAll, () => undefined]) {
      await inProject([turn(bash(FIX)), done], async (house) => {
        prepare(house);
        await run(house);
        const [change] = house.of("file.modified");
        const [requested] = house.of("tool.requested");
        expect(change).toEqual({
          path: "add.sh",
          operation: "exec",
          diffStats: { added: 1, removed: 1 },
          diff: `--- add.sh\n+++ add.sh\n@@ -1,1 +1,1 @@\n-${FILES["add.sh"]}+${RIGHT}`,
          toolUseId: requested?.toolUseId ?? "",
          beforeSha256: sha256(FILES["add.sh"]),
          afterSha256: sha256(RIGHT),
          mode: statSync(join(house.cwd, "add.sh")).mode & 0o777, // as the umask has it
        });
        const before = await house.engine.session.blobs.get(sha256(FILES["add.sh"]));
        expect(Buffer.from(before ?? []).toString()).toBe(FILES["add.sh"]);
      });
    }
  });

  test("is a change to code: the gate wants it proven, and the result names the file", async () => {
    await inProject([turn(bash(FIX)), done], async (house) => {
      const result = await run(house);
      expect(gate(house)).toEqual(["withheld 1", "khaelor sh test.sh: 0", "completed"]);
      expect(result).toMatchObject({ exit_code: 0, verified: true, changed_files: ["add.sh"] });
    });
  });

  test("makes what the model knows of it stale, and a read makes it good", async () => {
    const turns = [
      look,
      turn(bash(FIX)),
      turn(edit("add.sh", "+", "*")),
      look,
      turn(edit("add.sh", "+", "*")),
      done,
      done,
      done,
    ];
    await inProject(turns, async (house) => {
      await house.say("go");
      expect(house.of("tool.failed").map(({ modelText }) => modelText)).toEqual([
        "Nothing was edited (stale). add.sh was changed on disk since you last saw it: read it again, then edit.",
      ]);
      expect(changes(house)).toEqual(["exec add.sh", "edit add.sh"]);
    });
  });

  test("and fails, is killed by its time limit, or is interrupted, has changed it all the same", async () => {
    const late = call("bash", { command: `${FIX}; sleep 60`, timeout_ms: 300 });
    for (const last of [turn(bash(`${FIX}; exit 3`)), turn(late)]) {
      await inProject([last, done, done], async (house) => {
        await house.say("go");
        expect(changes(house)).toEqual(["exec add.sh"]);
      });
    }
    await inProject([turn(bash(`${FIX}; echo done; sleep 60`)), done], async (house) => {
      const shown = house.next("tool.output", ({ payload }) => payload.chunk.includes("done"));
      house.submit("go");
      await shown;
      house.interrupt();
      await house.settled();
      expect(house.types().slice(-3)).toEqual(["user.interrupted", "file.modified", "tool.cancelled"]);
      expect(changes(house)).toEqual(["exec add.sh"]);
    });
  });

  test("in the background, by a process that is given a line, is seen as well", async () => {
    const turns = [
      turn(call("process", { action: "start", command: "sh", wait: 0 })),
      turn(call("process", { action: "write", id: "p1", input: `${FIX}; echo fixed\n`, wait: 30 })),
      done,
      done,
    ];
    await inProject(turns, async (house) => {
      await house.say("go");
      expect(changes(house)).toEqual(["exec add.sh"]);
    });
  });
});

describe("a command that is known to only read", () => {
  test("costs no look at the project", async () => {
    await inProject([turn(bash("cat add.sh | head -3; ls -la")), turn(bash("true")), done], async (house) => {
      await house.say("go");
      expect(house.of("tool.started").map(({ picture }) => picture)).toEqual([undefined, undefined]);
    });
  });
});

describe("a check that writes files itself", () => {
  const leaving = (extra: string) => ({ ...FILES, "test.sh": `${extra}\n${CHECK}` });

  test("run by the model, covers what it wrote: nothing is run again", async () => {
    await inProject(
      [look, repair, turn(bash("sh test.sh")), done],
      async (house) => {
        expect(await run(house)).toMatchObject({
          exit_code: 0,
          verified: true,
          changed_files: ["add.sh", "shot.snap"],
        });
        expect(changes(house)).toEqual(["edit add.sh", "exec shot.snap"]);
        expect(gate(house)).toEqual(["tool sh test.sh: 0", "completed"]);
      },
      { files: leaving("date +%N > shot.snap") },
    );
  });

  test("run by the gate, is recorded and is not run again, whatever it writes each time", async () => {
    await inProject(
      [look, repair, done, turn(bash("echo more >> other.sh")), done],
      async (house) => {
        expect(await run(house)).toMatchObject({ exit_code: 0, verified: true });
        expect(changes(house)).toEqual(["edit add.sh", "exec shot.snap (gate)"]);
        expect(await run(house)).toMatchObject({ exit_code: 0, verified: true });
        expect(gate(house)).toEqual([
          ...["withheld 1", "khaelor sh test.sh: 0", "completed"],
          ...["withheld 1", "khaelor sh test.sh: 0", "completed"],
        ]);
      },
      { files: leaving("date +%N > shot.snap") },
    );
  });

  test("and leaves only caches and coverage changes no code: without another change there is nothing to prove", async () => {
    const command =
      "mkdir -p __pycache__ coverage; echo 1 >__pycache__/a.pyc; echo 1 >coverage/lcov.info; echo 1 >.coverage";
    await inProject([turn(bash(command)), done], async (house) => {
      expect(await run(house)).toMatchObject({ exit_code: 0, checks: [] });
      expect(gate(house)).toEqual(["completed"]);
    });
  });
});

describe("after a crash", () => {
  const command = `${FIX}; echo new > made.sh; rm README.md`;

  test("what a command had changed is found by the picture that was kept before it, and only once", async () => {
    for (const prepare of [commitAll, () => undefined]) {
      await inHouse({ script: sequence([turn(bash(command)), done, done]), files: FILES }, async (house) => {
        prepare(house);
        await dieBefore(house, "file.modified", () => house.submit("go"));
        const recorded = house.engine.session.state().files.changes;
        expect(
          Object.values(recorded).map(({ path, firstBeforeSha256, lastAfterSha256 }) => [
            path,
            firstBeforeSha256,
            lastAfterSha256,
          ]),
        ).toEqual([
          ["README.md", sha256(FILES["README.md"]), null],
          ["add.sh", sha256(FILES["add.sh"]), sha256(RIGHT)],
          ["made.sh", null, sha256("new\n")],
        ]);
        await house.reopen();
        expect(recorded["add.sh"]?.operations).toBe(1);
      });
    }
  });

  test("a file that write had made is found by its content", async () => {
    const made = call("write", { file_path: "made.sh", content: "new\n" });
    await inHouse({ script: sequence([turn(made), done, done]), files: FILES }, async (house) => {
      await dieBefore(house, "file.modified", () => house.submit("go"));
      expect(house.engine.session.state().files.changes).toMatchObject({
        "made.sh": { operations: 1, lastAfterSha256: sha256("new\n") },
      });
    });
  });
});

test("a command that changes more files than are told one by one leaves the number of the others", async () => {
  const command = "mkdir many; for n in $(seq 230); do echo $n >many/$n.md; done";
  await inProject([turn(bash(command)), done], async (house) => {
    const { changed_files: files, issues } = await run(house);
    expect(files).toHaveLength(200);
    expect(issues).toEqual(["Commands may have changed 30 more files that changed_files does not name."]);
    expect(house.of("file.modified").filter(({ unlisted }) => unlisted !== undefined)).toMatchObject([
      { unlisted: 30 },
    ]);
  });
});
