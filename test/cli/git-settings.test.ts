/** A repository whose settings name a program is found wherever it lies; one that names none is not suspected. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { settingThatRuns } from "../../src/cli/git-settings.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-settings-")));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
function repository(config: string, bare = false): string {
  const folder = join(root, `r${count++}`);
  const gitDir = bare ? folder : join(folder, ".git");
  for (const name of ["objects", "refs"]) mkdirSync(join(gitDir, name), { recursive: true });
  writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(gitDir, "config"), config);
  return folder;
}

test.each([
  ["[core]\n\tfsmonitor = ./x", "core.fsmonitor"],
  ["\ufeff[CORE]FsMonitor=./x", "core.fsmonitor"],
  ["[core]\nfsmonitor = true\\\n x", "core.fsmonitor"],
  ["# a \\\n[core]\nfsmonitor = true\nfsmonitor = ./x", "core.fsmonitor"],
  ["[core]\nworktree = /", "core.worktree"],
  ['[a "]"][filter "x]y"]\nclean = ./x', "filter.clean"],
  ["[filter.x]\nprocess = git-lfs filter-process; ./x", "filter.process"],
  ["[diff]\nexternal = ./x", "diff.external"],
  ['[diff "d"]\n  textconv = ./x', "diff.textconv"],
  ["[gpg]\nprogram = ./x", "gpg.program"],
  ['[core]\nsshCommand = ./x\n[remote "o"]\npromisor', "core.sshcommand"],
  ["[include]\npath = more", "diff.external"],
  ['[includeIf "gitdir:/"]\npath = more', "diff.external"],
  ["[include]\npath = ~somebody/x", "that cannot be read"],
])("%j names a program", (config, setting) => {
  const folder = repository(config);
  writeFileSync(join(folder, ".git/more"), "[diff]\nexternal = ./x\n");
  expect(settingThatRuns(folder)).toBe(setting);
});

test("what only git itself or a well-known filter does, and what only writing does, is no reason", () => {
  const usual = `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = true ; git's own\n\thooksPath = .husky/_\n\teditor = vim
[remote "origin"]\n\turl = git@example.com:x/y\n\tfetch = +refs/heads/*:refs/remotes/origin/*
[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true
[core]\n\tsshCommand = ssh -i key\n[alias]\n\tst = status\n[credential]\n\thelper = store\n[include]\n\tpath = none\n`;
  expect(settingThatRuns(repository(usual))).toBeUndefined();
  expect(settingThatRuns(join(root, "no/such/folder"))).toBeUndefined();
});

test("wherever git would find it: below, bare, through a file, for more work trees, in a submodule", () => {
  const evil = "[core]\nfsmonitor = ./x\n";
  const plain = repository("");
  mkdirSync(join(plain, "deep/er"), { recursive: true });
  expect(settingThatRuns(join(plain, "deep/er"))).toBeUndefined();

  const bare = repository(evil, true);
  mkdirSync(join(bare, "inner"));
  expect(settingThatRuns(join(bare, "inner"))).toBe("core.fsmonitor");

  const headless = repository(evil);
  rmSync(join(headless, ".git/HEAD"));
  symlinkSync("refs/heads/none", join(headless, ".git/HEAD"));
  expect(settingThatRuns(headless)).toBe("core.fsmonitor");

  const worktree = join(plain, "wt");
  mkdirSync(worktree);
  writeFileSync(join(worktree, ".git"), `gitdir: ${join(bare, "worktrees/wt")}\n`);
  mkdirSync(join(bare, "worktrees/wt"), { recursive: true });
  writeFileSync(join(bare, "worktrees/wt/commondir"), "../..\n");
  expect(settingThatRuns(worktree)).toBe("core.fsmonitor");

  const git = (...args: string[]) => {
    const own = ["-c", "user.name=t", "-c", "user.email=t@invalid"];
    const { exitCode } = Bun.spawnSync(["git", ...own, ...args], { env: { PATH: process.env.PATH, HOME: root } });
    expect([args, exitCode]).toEqual([args, 0]);
  };
  const project = join(root, "project");
  git("init", "-q", project);
  git("init", "-q", join(project, "sub dir"));
  git("-C", join(project, "sub dir"), "commit", "-q", "--allow-empty", "-m", "x");
  git("-C", project, "add", "sub dir");
  expect(settingThatRuns(project)).toBeUndefined();
  appendFileSync(join(project, "sub dir/.git/config"), '[filter "f"]\nclean = ./x\n');
  expect(settingThatRuns(project)).toBe("filter.clean");
});

test("a file of the user's own that is included is followed", () => {
  expect(settingThatRuns(repository(`[include]\npath = ${join(homedir(), "no-such-file-7291")}`))).toBeUndefined();
});
