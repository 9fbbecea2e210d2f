/** Names and titles that nobody chose kindly, and a state folder of which not all can be read: said to people, and safely. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Script } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { openStage, type Ran, RUN_TIMEOUT_MS, TEST_KEY, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const answers: Script = () => ({ content: [{ type: "text", text: "Done." }] });

/** A colour, a window title, an 8-bit sequence, and letters that run backwards. */
const DRIVING = "a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd\u202ee";
/** Neither control characters, but for line ends, nor invisible ones that turn text around. */
const harmless = ({ stdout, stderr }: Ran): void => {
  for (const text of [stdout, stderr]) expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
};

test("no name and no title reaches a terminal with what could drive it", () =>
  withModel({ script: answers }, async (served) => {
    const folder = join(served.project, DRIVING);
    mkdirSync(join(folder, ".khaelor"), { recursive: true });
    mkdirSync(join(folder, ".git"));
    mkdirSync(join(folder, "AGENTS.md"));
    writeFileSync(join(folder, ".khaelor/config.json"), JSON.stringify({ [DRIVING]: 1, permissionMode: "bypass" }));
    const ran = await served.ask(["-p", `say ${DRIVING}`], { cwd: folder });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("AGENTS.md")]);
    harmless(ran);
    for (const args of [
      ["sessions", "list"],
      ["sessions", "show"],
      ["fsck", "--all"],
      ["-p", "--resume", DRIVING],
    ]) {
      const told = await served.run(args, { cwd: folder });
      expect(told.stdout + told.stderr).not.toBe("");
      harmless(told);
    }
    for (const args of [
      [`--${DRIVING}`],
      ["sessions", DRIVING],
      ["-p", "x", "-C", `${DRIVING}/none`],
      ["fsck", `${DRIVING}none`],
    ]) {
      const refused = await served.run(args);
      expect(refused.code).toBe(2);
      harmless(refused);
    }
    writeFileSync(join(folder, ".khaelor/config.json"), `{ ${DRIVING}`);
    const broken = await served.ask(["-p", "x"], { cwd: folder });
    expect(broken.code).toBe(2);
    harmless(broken);
  }));

test("fsck --all tells of what it cannot read, and of everything else all the same", () =>
  withModel({ script: answers }, async (served) => {
    await served.ask(["-p", "one"]);
    const [first = ""] = served.logs();
    const id = basename(first, ".jsonl");
    // Sorted before the log: a folder that cannot be listed, and a name that leads to no file.
    const looped = join(dirname(dirname(first)), "0-looped");
    symlinkSync(looped, looped);
    mkdirSync(join(dirname(first), `${id.slice(0, -4)}0000.jsonl`));
    const { code, stdout, stderr } = await served.run(["fsck", "--all", "--json"]);
    const verdicts = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).verdict);
    expect([code, verdicts]).toEqual([10, ["ok"]]);
    expect(stderr).toContain("0-looped");
    expect(stderr).toContain("it is not a regular file");
  }));

test("a folder of sessions that cannot be read is no internal error, and no empty list", async () => {
  const stage = await openStage();
  try {
    mkdirSync(stage.state);
    symlinkSync("sessions", join(stage.state, "sessions"));
    const env = { ANTHROPIC_API_KEY: TEST_KEY };
    for (const args of [
      ["sessions", "list"],
      ["fsck", "--all"],
      ["-p", "--resume"],
      ["-p", "--continue", "x"],
      ["-p", "x"],
    ]) {
      const { code, stderr } = await stage.run(args, { env });
      expect([args, code, stderr]).toEqual([args, 10, expect.stringMatching(/^khaelor: could not .*sessions/)]);
      expect(stderr).not.toContain("internal error");
    }
  } finally {
    stage.close();
  }
});

test("input that is small, but not when it is recorded, is refused before a session begins", async () => {
  const stage = await openStage();
  try {
    const nothing = "\u0000".repeat(3 * 1024 * 1024);
    const ran = await stage.run(["-p", "look"], { stdin: nothing, env: { ANTHROPIC_API_KEY: TEST_KEY } });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("put it into a file")]);
    expect(stage.logs()).toEqual([]);
  } finally {
    stage.close();
  }
});
