/** Drafts outlive the program, each in a file for its owner alone, and no key is in them. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { draftPlace } from "../../../src/cli/terminal/draft-place.ts";
import { createDrafts, dropDrafts } from "../../../src/cli/terminal/drafts.ts";

const ID = "01JZ0000000000000000000000";
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "khaelor-drafts-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = () => join(root, "drafts", "project");
const open = (secrets: readonly string[] = []) => createDrafts(async () => ({ folder: folder(), secrets }));

test("a draft comes back at the next start, and an empty one is gone", async () => {
  const drafts = open();
  expect(await drafts.load(ID)).toBeUndefined();
  drafts.save(ID, "of the session\n");
  drafts.save(undefined, "of the project");
  expect([await open().load(ID), await open().load(undefined)]).toEqual(["of the session\n", "of the project"]);
  drafts.save(ID, "");
  expect([await open().load(ID), readdirSync(folder())]).toEqual([undefined, ["new.txt"]]);
});

test("the draft of a session whose log was removed under it is the project's, for nobody will open that session again", async () => {
  let hasLog = true;
  const drafts = createDrafts(async () => ({ folder: folder(), secrets: [], hasLog: (id) => hasLog && id === ID }));
  await drafts.load(ID);
  drafts.save(ID, "before");
  hasLog = false;
  drafts.save(ID, "not recorded");
  expect([await open().load(ID), await open().load(undefined)]).toEqual(["before", "not recorded"]);
});

test("a session of another project has its draft too, where it was opened by its id", async () => {
  const place = { places: { home: root, userHome: root, cwd: root }, env: {} };
  mkdirSync(join(root, "sessions", "another"), { recursive: true });
  writeFileSync(join(root, "sessions", "another", `${ID}.jsonl`), "");
  const drafts = createDrafts(() => draftPlace(place));
  await drafts.load(ID);
  drafts.save(ID, "half a thought");
  const again = createDrafts(() => draftPlace(place));
  expect([await again.load(ID), await again.load(undefined)]).toEqual(["half a thought", undefined]);
});

test("nobody else can read it", async () => {
  const drafts = open();
  await drafts.load(ID);
  drafts.save(ID, "x");
  expect([statSync(folder()).mode & 0o777, statSync(join(folder(), `${ID}.txt`)).mode & 0o777]).toEqual([0o700, 0o600]);
});

test("keys in use are not written down", async () => {
  const drafts = open(["sk-ant-0123456789abcdef", "short"]);
  await drafts.load(ID);
  drafts.save(ID, "my key is sk-ant-0123456789abcdef, short");
  expect(await drafts.load(ID)).toBe("my key is [redacted], short");
});

test("nor is what looks like a key that nobody uses yet", async () => {
  const drafts = open();
  await drafts.load(ID);
  drafts.save(ID, "/login sk-ant-api03-Zz_9-0123456789abcdef and sk-ant-x");
  expect(await drafts.load(ID)).toBe("/login [redacted] and sk-ant-x");
});

test("what is saved before its place is known is kept all the same", async () => {
  const drafts = open();
  drafts.save(ID, "early");
  expect(existsSync(folder())).toBe(false);
  expect(await drafts.load(ID)).toBe("early");
});

test("an id that is none names no other file", async () => {
  const drafts = open();
  await drafts.load(undefined);
  drafts.save("../../../evil", "x");
  expect(readdirSync(root)).toEqual(["drafts"]);
});

test("more than a mebibyte is cut, and said", async () => {
  const drafts = open();
  await drafts.load(ID);
  expect(drafts.save(ID, "é".repeat(600_000))).toBe("Only the first MiB of the draft is kept for the next start.");
  expect((await drafts.load(ID))?.length).toBe(524_288);
});

test("what prevents keeping is said with its reason", async () => {
  writeFileSync(join(root, "drafts"), "a file where the folder should be");
  const drafts = open();
  await drafts.load(ID);
  expect(drafts.save(ID, "x")).toMatch(/^The draft cannot be kept for the next start \((ENOTDIR|EEXIST)\)\.$/);
});

test("drafts that were left behind do not add up: the oldest go", async () => {
  mkdirSync(folder(), { recursive: true });
  for (let at = 0; at < 120; at++) {
    const path = join(folder(), `${at}.txt`);
    writeFileSync(path, "x");
    utimesSync(path, at, at);
  }
  await open().load(ID);
  expect(
    readdirSync(folder())
      .map(Number.parseFloat)
      .sort((a, b) => a - b)[0],
  ).toBe(20);
});

test("with a session goes its draft", async () => {
  const drafts = open();
  await drafts.load(ID);
  drafts.save(ID, "x");
  drafts.save(undefined, "y");
  dropDrafts(root, [`/anywhere/${ID}.jsonl`]);
  expect(readdirSync(folder())).toEqual(["new.txt"]);
  dropDrafts(join(root, "none"), []);
});

test("a run that is to leave nothing keeps none", async () => {
  const places = { home: root, userHome: root, cwd: root };
  const kept = await draftPlace({ places, env: { ANTHROPIC_API_KEY: "key-of-the-environment" } });
  expect([kept.folder?.startsWith(join(root, "drafts/")), kept.secrets]).toEqual([true, ["key-of-the-environment"]]);
  expect((await draftPlace({ places: { ...places, sessionHome: "/elsewhere" }, env: {} })).folder).toBeUndefined();
  const drafts = createDrafts(async () => ({ folder: undefined, secrets: [] }));
  await drafts.load(ID);
  expect([drafts.save(ID, "x"), readdirSync(root)]).toEqual([undefined, []]);
});

test("the file is whole whenever somebody looks: it is replaced in one step", async () => {
  const drafts = open();
  await drafts.load(ID);
  drafts.save(ID, "old");
  writeFileSync(join(folder(), `${ID}.txt.${process.pid}`), "left by a kill");
  expect(drafts.save(ID, "new")).toBeUndefined();
  expect([readFileSync(join(folder(), `${ID}.txt`), "utf8"), readdirSync(folder())]).toEqual(["new", [`${ID}.txt`]]);
});
