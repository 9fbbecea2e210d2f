/** The shipped ripgrep is run only as it was shipped: whatever lies in its place is replaced, and what cannot be is told. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../src/shared/index.ts";
import { createRipgrep, type Shipped } from "../../src/workspace/index.ts";

const PROGRAM = "#!/bin/sh\necho the shipped one\n";
const NAME = `rg-${sha256(PROGRAM).slice(0, 16)}`;

let root = "";
let cache = "";
let temporary = "";
const usualTemporary = process.env.TMPDIR;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-ripgrep-")));
  [cache, temporary] = [join(root, "state/cache"), join(root, "tmp")];
  mkdirSync(temporary);
  writeFileSync(join(root, "inside"), PROGRAM);
  process.env.TMPDIR = temporary;
});
afterEach(() => {
  if (usualTemporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usualTemporary;
  rmSync(root, { recursive: true, force: true });
});

/** Stands for the executable's own file. */
const inside = async (): Promise<Shipped> => ({ path: join(root, "inside"), embedded: true, sha256: sha256(PROGRAM) });
const open = (shipped = inside) => createRipgrep({ cacheFolder: cache, shipped });
const modeOf = (path: string) => lstatSync(path).mode & 0o777;
const runs = (path: string) => Bun.spawnSync([path]).stdout.toString();

test("it lies where the package has it when run from source, and is copied out of an executable at the first use", async () => {
  const found = await createRipgrep({ cacheFolder: cache }).program();
  expect([found.ok && found.value.endsWith("/bin/rg"), existsSync(cache)]).toEqual([true, false]);
  const ripgrep = open();
  expect(existsSync(cache)).toBe(false);
  expect(await ripgrep.program()).toEqual({ ok: true, value: join(cache, NAME) });
  expect([modeOf(cache), modeOf(join(cache, NAME)), readdirSync(cache)]).toEqual([0o700, 0o700, [NAME]]);
  expect(runs(join(cache, NAME))).toBe("the shipped one\n");
});

test("a hash that the build did not know is taken from the bytes themselves", async () => {
  const ripgrep = open(async () => ({ path: join(root, "inside"), embedded: true }));
  expect(await ripgrep.program()).toEqual({ ok: true, value: join(cache, NAME) });
});

const OTHER = "#!/bin/sh\necho one of another kind\n";

/** What may lie in the place of the program, all of it as long as the real one where it can be. */
const IMPOSTORS: Readonly<Record<string, (path: string) => void>> = {
  "other bytes of the same length": (path) => writeFileSync(path, OTHER.slice(0, PROGRAM.length), { mode: 0o700 }),
  "half of it": (path) => writeFileSync(path, PROGRAM.slice(0, 10), { mode: 0o700 }),
  "a link to another program": (path) => {
    writeFileSync(join(root, "other"), OTHER, { mode: 0o700 });
    symlinkSync(join(root, "other"), path);
  },
  "a link to the same bytes": (path) => symlinkSync(join(root, "inside"), path),
  "a file in which everybody may write": (path) => {
    writeFileSync(path, PROGRAM);
    chmodSync(path, 0o777);
  },
  "a pipe": (path) => void Bun.spawnSync(["mkfifo", path]),
};

test.each(Object.keys(IMPOSTORS))("%s is replaced before anything is run", async (name) => {
  mkdirSync(cache, { recursive: true, mode: 0o755 });
  IMPOSTORS[name]?.(join(cache, NAME));
  expect(await open().program()).toEqual({ ok: true, value: join(cache, NAME) });
  expect([modeOf(cache), lstatSync(join(cache, NAME)).isFile(), modeOf(join(cache, NAME))]).toEqual([
    0o700,
    true,
    0o700,
  ]);
  expect([runs(join(cache, NAME)), readdirSync(cache)]).toEqual(["the shipped one\n", [NAME]]);
});

test.each(Object.keys(IMPOSTORS))("%s that comes between two uses is replaced as well", async (name) => {
  const ripgrep = open();
  await ripgrep.program();
  rmSync(join(cache, NAME));
  IMPOSTORS[name]?.(join(cache, NAME));
  expect(await ripgrep.program()).toEqual({ ok: true, value: join(cache, NAME) });
  expect(runs(join(cache, NAME))).toBe("the shipped one\n");
});

test("a change of the bytes that keeps size and times is seen", async () => {
  const ripgrep = open();
  await ripgrep.program();
  utimesSync(join(cache, NAME), 1_000_000, 1_000_000);
  await ripgrep.program();
  writeFileSync(join(cache, NAME), OTHER.slice(0, PROGRAM.length));
  utimesSync(join(cache, NAME), 1_000_000, 1_000_000);
  await ripgrep.program();
  expect(readFileSync(join(cache, NAME), "utf8")).toBe(PROGRAM);
});

test("where the state folder cannot hold it, a private temporary folder does", async () => {
  mkdirSync(join(root, "state"));
  writeFileSync(cache, "a file where the folder should be");
  const found = await open().program();
  expect(found).toEqual({ ok: true, value: join(temporary, `khaelor-${process.getuid?.()}`, NAME) });
  expect([found.ok && runs(found.value), modeOf(join(temporary, `khaelor-${process.getuid?.()}`))]).toEqual([
    "the shipped one\n",
    0o700,
  ]);
});

test("a folder in the way that is a link is not entered", async () => {
  mkdirSync(join(root, "state"));
  mkdirSync(join(root, "elsewhere"));
  symlinkSync(join(root, "elsewhere"), cache);
  const found = await open().program();
  expect([found.ok && found.value.startsWith(temporary), readdirSync(join(root, "elsewhere"))]).toEqual([true, []]);
});

test("when it can be kept nowhere, the reasons are told and what to do instead", async () => {
  mkdirSync(join(root, "state"));
  for (const path of [cache, join(temporary, `khaelor-${process.getuid?.()}`)]) writeFileSync(path, "in the way");
  const found = await open().program();
  expect(found.ok ? "" : found.error).toContain(`it cannot be kept in ${cache}: `);
  expect(found.ok ? "" : found.error).toContain(temporary);
  expect(found.ok ? "" : found.error).toContain("Search with bash instead");
});

test("a machine for which none is shipped is told so", async () => {
  const found = await open(async () => ({ missing: "this version carries no ripgrep for plan9 on x64" })).program();
  expect(found).toEqual({
    ok: false,
    error:
      "There is no ripgrep to search with: this version carries no ripgrep for plan9 on x64. Search with bash instead (grep -rn, find).",
  });
});

test("those who need it at the same time all get a whole one", async () => {
  const found = await Promise.all(Array.from({ length: 8 }, () => open().program()));
  expect([new Set(found.map((one) => one.ok && one.value)), readdirSync(cache)]).toEqual([
    new Set([join(cache, NAME)]),
    [NAME],
  ]);
});
