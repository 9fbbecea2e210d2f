/** What a mention remembers, and what it is offered: of the session's folder, by what the session did and what was mentioned before. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../../src/cli/engine.ts";
import { createFindFiles } from "../../../src/cli/terminal/find-files.ts";
import { openWorkshop, type Workshop } from "../../repository/workshop.ts";
import { searchScope } from "../../support/search-scope.ts";

let shop: Workshop;
let workspace: ReturnType<Workshop["workspaceAt"]>;
let files: { changes: Record<string, unknown>; seen: Record<string, string>; baseline?: unknown };
beforeEach(() => {
  shop = openWorkshop();
  for (const name of ["project/src/alpha.ts", "project/src/alpine.ts", "project/src/album.ts", "project/top.ts"])
    shop.write(name, "");
  workspace = shop.workspaceAt(join(shop.folder, "project/src"));
  files = { changes: {}, seen: {} };
});
afterEach(async () => {
  await workspace.close();
  shop.remove();
});

const home = () => join(shop.folder, "home");
function open(mayShow: (path: string) => boolean = () => true, isThrownAway = false) {
  const projectRoot = join(shop.folder, "project");
  // As much of an engine as is used.
  const engine = {
    workspace,
    projectRoot,
    search: searchScope(projectRoot, mayShow),
    session: { state: () => ({ files }) },
    resultOptions: { isThrownAway },
  } as unknown as Engine;
  const places = { home: home() } as Parameters<typeof createFindFiles>[1]["places"]; // likewise
  return createFindFiles({ current: () => engine, onScreen: () => undefined }, { places });
}
const { signal: never } = new AbortController();
const names = async (queries: ReturnType<typeof open>, text: string) =>
  (await queries.findFiles(text, 10, never)).map(({ path }) => path);

test("a mention ranks higher from then on, in the next start too, and is kept for its owner only", async () => {
  expect(await names(open(), "al")).toEqual(["album.ts", "alpha.ts", "alpine.ts"]);
  open().noteAccess("alpine.ts");
  expect(await names(open(), "al")).toEqual(["alpine.ts", "album.ts", "alpha.ts"]);
  const [name = ""] = readdirSync(join(home(), "uses"));
  const path = join(home(), "uses", name);
  expect(JSON.parse(readFileSync(path, "utf8")).files).toMatchObject([{ path: "src/alpine.ts", score: 1 }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, '{"version":1,"files":[{"path":""}]}');
  expect(await names(open(), "al")).toEqual(["album.ts", "alpha.ts", "alpine.ts"]);
});

test("what the session changed or read counts, and what git saw changed before it", async () => {
  files.seen["album.ts"] = "0".repeat(64);
  files.changes[join(shop.folder, "project/src/alpine.ts")] = {};
  files.baseline = { root: join(shop.folder, "project"), dirtyFiles: ["src/alpha.ts", "top.ts"] };
  expect(await names(open(), "al")).toEqual(["alpine.ts", "album.ts", "alpha.ts"]);
});

test("what a search may not show is not offered; a home that cannot be written is no trouble", async () => {
  const queries = open((path) => !path.endsWith("alpha.ts"));
  expect(await names(queries, "al")).toEqual(["album.ts", "alpine.ts"]);
  shop.write("home", "a file where the folder should be");
  queries.noteAccess("alpine.ts");
  expect(await names(queries, "al")).toEqual(["alpine.ts", "album.ts"]);
  queries.noteAccess("../top.ts");
  queries.noteAccess("../../elsewhere.ts");
});

test("a session that keeps nothing remembers no mention", async () => {
  open(() => true, true).noteAccess("alpine.ts");
  expect(readdirSync(shop.folder)).toEqual(["project"]);
});

test("before a session is open there is a reason", async () => {
  const places = { home: home() } as Parameters<typeof createFindFiles>[1]["places"]; // as much as is used
  const queries = createFindFiles({ current: () => undefined, onScreen: () => undefined }, { places });
  await expect(queries.findFiles("a", 5, never)).rejects.toThrow("the session is still being opened");
  queries.noteAccess("a");
});
