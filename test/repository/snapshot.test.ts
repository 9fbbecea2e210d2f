import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { baselineOf, findGitRoot, gitSnapshot } from "../../src/repository/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

function repository(): void {
  shop.git("init", "-q", "-b", "main", "project");
  shop.write("project/a.txt", "one\n");
  shop.write("project/b c.txt", "two\n");
  shop.git("-C", "project", "add", ".");
  shop.git("-C", "project", "commit", "-q", "-m", "first");
}
const inProject = () => gitSnapshot(shop.workspaceAt(join(shop.folder, "project")));

test("a clean repository has its branch, its commit and nothing else", async () => {
  repository();
  const head = shop.git("-C", "project", "rev-parse", "HEAD").trim();
  const snapshot = await inProject();
  expect(snapshot).toEqual({
    root: join(shop.folder, "project"),
    branch: "main",
    head,
    dirtyFiles: [],
    untrackedFiles: [],
    cut: false,
    diffHash: shop.git("hash-object", "--stdin").trim(),
  });
});

test("staged, changed, deleted and new files are told apart, whatever their names hold", async () => {
  repository();
  shop.write("project/a.txt", "changed\n");
  shop.write("project/new\nline.txt", "x");
  shop.write("project/staged.txt", "x");
  shop.write("project/sub/deep.txt", "x");
  shop.git("-C", "project", "add", "staged.txt");
  shop.git("-C", "project", "rm", "-q", "b c.txt");
  const snapshot = await gitSnapshot(shop.workspaceAt(join(shop.folder, "project", "sub")));
  expect(snapshot?.root).toBe(join(shop.folder, "project"));
  expect(snapshot?.dirtyFiles).toEqual(["a.txt", "b c.txt", "staged.txt"]);
  expect(snapshot?.untrackedFiles).toEqual(["new\nline.txt", "sub/"]);
});

test("the diff hash changes with the content of a tracked file, and with nothing else", async () => {
  repository();
  const clean = await inProject();
  shop.write("project/a.txt", "one!\n");
  const dirty = await inProject();
  shop.write("project/untracked.txt", "x");
  const withUntracked = await inProject();
  shop.write("project/a.txt", "two!\n");
  const other = await inProject();
  shop.write("project/a.txt", "one\n");
  utimesSync(join(shop.folder, "project/b c.txt"), 1_000_000_000, 1_000_000_000);
  expect((await inProject())?.diffHash).toBe(clean?.diffHash ?? "");
  expect(dirty?.diffHash).toMatch(/^[0-9a-f]{40}$/);
  expect(dirty?.diffHash).not.toBe(clean?.diffHash);
  expect(withUntracked?.diffHash).toBe(dirty?.diffHash ?? "");
  expect(other?.diffHash).not.toBe(dirty?.diffHash);
});

test("a repository without a commit and a detached one are described as what they are", async () => {
  shop.git("init", "-q", "-b", "trunk", "project");
  const unborn = await inProject();
  expect({ branch: unborn?.branch, head: unborn?.head }).toEqual({ branch: "trunk", head: null });
  shop.write("project/a.txt", "one\n");
  shop.git("-C", "project", "add", ".");
  shop.git("-C", "project", "commit", "-q", "-m", "first");
  shop.git("-C", "project", "checkout", "-q", "--detach");
  const detached = await inProject();
  expect(detached?.branch).toBeNull();
  expect(detached && baselineOf(detached)).toEqual({
    branch: "(detached)",
    dirtyFiles: [],
    untrackedFiles: [],
    diffHash: detached?.diffHash ?? "",
    head: detached?.head ?? "",
    root: join(shop.folder, "project"),
  });
});

test("more names than the lists hold are cut, and the snapshot says so", async () => {
  repository();
  for (let at = 0; at < 501; at++) shop.write(`project/n${at}`, "");
  const snapshot = await inProject();
  expect([snapshot?.untrackedFiles.length, snapshot?.cut]).toEqual([500, true]);
});

test("outside a repository there is no snapshot, and no root", async () => {
  mkdirSync(join(shop.folder, "plain"));
  const workspace = shop.workspaceAt(join(shop.folder, "plain"));
  expect(await gitSnapshot(workspace)).toBeUndefined();
  expect(await findGitRoot(workspace)).toBeUndefined();
});

test("a linked work tree is its own project", async () => {
  repository();
  shop.git("-C", "project", "worktree", "add", "-q", "../linked");
  const linked = join(shop.folder, "linked");
  expect(await findGitRoot(shop.workspaceAt(linked))).toBe(linked);
  expect((await gitSnapshot(shop.workspaceAt(linked)))?.branch).toBe("linked");
});

test("a folder that is only called .git makes no project", async () => {
  repository();
  mkdirSync(join(shop.folder, "project", "sub", ".git"), { recursive: true });
  expect(await findGitRoot(shop.workspaceAt(join(shop.folder, "project", "sub")))).toBe(join(shop.folder, "project"));
});
