/** Files are found by letters and by use; ignore files and permissions are kept, the list is renewed when asked, nobody waits. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Access, accessed, createFileFinder, type FileFinder, weightOf } from "../../src/repository/index.ts";
import { createRipgrep } from "../../src/workspace/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let workspace: ReturnType<Workshop["workspaceAt"]>;
let finder: FileFinder;
let now = 0;
let revision = 0;
let weights: ReadonlyMap<string, number> = new Map();
let mayShow: (path: string) => boolean = () => true;
let runs = 0;
/** In place of ripgrep. */
let program: string | undefined;

beforeEach(() => {
  shop = openWorkshop();
  workspace = shop.workspaceAt();
  [now, revision, weights, runs] = [0, 0, new Map(), 0];
  mayShow = () => true;
  program = undefined;
  const ripgrep = createRipgrep({ cacheFolder: "/nowhere" });
  finder = createFileFinder({
    ports: {
      workspace,
      ripgrep: {
        async program() {
          runs++;
          return program === undefined ? ripgrep.program() : { ok: true, value: program };
        },
      },
      projectRoot: shop.folder,
    },
    place: { root: shop.folder, isFolder: true },
    mayShow: (path) => mayShow(path),
    now: () => now,
    weights: () => weights,
    revision: () => revision,
  });
});
afterEach(async () => {
  finder.dispose();
  await workspace.close();
  shop.remove();
});

const { signal: never } = new AbortController();
const find = async (text: string, limit = 50) => (await finder.find(text, limit, never)).map(({ path }) => path);
const files = (...names: readonly string[]) => names.map((name) => shop.write(name, ""));

test("files and folders, without what ignore files leave out", async () => {
  files("src/tui/app.ts", "src/tui/view/list.ts", "docs/app.md", "node/x.js", ".env.example");
  shop.write(".gitignore", "node/\n");
  shop.write(".khaelorignore", "docs/\n");
  expect(await find("app")).toEqual(["src/tui/app.ts"]);
  expect(await find("view")).toEqual(["src/tui/view/", "src/tui/view/list.ts"]);
  expect(await find("node")).toEqual([]);
  expect(await find("")).toEqual(
    [
      "src/",
      ".gitignore",
      ".env.example",
      ".khaelorignore",
      "src/tui/",
      "src/tui/view/",
      "src/tui/app.ts",
      "src/tui/view/list.ts",
    ].sort(byDepth),
  );
});
const byDepth = (a: string, b: string) => depth(a) - depth(b) || a.length - b.length;
const depth = (path: string) => path.replace(/\/$/, "").split("/").length;

test("what may not be read is not shown, and does not take the place of what may", async () => {
  files("secret/a.ts", "secret/b.ts", "open/a.ts");
  mayShow = (path) => !path.includes("/secret");
  expect(await find("a", 2)).toEqual(["open/a.ts"]);
});

test("what is used comes first, where the letters fit as well", async () => {
  files("lib/alpha.ts", "lib/alpine.ts", "lib/beta.ts");
  weights = new Map([
    ["lib/alpine.ts", 3],
    ["lib/beta.ts", 9],
    ["lib/gone.ts", 9],
  ]);
  expect(await find("al")).toEqual(["lib/alpine.ts", "lib/alpha.ts"]);
  expect((await find(""))[0]).toBe("lib/beta.ts");
});

test("the offsets that matched come with it", async () => {
  files("src/store.ts");
  expect(await finder.find("sto", 5, never)).toEqual([{ path: "src/store.ts", matched: [4, 5, 6] }]);
});

test("that a file is not there is said of what is there now", async () => {
  files("one.ts");
  expect(await find("two")).toEqual([]);
  files("two.ts");
  now += 1;
  expect([await find("two"), await find("one")]).toEqual([["two.ts"], ["one.ts"]]);
});

test("it is listed when asked, again when it has grown old or files have changed, and never meanwhile", async () => {
  files("one.ts");
  expect([await find("ts"), runs]).toEqual([["one.ts"], 1]);
  files("two.ts");
  now += 5_000;
  expect([await find("ts"), runs]).toEqual([["one.ts"], 1]);
  now += 6_000;
  expect([await find("ts"), runs]).toEqual([["one.ts"], 2]); // the older list answers, the new one is under way
  await until(async () => (await find("ts")).length === 2);
  files("three.ts");
  revision++;
  await until(async () => (await find("ts")).length === 3);
  expect(runs).toBe(3);
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 5_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("it never came");
    await new Promise(setImmediate);
  }
}

test("among many files others get their turn, and a cancelled search is empty", async () => {
  const names = `awk 'BEGIN { for (i = 0; i < 50000; i++) printf "./d%d/file-%d.ts%c", i % 40, i, 0 }'`;
  program = shop.write("many.sh", `#!/bin/sh\n${names}\n`, 0o755);
  await find("x");
  let turns = 0;
  let isCounting = true;
  const count = () => {
    turns++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const found = await finder.find("file49999", 10, never);
  isCounting = false;
  expect(found.map(({ path }) => path)).toEqual(["d39/file-49999.ts"]);
  expect(turns).toBeGreaterThanOrEqual(40);
  const own = new AbortController();
  const cancelled = finder.find("file", 10, own.signal);
  own.abort();
  expect(await cancelled).toEqual([]);
});

test("a text that goes on narrows what was found, and the answer is that of a fresh search", async () => {
  files(
    ...Array.from(
      { length: 300 },
      (_, at) => `${["src", "test", "docs"][at % 3]}/${["store", "session", "list"][(at % 7) % 3]}-${at}.ts`,
    ),
  );
  for (const text of ["s", "st", "sto", "stor", "sto", "store-1", "li", "lis"]) {
    const narrowed = await find(text, 300);
    await find("#none");
    expect([text, narrowed]).toEqual([text, await find(text, 300)]);
  }
});

test("without ripgrep there is a reason", async () => {
  const broken = createFileFinder({
    ports: {
      workspace,
      ripgrep: { program: async () => ({ ok: false, error: "There is none." }) },
      projectRoot: shop.folder,
    },
    place: { root: shop.folder, isFolder: true },
    mayShow: () => true,
    now: () => 0,
    weights: () => new Map(),
    revision: () => 0,
  });
  await expect(broken.find("a", 5, never)).rejects.toThrow("The files cannot be listed: There is none.");
});

test("use fades by half in a week, and of a thousand files the least used are forgotten", () => {
  const week = 7 * 24 * 3_600_000;
  let uses: ReadonlyMap<string, Access> = accessed(new Map(), "a", 0);
  uses = accessed(uses, "a", week);
  expect(uses.get("a")).toEqual({ score: 1.5, at: week });
  expect(weightOf({ score: 1.5, at: week }, 2 * week)).toBe(0.75);
  expect(weightOf({ score: 1.5, at: week }, 0)).toBe(1.5);
  for (let at = 0; at < 1_200; at++) uses = accessed(uses, `f${at}`, week + at);
  expect([uses.size, uses.has("a"), uses.has("f0"), uses.has("f1199")]).toEqual([1_000, true, false, true]);
});
