/** What a command changed, told from a picture before it: under git, without it, and where nobody can tell. */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Change, createPictures, type Picture } from "../../src/repository/index.ts";
import { sha256 } from "../../src/shared/index.ts";
import { createLocalWorkspace } from "../../src/workspace/index.ts";

interface Site {
  readonly folder: string;
  readonly outside: string;
  readonly blobs: Map<string, Uint8Array>;
  write(name: string, content: string): void;
  /** Runs the command between a picture and the question what changed. */
  after(command: string, first?: readonly string[]): Promise<Told>;
  take(): Promise<Picture>;
  since(picture: Picture): Promise<Told>;
}

interface Told {
  /** `path: before -> after`, contents as text; `-` is no file, `?` is not known. */
  readonly changes: readonly string[];
  readonly unlisted: number;
}

async function onSite(setup: { readonly git: boolean }, run: (site: Site) => Promise<void>): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-pictures-")));
  const folder = join(root, "project");
  mkdirSync(folder);
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const workspace = createLocalWorkspace({ cwd: folder, env, watchdog: false });
  const blobs = new Map<string, Uint8Array>();
  const keeper = {
    put: async (content: Uint8Array) => {
      blobs.set(sha256(content), content.slice());
      return sha256(content);
    },
    get: async (hash: string) => blobs.get(hash),
  };
  const pictures = createPictures({ workspace, root: folder, keeper, now: Date.now });
  const shell = async (command: string) => {
    const ran = await workspace.exec({ command, timeoutMs: 60_000 });
    if (!ran.ok || ran.value.exitCode !== 0) throw new Error(`${command}: ${JSON.stringify(ran)}`);
  };
  const site: Site = {
    folder,
    outside: root,
    blobs,
    write(name, content) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    },
    take: () => pictures.take([]),
    async since(picture, first: readonly string[] = []) {
      const changes: string[] = [];
      const onChange = async (change: Change) => void changes.push(line(change, folder, blobs));
      const unlisted = await pictures.changesSince(picture, { first: new Set(first), onChange });
      return { changes, unlisted };
    },
    async after(command) {
      const picture = await pictures.take([]);
      await shell(command);
      return site.since(picture);
    },
  };
  try {
    if (setup.git) await shell(`git init -q . && git config user.name a && git config user.email a@b`);
    await run(site);
  } finally {
    await workspace.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function line(change: Change, folder: string, blobs: ReadonlyMap<string, Uint8Array>): string {
  const text = (hash: string | null | undefined, bytes: Uint8Array | undefined) =>
    hash === null ? "-" : hash === undefined ? "?" : JSON.stringify(Buffer.from(bytes ?? []).toString()).slice(1, -1);
  const before = change.beforeSha256 ? blobs.get(change.beforeSha256) : undefined;
  expect(before).toEqual(change.before ? Buffer.from(change.before) : (undefined as never));
  const name = change.path.slice(folder.length + 1);
  return `${name}: ${text(change.beforeSha256, before)} -> ${text(change.afterSha256, change.after)}`;
}

const COMMIT = "git add -A && git commit -q -m x";

describe("under git, a command", () => {
  test("that writes, makes, removes and renames leaves one change a file, each with what it held before", async () => {
    await onSite({ git: true }, async ({ write, after }) => {
      for (const name of ["clean", "dirty", "gone", "old"]) write(name, `${name}\n`);
      await after(COMMIT);
      write("dirty", "mine\n");
      write("untracked", "u\n");
      const told = await after("echo 1 >clean; echo 2 >dirty; rm gone; mv old new; echo 3 >untracked; mkdir d; echo 4 >d/e");
      expect(told).toEqual({
        changes: [
          "clean: clean\\n -> 1\\n",
          "d/e: - -> 4\\n",
          "dirty: mine\\n -> 2\\n",
          "gone: gone\\n -> -",
          "new: - -> old\\n",
          "old: old\\n -> -",
          "untracked: u\\n -> 3\\n",
        ],
        unlisted: 0,
      });
    });
  });

  test("that changes nothing, touches, stages or commits leaves none", async () => {
    await onSite({ git: true }, async ({ write, after }) => {
      write("a", "1\n");
      await after(COMMIT);
      write("a", "2\n");
      write("b", "3\n");
      for (const command of ["true", "touch a b", "git add -A", "git commit -q -m y", "touch a", "git rm -q --cached a"]) {
        expect(await after(command)).toEqual({ changes: [], unlisted: 0 });
      }
    });
  });

  test("of git itself that moves the work tree is seen through: checkout, stash, reset", async () => {
    await onSite({ git: true }, async ({ write, after }) => {
      write("a", "1\n");
      await after(COMMIT);
      write("a", "2\n");
      write("b", "new\n");
      await after(COMMIT);
      expect((await after("git checkout -q HEAD~1")).changes).toEqual(["a: 2\\n -> 1\\n", "b: new\\n -> -"]);
      expect((await after("git checkout -q -")).changes).toEqual(["a: 1\\n -> 2\\n", "b: - -> new\\n"]);
      write("a", "mine\n");
      expect((await after("git stash -q")).changes).toEqual(["a: mine\\n -> 2\\n"]);
      expect((await after("git stash pop -q")).changes).toEqual(["a: 2\\n -> mine\\n"]);
      expect((await after("git reset -q --hard HEAD~1")).changes).toEqual(["a: mine\\n -> 1\\n", "b: new\\n -> -"]);
    });
  });

  test("leaves no trace of what is ignored; what a changed .gitignore uncovers may have been there before", async () => {
    await onSite({ git: true }, async ({ write, after }) => {
      write(".gitignore", "dist/\n");
      write("dist/a", "built\n");
      await after(COMMIT);
      expect((await after("echo 2 >dist/a; echo 3 >dist/b")).changes).toEqual([]);
      expect((await after("echo >.gitignore")).changes).toEqual([
        ".gitignore: dist/\\n -> \\n",
        "dist/a: ? -> 2\\n",
        "dist/b: ? -> 3\\n",
      ]);
    });
  });

  test("that only changes what may be run is told with equal contents", async () => {
    await onSite({ git: true }, async ({ write, after }) => {
      write("run", "x\n");
      await after(COMMIT);
      expect((await after("chmod +x run")).changes).toEqual(["run: x\\n -> x\\n"]);
    });
  });

  test("cannot be told what git rewrites on the way out: then the content before is not known", async () => {
    await onSite({ git: true }, async ({ write, after }) => {
      write(".gitattributes", "*.bat eol=crlf\n*.txt text\n");
      write("a.bat", "1\r\n");
      write("a.txt", "1\n");
      await after(COMMIT);
      const told = await after("echo 2 >a.bat; echo 2 >a.txt");
      expect(told.changes).toEqual(["a.bat: ? -> 2\\n", "a.txt: 1\\n -> 2\\n"]);
    });
  });

  test("that touches links, submodules and repositories inside is followed into none of them", async () => {
    await onSite({ git: true }, async ({ write, after, folder, outside }) => {
      writeFileSync(join(outside, "secret"), "s\n");
      symlinkSync(join(outside, "secret"), join(folder, "link"));
      symlinkSync(outside, join(folder, "folder"));
      write("real", "r\n");
      await after(`${COMMIT}; git init -q inner; echo 1 >inner/a; git -C inner add a; git -C inner -c user.name=a -c user.email=a@b commit -qm x`);
      await after("git -c protocol.file.allow=always submodule add -q ./inner sub && git commit -qm sub");
      const told = await after("ln -sf /etc/hosts link; ln -sf real other; echo 2 >inner/a; echo 2 >sub/a; rm folder; rm real; ln -s /etc/hosts real");
      expect(told.changes).toEqual(["real: r\\n -> ?"]);
      expect((await after("rm link; echo mine >link; rm other; echo o >other")).changes).toEqual([
        "link: ? -> mine\\n",
        "other: ? -> o\\n",
      ]);
    });
  });

  test("of names that no shell likes keeps them as they are", async () => {
    await onSite({ git: true }, async ({ write, after }) => {
      const names = ["a b", "it's", "new\nline", "-n", "$(x)", "*", "ü"];
      for (const name of names) write(name, "1\n");
      await after(COMMIT);
      const told = await after(`for f in *; do printf 2 >"./$f"; done`);
      expect(told.changes.toSorted()).toEqual(names.map((name) => `${name}: 1\\n -> 2`).toSorted());
    });
  });

  test("that changes hundreds of files is told by two hundred, those of interest first, and by a number", async () => {
    await onSite({ git: true }, async ({ write, take, since, folder }) => {
      const picture = await take();
      for (let n = 0; n < 250; n++) write(`f${String(n).padStart(3, "0")}`, "x\n");
      const told = await (since as (p: Picture, first: readonly string[]) => Promise<Told>)(picture, ["f249"]);
      expect([told.changes[0], told.changes[1], told.changes.length, told.unlisted]).toEqual([
        "f249: - -> x\\n",
        "f000: - -> x\\n",
        200,
        50,
      ]);
      expect(folder).not.toBe("");
    });
  });

  test("that keeps size and time of a file is not deceiving", async () => {
    await onSite({ git: true }, async ({ write, folder, take, since }) => {
      write("a", "1\n");
      const long = new Date(2020, 1, 1);
      utimesSync(join(folder, "a"), long, long);
      await take();
      const picture = await take();
      write("a", "2\n");
      utimesSync(join(folder, "a"), long, long);
      expect((await since(picture)).changes).toEqual(["a: 1\\n -> 2\\n"]);
    });
  });
});

describe("what is not kept", () => {
  test("is told as changed, without the content before", async () => {
    await onSite({ git: true }, async ({ write, after, folder }) => {
      write("big", "x".repeat(9 * 1024 * 1024));
      chmodSync(join(folder, "big"), 0o600);
      expect((await after("true")).changes).toEqual([]);
      expect((await after("echo small >big")).changes).toEqual(["big: ? -> small\\n"]);
    });
  });
});

describe("without git, a command", () => {
  test("is told from every file but those of packages and builds", async () => {
    await onSite({ git: false }, async ({ write, after }) => {
      write("a", "1\n");
      write("src/b", "2\n");
      write("node_modules/x/c", "3\n");
      const told = await after("echo 9 >a; rm src/b; echo 9 >node_modules/x/c; mkdir -p dist new; echo 9 >dist/d; echo 9 >new/e");
      expect(told.changes).toEqual(["a: 1\\n -> 9\\n", "new/e: - -> 9\\n", "src/b: 2\\n -> -"]);
      expect((await after("git init -q .; echo 10 >a")).changes).toEqual(["a: 9\\n -> 10\\n"]);
    });
  });

  test("in a folder of too many files is told from those the session knows, and never more", async () => {
    await onSite({ git: false }, async ({ write, folder }) => {
      for (let n = 0; n < 1001; n++) writeFileSync(join(folder, `f${n}`), "x\n");
      write("known", "1\n");
      const workspace = createLocalWorkspace({ cwd: folder, env: { PATH: process.env.PATH }, watchdog: false });
      const blobs = new Map<string, Uint8Array>();
      const put = async (content: Uint8Array) => {
        blobs.set(sha256(content), content);
        return sha256(content);
      };
      const parts = { workspace, root: folder, keeper: { put, get: async (hash: string) => blobs.get(hash) } };
      const pictures = createPictures({ ...parts, now: Date.now });
      const picture = await pictures.take(["known"]);
      write("known", "2\n");
      write("f1", "changed\n");
      const changes: string[] = [];
      const onChange = async (change: Change) => void changes.push(line(change, folder, blobs));
      expect(await pictures.changesSince(picture, { first: new Set(), onChange })).toBe(0);
      expect(changes).toEqual(["known: 1\\n -> 2\\n"]);
      await workspace.close();
    });
  });
});

test("a picture outlives the program as a text, the same for the same contents", async () => {
  await onSite({ git: true }, async ({ write, take, since, folder, blobs }) => {
    write("a", "1\n");
    const workspace = createLocalWorkspace({ cwd: folder, env: { PATH: process.env.PATH }, watchdog: false });
    const keeper = { put: async () => undefined, get: async (hash: string) => blobs.get(hash) };
    const pictures = createPictures({ workspace, root: folder, keeper, now: Date.now });
    const picture = await take();
    const text = pictures.text(picture);
    utimesSync(join(folder, "a"), 1, 1);
    expect(pictures.text(await take())).toBe(text);
    write("a", "2\n");
    const again = pictures.from(text);
    expect(again && (await since(again)).changes).toEqual(["a: 1\\n -> 2\\n"]);
    expect([pictures.from("{}"), pictures.from("no"), pictures.from(text.replace(folder, "/elsewhere"))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await workspace.close();
  });
});
