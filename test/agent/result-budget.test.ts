/** How long results may be: less each, the more of them one turn has, and never less than is of use. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resultBudget } from "../../src/agent/result-budget.ts";
import { byteLength } from "../../src/shared/index.ts";
import { sequence } from "../../src/simulator/index.ts";
import { bash, call, type Driven, inHouse, read, say, turn } from "./driving.ts";

const KIB = 1024;
const results = (house: Driven) => house.of("tool.completed").map(({ modelText }) => modelText);
/** Calls that use up a turn. */
const FILLED = 26;
const many = "0123456789 and so on until the line is long enough\n".repeat(2000);

describe("the room of a result", () => {
  test("shrinks by halves to 2 KiB while the turn fills up, and stays there", () => {
    const at = (resultBytes: number) => Math.ceil(resultBudget({ resultBytes }).maxBytes / KIB);
    expect([0, 384, 385, 448, 449, 480, 481, 497, 600, 9999].map((kib) => at(kib * KIB))).toEqual([
      32, 32, 16, 16, 8, 8, 4, 2, 2, 2,
    ]);
  });

  test("is told with what may have been cut for it, and only with that", () => {
    const { maxBytes, fit } = resultBudget({ resultBytes: 500 * KIB });
    const cut = fit("x".repeat(maxBytes));
    expect(cut.slice(maxBytes)).toBe(
      "\n[The results of this turn are near their limit of 512 KiB: each may have 2 KiB now. Ask for less at a time.]",
    );
    expect([byteLength(cut), fit("short")]).toEqual([2 * KIB, "short"]);
    const whole = resultBudget({ resultBytes: 0 });
    expect(whole.fit("x".repeat(whole.maxBytes))).toHaveLength(32 * KIB);
  });

  test("is kept by every tool, with its own words for what is left out; the next turn begins anew", async () => {
    const files = { "many.txt": many, "many.sh": "cat many.txt\n" };
    const search = call("grep", { pattern: "and so on", output_mode: "content" });
    const small = [read("many.txt"), search, bash("cat many.txt"), call("glob", { pattern: "**/*" })];
    const start = turn(call("process", { action: "start", command: "cat many.txt", wait: 10 }));
    const fill = Array.from({ length: FILLED }, (_, n) => turn(bash(`cat many.txt # ${n}`)));
    const script = sequence([
      ...fill,
      turn(...small),
      start,
      say("Done."),
      turn(bash("cat many.txt # again")),
      say("Done."),
    ]);
    await inHouse({ script, files }, async (house) => {
      await house.say("fill it");
      const sizes = results(house).map(byteLength);
      expect(Math.max(...sizes.slice(0, 12))).toBeGreaterThan(28 * KIB);
      expect(Math.max(...sizes.slice(FILLED))).toBeLessThanOrEqual(2 * KIB);
      const [lines = "", found = "", printed = "", , background = ""] = results(house).slice(FILLED);
      expect(lines).toMatch(/\[Lines 1-\d+ of 2000\. For more: read \{.*\}\]\n\[The results of this turn are near/);
      expect(found).toContain("near their limit");
      expect(printed).toMatch(/\[… \d+ bytes left out\. The whole output, \d+ bytes, is in .*\.txt/);
      expect(background).toContain("bytes left out");
      const told = house.engine.session.state().turn.resultBytes;
      expect(told).toBe(
        results(house)
          .map(byteLength)
          .reduce((sum, bytes) => sum + bytes),
      );
      await house.say("again");
      expect(byteLength(results(house).at(-1) ?? "")).toBeGreaterThan(28 * KIB);
    });
  });

  test("is counted by the log: a restart in the middle of a turn goes on with what is left", async () => {
    const fill = Array.from({ length: 15 }, (_, n) => turn(bash(`cat many.txt # ${n}`)));
    const script = sequence([...fill, turn(read("many.txt")), say("Done.")]);
    await inHouse({ script, files: { "many.txt": many } }, async (house) => {
      const filled = house.next("tool.completed", () => house.of("tool.completed").length === 15);
      house.submit("fill it");
      await filled;
      house.interrupt();
      await house.settled();
      const before = house.engine.session.state().turn.resultBytes;
      await house.reopen();
      expect(house.engine.session.state().turn.resultBytes).toBe(before);
    });
  });
});

describe("whole outputs", () => {
  const long = bash("cat many.txt");
  const spill = (house: Driven) => join(house.home, "spill");

  test("have files of their own, also in a session that is resumed", async () => {
    const script = sequence([turn(long), say("Done."), turn(long), say("Done.")]);
    await inHouse({ script, files: { "many.txt": many } }, async (house) => {
      await house.say("go");
      await house.reopen();
      await house.say("go");
      const names = readdirSync(spill(house));
      const told = house.of("tool.completed").map(({ spillFile }) => spillFile);
      expect([names.length, new Set(told).size]).toEqual([2, 2]);
      for (const path of told) expect(readFileSync(path ?? "", "utf8")).toBe(many);
    });
  });

  test("are not kept in a folder that is full: nothing there is lost, and the result says what to do", async () => {
    const script = sequence([turn(long), turn(bash("cat many.txt many.txt > /dev/null; seq 1 400000")), say("Done.")]);
    await inHouse({ script, files: { "many.txt": many } }, async (house) => {
      mkdirSync(spill(house), { recursive: true });
      const old = join(spill(house), "01ARZ3NDEKTSV4RRFFQ69G5FAV-old.txt");
      writeFileSync(old, "");
      truncateSync(old, 1024 * KIB * KIB); // a hole: it takes no room on the disk
      await house.say("go");
      for (const { modelText, spillFile } of house.of("tool.completed")) {
        expect(spillFile).toBeUndefined();
        expect(modelText).toMatch(
          /\[… \d+ bytes left out\. \(It could not be kept whole: the long outputs of all sessions fill their 1024 MiB; the user can make room with khaelor sessions prune\) …\]/,
        );
      }
      house.engine.agent.dispatch({ kind: "shell", command: "seq 1 400000" });
      await house.settled();
      const [own] = house.of("user.message-created").flatMap(({ shell }) => shell ?? []);
      expect([own?.spillFile, own?.output.includes("fill their 1024 MiB")]).toEqual([undefined, true]);
      expect([readdirSync(spill(house)), statSync(old).size]).toEqual([
        ["01ARZ3NDEKTSV4RRFFQ69G5FAV-old.txt"],
        1024 ** 3,
      ]);
    });
  });

  test("are not kept where their folder cannot be one, and the command runs all the same", async () => {
    await inHouse({ script: sequence([turn(long), say("Done.")]), files: { "many.txt": many } }, async (house) => {
      writeFileSync(spill(house), "a file");
      await house.say("go");
      expect(results(house)[0]).toContain(
        "bytes left out. (It could not be kept whole: the folder of long outputs cannot be used (ENOTDIR",
      );
    });
  });

  test("are cut to the room that one session has left", async () => {
    const script = sequence([turn(bash("seq 1 400000")), say("Done.")]);
    await inHouse({ script }, async (house) => {
      mkdirSync(spill(house), { recursive: true });
      const own = join(spill(house), `${house.engine.session.id}-before.txt`);
      writeFileSync(own, "");
      truncateSync(own, 255 * KIB * KIB);
      await house.say("go");
      const [{ spillFile = "", modelText } = { modelText: "" }] = house.of("tool.completed");
      expect(statSync(spillFile).size).toBe(KIB * KIB);
      expect(modelText).toContain(`only the first ${KIB * KIB} bytes were kept`);
    });
  });
});
