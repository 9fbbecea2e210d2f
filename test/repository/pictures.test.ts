/** What a command changed, told from a picture before it: under git, without it, and where nobody can tell. */
import { describe, expect, test } from "bun:test";
import { chmodSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Change, createPictures } from "../../src/repository/index.ts";
import { sha256 } from "../../src/shared/index.ts";
import { createLocalWorkspace } from "../../src/workspace/index.ts";
import { line, onSite } from "./picture-site.ts";

const COMMIT = "git add -A && git commit -q -m x";

describe("under git, a command", () => {
  test("that writes, makes, removes and renames leaves one change a file, each with what it held before", async () => {
    await onSite({ git: true }, async ({ write, after }) => {
      for (const name of ["clean", "dirty", "gone", "old"]) write(name, `${name}\n`);
      await after(COMMIT);
      write("dirty", "mine\n");
      write("untracked", "u\n");
      const told = await after(
        "echo 1 >clean; echo 2 >dirty; rm gone; mv old new; echo 3 >untracked; mkdir d; echo 4 >d/e",
      );
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
      for (const command of [
        "true",
        "touch a b",
        "git add -A",
        "git commit -q -m y",
        "touch a",
        "git rm -q --cached a",
      ]) {
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

  test("that uncovers what was ignored and leaves it alone has not changed it", async () => {
    await onSite({ git: true }, async ({ write, after, take, since }) => {
      write(".gitignore", "dist/\n");
      await after(COMMIT);
      write("dist/a", "built\n");
      const picture = await take();
      write(".gitignore", "");
      // As if the file had been there long before the picture.
      const told = await since({ ...picture, takenAt: Date.now() + 60_000 });
      expect(told.changes).toEqual([".gitignore: dist/\\n -> "]);
    });
  });

  test("behind hundreds of files that it leaves as they are is told as well, with what the file held", async () => {
    await onSite({ git: true }, async ({ write, after }) => {
      write("a", "1\n");
      await after(COMMIT);
      for (let n = 0; n < 210; n++) write(`f${n}`, "x\n");
      write("z", "1\n");
      await after(COMMIT);
      const told = await after("git reset -q --soft HEAD~1; echo 2 >z; echo 2 >a");
      expect(told).toEqual({ changes: ["a: 1\\n -> 2\\n", "z: 1\\n -> 2\\n"], unlisted: 0 });
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
      await after(
        `${COMMIT}; git init -q inner; echo 1 >inner/a; git -C inner add a; git -C inner -c user.name=a -c user.email=a@b commit -qm x`,
      );
      await after("git -c protocol.file.allow=always submodule add -q ./inner sub && git commit -qm sub");
      const told = await after(
        "ln -sf /etc/hosts link; ln -sf real other; echo 2 >inner/a; echo 2 >sub/a; rm folder; rm real; ln -s /etc/hosts real",
      );
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
      const told = await since(picture, ["f249"]);
      expect([told.changes[0], told.changes[1], told.changes.length, told.unlisted]).toEqual([
        "f249: - -> x\\n",
        "f000: - -> x\\n",
        200,
        50,
      ]);
      expect(folder).not.toBe("");
    });
  });

  const later = () => Date.now() + 60_000;

  test("that keeps size and time of a file is not deceiving", async () => {
    await onSite({ git: true, now: later }, async ({ write, folder, take, since }) => {
      write("a", "1\n");
      utimesSync(join(folder, "a"), 1, 1);
      const picture = await take();
      write("a", "2\n");
      utimesSync(join(folder, "a"), 1, 1);
      expect((await since(picture)).changes).toEqual(["a: 1\\n -> 2\\n"]);
    });
  });

  test("finds what was kept before it and was not touched since; times as young as the picture prove nothing", async () => {
    await onSite({ git: true, now: later }, async ({ write, take, puts }) => {
      write("a", "1\n");
      await take();
      write("b", "2\n");
      await take();
      expect(puts).toEqual(["1\n", "2\n"]);
    });
    await onSite({ git: true, now: () => 0 }, async ({ write, take, puts }) => {
      write("a", "1\n");
      await take();
      await take();
      expect(puts).toEqual(["1\n", "1\n"]);
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
      const told = await after(
        "echo 9 >a; rm src/b; echo 9 >node_modules/x/c; mkdir -p dist new; echo 9 >dist/d; echo 9 >new/e",
      );
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
      // A list that failed once is asked for again, one that failed twice is not.
      rmSync(join(folder, "f2"));
      rmSync(join(folder, "f3"));
      const again = await pictures.take([]);
      for (const name of ["f2", "f3"]) write(name, "x\n");
      for (let n = 0; n < 2; n++) await pictures.take([]);
      rmSync(join(folder, "f2"));
      rmSync(join(folder, "f3"));
      expect([again.lacks, (await pictures.take([])).lacks]).toEqual(["nothing", "anything"]);
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
