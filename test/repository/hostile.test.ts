/** A repository whose configuration names a program at every place where git would run one. None may run. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { findGitRoot, gitSnapshot } from "../../src/repository/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let project: string;
let trap: (name: string) => string;
beforeEach(() => {
  shop = openWorkshop();
  project = join(shop.folder, "project");
  shop.git("init", "-q", "-b", "main", "project");
  shop.write("project/a.txt", "one\n");
  shop.write("project/b.txt", "one\n");
  shop.git("-C", "project", "add", ".");
  shop.git("-C", "project", "commit", "-q", "-m", "first");
  trap = (name) =>
    shop.write(`traps/${name}`, `#!/bin/sh\ntouch ${shop.folder}/sprung-${name}\ncat 2>/dev/null\nexit 0\n`, 0o755);
});
afterEach(() => shop.remove());

const sprung = () => readdirSync(shop.folder).filter((name) => name.startsWith("sprung-"));
const config = (text: string, file = "project/.git/config") => appendFileSync(join(shop.folder, file), `\n${text}\n`);

function plainGit(): void {
  try {
    execFileSync("git", ["status"], {
      cwd: project,
      stdio: "ignore",
      env: { PATH: process.env.PATH, HOME: shop.folder },
    });
  } catch {
    // Only its side effects matter.
  }
}

const PLANTS: Readonly<Record<string, () => void>> = {
  "core.fsmonitor": () => config(`[core]\nfsmonitor = ${trap("fsmonitor")}`),
  "a hook in .git/hooks": () => {
    for (const hook of ["post-index-change", "fsmonitor-watchman", "reference-transaction"]) {
      shop.write(`project/.git/hooks/${hook}`, `#!/bin/sh\ntouch ${shop.folder}/sprung-${hook}\n`, 0o755);
    }
  },
  "core.hooksPath": () => {
    shop.write("hooks/post-index-change", `#!/bin/sh\ntouch ${shop.folder}/sprung-hook\n`, 0o755);
    config(`[core]\nhooksPath = ${join(shop.folder, "hooks")}`);
  },
  "a clean filter": () => {
    config(`[filter "x"]\nclean = ${trap("clean")}\nsmudge = ${trap("smudge")}\nrequired = true`);
    shop.write("project/.gitattributes", "* filter=x\n");
  },
  "a filter process with a strange name, in an included file": () => {
    shop.write("project/.git/more", `[filter "a.b=c d'e"]\nprocess = ${trap("process")}\nrequired = true\n`);
    config("[include]\npath = more");
    config(`[filter "y"]\nclean = ${trap("clean")}`);
    shop.write("project/.gitattributes", "* filter=y\n");
  },
  "a filter in the work tree's own configuration": () => {
    config("[extensions]\nworktreeConfig = true");
    shop.write("project/.git/config.worktree", `[filter "x"]\nclean = ${trap("clean")}\n`);
    shop.write("project/.gitattributes", "* filter=x\n");
  },
  "an external diff": () => {
    config(`[diff]\nexternal = ${trap("external")}`);
    config(`[diff "d"]\ncommand = ${trap("driver")}\ntextconv = ${trap("textconv")}`);
    shop.write("project/.gitattributes", "* diff=d\n");
  },
  "an alias, a pager and an editor": () => {
    config(`[alias]\nstatus = !${trap("alias")}\ndiff = !${trap("alias")}`);
    config(`[core]\npager = ${trap("pager")}\neditor = ${trap("editor")}\n[pager]\nstatus = ${trap("pager")}`);
  },
  "a missing object of a partial clone": () => {
    const blob = shop.git("-C", "project", "rev-parse", "HEAD:a.txt").trim();
    config(`[core]\nsshCommand = ${trap("ssh")}\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = origin`);
    config(`[remote "origin"]\nurl = ext::${trap("ext")}\npromisor = true\nuploadpack = ${trap("uploadpack")}`);
    config('[protocol]\nallow = always\n[protocol "ext"]\nallow = always');
    rmSync(join(project, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  },
  "a submodule": () => {
    shop.git("init", "-q", "-b", "main", "project/sub");
    shop.write("project/sub/s.txt", "one\n");
    shop.git("-C", "project/sub", "add", ".");
    shop.git("-C", "project/sub", "commit", "-q", "-m", "sub");
    shop.git("-C", "project", "add", "sub");
    config(
      `[core]\nfsmonitor = ${trap("sub-fsmonitor")}\n[filter "x"]\nclean = ${trap("sub-clean")}`,
      "project/sub/.git/config",
    );
    shop.write("project/sub/.gitattributes", "* filter=x\n");
    shop.write("project/sub/s.txt", "two\n");
    config(
      "[status]\nsubmoduleSummary = true\n[diff]\nsubmodule = diff\nignoreSubmodules = none\n[submodule]\nrecurse = true",
    );
  },
  "a submodule at another commit, which a diff would show": () => {
    const commit = (text: string) => {
      shop.write("project/sub/s.txt", text);
      shop.git("-C", "project/sub", "add", ".");
      shop.git("-C", "project/sub", "commit", "-q", "-m", "sub");
    };
    shop.git("init", "-q", "-b", "main", "project/sub");
    commit("one\n");
    shop.git("-C", "project", "add", "sub");
    shop.git("-C", "project", "commit", "-q", "-m", "sub");
    commit("two\n");
    config(`[diff]\nexternal = ${trap("sub-external")}`, "project/sub/.git/config");
    config("[diff]\nsubmodule = diff");
  },
};

for (const [name, plant] of Object.entries(PLANTS)) {
  test(`nothing runs: ${name}`, async () => {
    plant();
    shop.write("project/a.txt", "two\n");
    const snapshot = await gitSnapshot(shop.workspaceAt(project));
    expect(sprung()).toEqual([]);
    expect(snapshot === undefined || snapshot.dirtyFiles.includes("a.txt")).toBe(true);
  });
}

test("the traps would spring under a git that believes the repository", () => {
  PLANTS["core.fsmonitor"]?.();
  PLANTS["a clean filter"]?.();
  shop.write("project/a.txt", "two\n");
  plainGit();
  expect(sprung()).toContain("sprung-fsmonitor");
  expect(sprung()).toContain("sprung-clean");
});

test("a repository cannot name another folder as its work tree", async () => {
  config(`[core]\nworktree = ${shop.folder}`);
  shop.write("outside.txt", "x");
  const workspace = shop.workspaceAt(project);
  expect(await findGitRoot(workspace)).toBe(project);
  const snapshot = await gitSnapshot(workspace);
  expect([snapshot?.root, snapshot?.untrackedFiles]).toEqual([project, []]);
});

test("a bare repository that lies in the project as a plain folder is not entered", async () => {
  shop.git("init", "-q", "--bare", "project/docs");
  config(`[core]\nbare = false\nworktree = ..\nfsmonitor = ${trap("bare")}`, "project/docs/config");
  const workspace = shop.workspaceAt(join(project, "docs"));
  expect(await findGitRoot(workspace)).toBe(project);
  await gitSnapshot(workspace);
  expect(sprung()).toEqual([]);
});

test("variables that point git elsewhere are not obeyed", async () => {
  PLANTS["a clean filter"]?.();
  shop.write("project/a.txt", "two\n");
  shop.git("init", "-q", "-b", "other", "elsewhere");
  const { createLocalWorkspace } = await import("../../src/workspace/index.ts");
  const workspace = createLocalWorkspace({
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: shop.folder,
      GIT_DIR: join(shop.folder, "elsewhere/.git"),
      GIT_INDEX_FILE: "/x",
      GIT_CONFIG: "/dev/null", // it would hide the filter from whoever looks for one
      GIT_GLOB_PATHSPECS: "1",
    },
    watchdog: false,
  });
  expect((await gitSnapshot(workspace))?.branch).toBe("main");
  expect(sprung()).toEqual([]);
});

test("taking a snapshot writes nothing into the repository", async () => {
  utimesSync(join(project, "b.txt"), 1_000_000_000, 1_000_000_000); // a git that may write would note this in the index
  const before = shop.git("-C", "project", "hash-object", "--no-filters", ".git/index");
  await gitSnapshot(shop.workspaceAt(project));
  expect(shop.git("-C", "project", "hash-object", "--no-filters", ".git/index")).toBe(before);
  expect(existsSync(join(project, ".git/index.lock"))).toBe(false);
});
