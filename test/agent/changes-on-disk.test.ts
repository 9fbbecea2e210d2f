/** Changes that a crash, an interrupt or a failure left behind: none is lost, and none goes out unproved. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedTurn, type ScriptRequest, sequence } from "../../src/simulator/index.ts";
import { edit, inHouse, read, say, turn } from "./driving.ts";
import { dieBefore, dieBehind } from "./dying.ts";

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
