/**
 * Logs that came to harm, and things that are no logs, through the compiled program: every command that looks at a session copes
 * with them, says the same of them, and changes nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ID } from "../session/workshop.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { HARMS, type Harm, harmsOf } from "../support/log-damage.ts";
import { openStage, type Stage, TEST_KEY } from "./stage.ts";

const EXIT_LOG = 10;
/** In the middle of an answer with a call, so that the last safe point is not the event before. */
const AT = 12;

let stage: Stage;
let folder = "";
beforeAll(async () => {
  await binary();
  stage = await openStage();
  folder = join(stage.state, "sessions", "ab12");
  mkdirSync(folder, { recursive: true });
}, BUILD_TIMEOUT_MS);
afterAll(() => stage.close());

const named = (at: number): string => `${ID.slice(0, -2)}${String(at).padStart(2, "0")}`;

function laid(harm: Harm, at: number): { readonly id: string; readonly path: string; readonly bytes: Buffer } {
  const id = named(at);
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(path, Buffer.from(harm.bytes.toString("latin1").replaceAll(ID, id), "latin1"));
  return { id, path, bytes: readFileSync(path) };
}

/** What has to be read of a verdict: the contract with scripts. */
interface Report {
  readonly damage: readonly { readonly line: number }[];
}

const LOOKS = (id: string) => [
  ["fsck", id, "--json"],
  ["fsck", id],
  ["log", id],
  ["sessions", "show", id],
  ["sessions", "export", id],
  ["fold", "session-meta", id],
];

describe("every command says the same of a log, and leaves it as it is", () => {
  for (const [at, kind] of Object.keys(HARMS).entries()) {
    const harms = harmsOf(kind).filter((one) => one.at === AT);
    for (const harm of harms) test(kind, () => looked(harm, laid(harm, at)));
  }
});

async function looked({ expected, intact }: Harm, { id, path, bytes }: ReturnType<typeof laid>): Promise<void> {
  const { mtimeMs } = lstatSync(path);
  const { verdict, lines } = expected;
  const ran = await Promise.all(LOOKS(id).map((command) => stage.run(command)));
  const [checked, words = "", , shown = ""] = ran.map(({ stdout }) => stdout);
  const [fscked, read] = [verdict === "ok" ? 0 : EXIT_LOG, lines.length > 0 ? EXIT_LOG : 0];
  expect(ran.map(({ code }) => code)).toEqual([fscked, fscked, read, read, read, read]);
  const report: Report = JSON.parse(checked ?? "");
  expect(Object.keys(report)).toEqual(FIELDS);
  expect(report).toMatchObject({ session_id: id, path, verdict, resumable: lines.length === 0 });
  expect(report.damage.map(({ line }) => line)).toEqual([...lines]);
  expect(words).toStartWith(`${path}: `);
  for (const line of lines) expect(shown).toContain(`line ${line} (byte `);
  for (const seq of [4, 20].filter((one) => intact.includes(one))) expect(shown).toContain(`word${seq}`);
  if (lines.length > 0) {
    expect(words).toContain(`khaelor --fork ${id}@8`);
    const refused = await stage.run(["-p", "--resume", id, "go on"], { env: { ANTHROPIC_API_KEY: TEST_KEY } });
    expect([refused.code, refused.stdout]).toEqual([EXIT_LOG, ""]);
    expect(refused.stderr).toContain(`line ${lines[0]} (byte `);
    expect(refused.stderr).toContain(`--fork ${id}@8`);
  }
  expect([readFileSync(path).equals(bytes), lstatSync(path).mtimeMs]).toEqual([true, mtimeMs]);
}

const FIELDS = [
  ...["session_id", "path", "verdict", "resumable", "events", "torn_bytes", "damage", "unpaired"],
  ...["hash_mismatches", "missing_images"],
];

test("what is no regular file is told by every command, and by fsck --all beside all others", async () => {
  const other = await openStage();
  try {
    const logs = join(other.state, "sessions", "ab12");
    mkdirSync(logs, { recursive: true });
    const [directory, link, nowhere, device, empty] = [named(1), named(2), named(3), named(4), named(5)];
    const of = (id: string) => join(logs, `${id}.jsonl`);
    mkdirSync(of(directory));
    writeFileSync(join(other.root, "elsewhere"), "x");
    symlinkSync(join(other.root, "elsewhere"), of(link));
    symlinkSync("nowhere", of(nowhere));
    symlinkSync("/dev/zero", of(device));
    writeFileSync(of(empty), "");
    const env = { ANTHROPIC_API_KEY: TEST_KEY };
    for (const id of [directory, link, nowhere, device]) {
      for (const command of [
        ["fsck", id],
        ["log", id],
        ["sessions", "show", id],
        ["-p", "--resume", id, "x"],
        ["fork", id],
      ]) {
        const { code, stderr } = await other.run(command, { env });
        const words = expect.stringMatching(/^khaelor: could not open .*: it is not a regular file\./);
        expect([command, code, stderr]).toEqual([command, EXIT_LOG, words]);
      }
    }
    const all = await other.run(["fsck", "--all"]);
    expect([all.code, all.stderr.match(/it is not a regular file/g)?.length]).toEqual([EXIT_LOG, 4]);
    const resumed = await other.run(["-p", "--resume", empty, "x"], { env });
    expect([resumed.code, resumed.stderr]).toEqual([EXIT_LOG, expect.stringContaining("holds no event")]);
    expect((await other.run(["fsck", empty])).stdout).toContain(`khaelor sessions delete ${empty}`);
  } finally {
    other.close();
  }
});

test("a torn end that cannot be put aside stays where it is, and the way on is said", async () => {
  const [harm] = harmsOf("cut off behind its middle").filter((one) => one.at === AT);
  if (!harm) throw new Error("there is that harm");
  const { id, path, bytes } = laid(harm, 90);
  mkdirSync(`${path}.torn`);
  const { code, stderr } = await stage.run(["-p", "--resume", id, "x"], { env: { ANTHROPIC_API_KEY: TEST_KEY } });
  expect([code, stderr]).toEqual([EXIT_LOG, expect.stringContaining(`--fork ${id}`)]);
  expect(stderr).toContain(`${path}.torn`);
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test("a new title for a session whose log was torn says what it moved aside", async () => {
  const [harm] = harmsOf("cut off behind its middle").filter((one) => one.at === AT);
  if (!harm) throw new Error("there is that harm");
  const { id, path, bytes } = laid(harm, 91);
  const { code, stderr } = await stage.run(["sessions", "rename", id, "another", "title"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`which was moved to ${path}.torn.`)]);
  expect(bytes.toString("latin1")).toEndWith(readFileSync(`${path}.torn`, "latin1"));
});
