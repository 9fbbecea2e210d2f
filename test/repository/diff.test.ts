/** Which diff belongs to which file, in real repositories: whatever git says of a file, no other file gets it. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitDiff } from "../../src/repository/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
  shop.git("init", "-q", "-b", "main");
});
afterEach(() => shop.remove());

const at = (name: string) => join(shop.folder, name);
const commit = (): void => {
  shop.git("add", "-A");
  shop.git("commit", "-q", "-m", "as found");
};
const write = (files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) shop.write(name, text);
};

/** `path +added −removed`, and the lines of its diff without their heads. */
async function shown(isStaged = false): Promise<readonly (readonly string[])[]> {
  const found = await gitDiff({ workspace: shop.workspaceAt(), root: shop.folder, isStaged });
  return (found?.files ?? []).map(({ path, added, removed, diff }) => [
    `${path} +${added} −${removed}`,
    ...diff.split("\n").filter((line) => line !== "" && !/^(?:@@|index |\\)/.test(line)),
  ]);
}

const changedLine = (name: string): readonly string[] => [`--- a/${name}`, `+++ b/${name}`, "-1", "+2"];

test("a file that became a link, and one that became a submodule, have both of their halves", async () => {
  write({ "a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n", mod: "1\n" });
  commit();
  for (const name of ["a.txt", "mod"]) rmSync(at(name));
  symlinkSync("nowhere", at("a.txt"));
  shop.git("init", "-q", "mod");
  shop.git("-C", "mod", "commit", "-q", "--allow-empty", "-m", "one");
  shop.git("add", "mod");
  write({ "b.txt": "2\n", "c.txt": "2\n" });
  const head = shop.git("-C", "mod", "rev-parse", "HEAD").trim();
  const [link, b, c, mod] = await shown();
  expect(link?.filter((line) => !/^(?:diff|new file)/.test(line))).toEqual([
    "a.txt +1 −1",
    ...["--- a/a.txt", "+++ /dev/null", "-1", "--- /dev/null", "+++ b/a.txt", "+nowhere"],
  ]);
  expect([b, c]).toEqual([
    ["b.txt +1 −1", ...changedLine("b.txt")],
    ["c.txt +1 −1", ...changedLine("c.txt")],
  ]);
  expect([mod?.[0], mod?.at(-1)]).toEqual(["mod +1 −1", `+Subproject commit ${head}`]);
});

test("what is not merged has no staged diff, and takes nobody else's, whatever its name says", async () => {
  const forged = "n\ndiff --git a/z.txt b/z.txt\n--- forged";
  const names = ["b.txt", forged];
  write({ "b.txt": "", [forged]: "", "c.txt": "1\n", "z.txt": "1\n" });
  commit();
  shop.git("checkout", "-q", "-b", "other");
  for (const name of names) shop.write(name, "theirs\n");
  commit();
  shop.git("checkout", "-q", "main");
  for (const name of names) shop.write(name, "ours\n");
  commit();
  expect(() => shop.git("merge", "-q", "other")).toThrow();
  write({ "c.txt": "2\n", "z.txt": "2\n" });
  shop.git("add", "c.txt", "z.txt");
  expect(await shown(true)).toEqual([
    ["b.txt +0 −0"],
    ["c.txt +1 −1", ...changedLine("c.txt")],
    [`${forged} +0 −0`],
    ["z.txt +1 −1", ...changedLine("z.txt")],
  ]);
  const all = await shown();
  expect(all.map(([path]) => path)).toEqual(["b.txt +4 −0", "c.txt +1 −1", `${forged} +4 −0`, "z.txt +1 −1"]);
  expect(all[0]?.slice(3)).toEqual(["+<<<<<<< HEAD", " ours", "+=======", "+theirs", "+>>>>>>> other"]);
});

test("renamed, gone, empty, binary, touched and executable files and a moved submodule stand for themselves", async () => {
  write({ "bin.dat": "\0one", "gone.txt": "1\n", "old.txt": "1\n2\n", "run.sh": "1\n", "touched.txt": "1\n" });
  shop.git("init", "-q", "sub");
  shop.git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "one");
  write({ "z.txt": "1\n" });
  commit();
  write({ "bin.dat": "\0two", "empty.txt": "", "touched.txt": "1\n", "z.txt": "2\n" });
  rmSync(at("gone.txt"));
  shop.git("mv", "old.txt", "new.txt");
  shop.git("add", "empty.txt");
  chmodSync(at("run.sh"), 0o755);
  shop.git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "two");
  const found = await shown();
  expect(found.filter(([head]) => !head?.startsWith("sub "))).toEqual([
    ["bin.dat +0 −0"],
    ["empty.txt +0 −0"],
    ["gone.txt +0 −1", "--- a/gone.txt", "+++ /dev/null", "-1"],
    ["new.txt +2 −0", "--- /dev/null", "+++ b/new.txt", "+1", "+2"],
    ["old.txt +0 −2", "--- a/old.txt", "+++ /dev/null", "-1", "-2"],
    ["run.sh +0 −0"],
    ["z.txt +1 −1", ...changedLine("z.txt")],
  ]);
  expect(found.find(([head]) => head === "sub +1 −1")?.slice(3)).toEqual([
    expect.stringMatching(/^-Subproject commit [0-9a-f]{40}$/),
    expect.stringMatching(/^\+Subproject commit [0-9a-f]{40}$/),
  ]);
});

test("a name may hold anything: blanks, quotes, controls, other alphabets, bytes that are no UTF-8", async () => {
  const folder = Buffer.from(`${shop.folder}/`);
  const names = ["a b ", '"q" \\ b', "new\nline\t\r\x07\x7f", "é 名.txt", "\xe8", "\xe9", "\ufeffmark"].map((name) =>
    name.length === 1 ? Buffer.from(name, "latin1") : Buffer.from(name),
  );
  const writeAll = (text: string) => {
    for (const [index, name] of names.entries()) writeFileSync(Buffer.concat([folder, name]), `${text}${index}\n`);
  };
  writeAll("old");
  commit();
  writeAll("new");
  for (const quotePath of ["true", "false"]) {
    shop.git("config", "core.quotePath", quotePath);
    const found = await shown();
    const expected = names.map((name, index) => [`${name} +1 −1`, `-old${index}`, `+new${index}`]);
    expect(found.map(([head = "", ...lines]) => [head, ...lines.slice(-2)]).sort()).toEqual(expected.sort());
  }
});

test("lines that look like git's own headings are lines", async () => {
  const text = (word: string) => `${word}\rdiff --git a/z.txt b/z.txt\r--- ${word}\u2028* Unmerged path z.txt\n`;
  write({ "a.txt": text("1"), "z.txt": "1\n" });
  commit();
  write({ "a.txt": text("2"), "z.txt": "2\n" });
  expect(await shown()).toEqual([
    ["a.txt +1 −1", "--- a/a.txt", "+++ b/a.txt", `-${text("1").trim()}`, `+${text("2").trim()}`],
    ["z.txt +1 −1", ...changedLine("z.txt")],
  ]);
});
