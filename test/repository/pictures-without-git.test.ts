/** Commands that take git away from under the project, or uncover what it hid: nothing is lost, and nothing is called new that was there. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { onSite } from "./picture-site.ts";

const COMMIT = "git add -A && git commit -q -m x";

test("a command that ends a repository inside the project uncovers files that were there before", async () => {
  await onSite({ git: true }, async ({ write, after, take, since, folder }) => {
    write("a", "1\n");
    await after(`${COMMIT}; git init -q inner; echo 1 >inner/a; git -C inner add a`);
    const picture = await take();
    rmSync(join(folder, "inner/.git"), { recursive: true });
    write("inner/a", "2\n");
    write("made", "3\n");
    expect((await since(picture)).changes).toEqual(["inner/a: ? -> 2\\n", "made: - -> 3\\n"]);
    // As if all had been there long before the picture.
    expect((await since({ ...picture, takenAt: Date.now() + 60_000 })).changes).toEqual(["made: - -> 3\\n"]);
  });
});

test("a command that uncovers what the repository's own list of ignored files hid", async () => {
  await onSite({ git: true }, async ({ write, after }) => {
    write(".git/info/exclude", "hidden\n");
    write("hidden", "1\n");
    expect((await after("echo >.git/info/exclude; echo 2 >hidden")).changes).toEqual(["hidden: ? -> 2\\n"]);
  });
});

test("a command that breaks or removes the repository is told from the age of files, and the next ones as without git", async () => {
  for (const breakIt of ["rm -rf .git", "echo garbage >.git/index", "echo '[' >.git/config"]) {
    await onSite({ git: true }, async ({ write, after, take, since, run }) => {
      write("a", "1\n");
      write("b", "1\n");
      await after(COMMIT);
      const picture = await take();
      await run(`${breakIt}; echo 2 >a; echo new >c`);
      const { changes } = await since(picture);
      expect(changes).toContain("a: ? -> 2\\n");
      expect(changes).toContain("c: ? -> new\\n");
      expect((await since({ ...picture, takenAt: Date.now() + 60_000 })).changes).toEqual([]);
      expect((await after("echo 3 >b")).changes).toEqual(["b: 1\\n -> 3\\n"]);
    });
  }
});
