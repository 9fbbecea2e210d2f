/** `/diff`: what changed, and whose change it is, with and without git. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DiffFile } from "../../../src/tui/index.ts";
import { type Asked, inTerminalHouse, saying, type TerminalHouse } from "../../support/terminal-house.ts";

/** `path +added −removed by`, in order. */
const shown = (asked: readonly Asked[]): readonly string[] => filesOf(asked).map(rowOf);

const filesOf = (asked: readonly Asked[]): readonly DiffFile[] =>
  asked.flatMap((one) => ("diff" in one ? one.files : []));

const rowOf = ({ path, added, removed, by }: DiffFile): string => `${path} +${added} −${removed} ${by ?? ""}`.trim();

const write = (house: TerminalHouse, name: string, text: string) => writeFileSync(join(house.cwd, name), text);

describe("without git", () => {
  test("KHAELOR's own changes are told from the log: from what was there before to what is there now", async () => {
    await inTerminalHouse({ files: { "a.txt": "one\ntwo\n", "b.txt": "same\n" } }, async (house) => {
      await house.open();
      expect(saying(await house.run("/diff"))[0]).toContain("no changes of this kind");
      await house.say("read a.txt\nedit a.txt one => ONE");
      await house.say("write new.txt hello\nrun echo more >> b.txt");
      await house.say("edit a.txt two => TWO");
      const asked = await house.run("/diff");
      expect(asked).toMatchObject([{ diff: "What KHAELOR changed in this session: 3 files, +4 −2" }]);
      expect(shown(asked)).toEqual(["a.txt +2 −2 khaelor", "new.txt +1 −0 khaelor", "b.txt +1 −0 khaelor"]);
      expect(filesOf(asked)[0]?.diff).toContain("-one\n-two\n+ONE\n+TWO\n");
      expect(shown(await house.run("/diff turn"))).toEqual(["a.txt +1 −1 khaelor"]);
      expect(shown(await house.run("/diff ./new.txt"))).toEqual(["new.txt +1 −0 khaelor"]);
      expect(await house.refusal("/diff all")).toContain("git cannot be asked here");
    });
  });

  test("what is again as it was is no change, what is gone is one, and what you touched since is both's", async () => {
    await inTerminalHouse({ files: { "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n" } }, async (house) => {
      await house.open();
      for (const name of ["a", "b", "c"]) await house.say(`read ${name}.txt\nedit ${name}.txt one => two`);
      write(house, "a.txt", "one\n");
      write(house, "b.txt", "two\nand mine\n");
      rmSync(join(house.cwd, "c.txt"));
      expect(shown(await house.run("/diff"))).toEqual(["b.txt +2 −1 both", "c.txt +0 −1 both"]);
      const [stat = ""] = saying(await house.run("/diff --stat"));
      expect(stat).toStartWith("What KHAELOR changed in this session (with your own lines): 2 files, +2 −2");
      expect(stat).toContain("| `b.txt` | 2 | 1 | both |");
    });
  });
});

describe("in a repository", () => {
  test("each file says whose it is: yours from before and meanwhile, KHAELOR's, and both's", async () => {
    const files = {
      "ours.txt": "1\n",
      "yours.txt": "1\n",
      "shared.txt": "1\n2\n",
      "still.txt": "1\n",
      "sub/x.txt": "1\n",
    };
    await inTerminalHouse({ files }, async (house) => {
      house.git("init", "-q");
      house.git("add", "-A");
      house.git("commit", "-q", "-m", "as found");
      write(house, "yours.txt", "mine\n");
      write(house, "shared.txt", "mine\n2\n");
      write(house, "draft.txt", "mine\n");
      await house.open();
      await house.say("read ours.txt\nedit ours.txt 1 => one");
      await house.say("read shared.txt\nedit shared.txt 2 => two\nwrite made.txt hello\nwrite sub/y.txt hello");
      mkdirSync(join(house.cwd, "more"));
      write(house, "more/z.txt", "mine\n");
      const all = (await house.run("/diff all")) as readonly Asked[];
      expect([...shown(all)].sort()).toEqual([
        "draft.txt +1 −0 you",
        "made.txt +1 −0 khaelor",
        "more/z.txt +1 −0 you",
        "ours.txt +1 −1 khaelor",
        "shared.txt +2 −2 both",
        "sub/y.txt +1 −0 khaelor",
        "yours.txt +1 −1 you",
      ]);
      const mine = shown(await house.run("/diff mine"));
      expect(mine).toEqual([
        "shared.txt +2 −2 both",
        "yours.txt +1 −1 you",
        "draft.txt +1 −0 you",
        "more/z.txt +1 −0 you",
      ]);
      expect(filesOf(await house.run("/diff"))[1]?.diff).toContain(" mine\n-2\n+two\n"); // without your part of it
      expect(shown(await house.run("/diff all sub"))).toEqual(["sub/y.txt +1 −0 khaelor"]);
      house.git("add", "yours.txt");
      expect(await house.run("/diff staged")).toMatchObject([{ files: [{ path: "yours.txt", added: 1, removed: 1 }] }]);
    });
  });

  test("names that git would quote, binary files and a repository without a commit are told as they are", async () => {
    await inTerminalHouse({ files: { "plain.txt": "1\n" } }, async (house) => {
      house.git("init", "-q");
      const strange = 'with "quotes" and\ttab é.txt';
      write(house, strange, "1\n");
      writeFileSync(join(house.cwd, "bin"), new Uint8Array([0, 1, 2, 255]));
      house.git("add", "-A");
      await house.open();
      expect(shown(await house.run("/diff staged"))).toEqual(["bin +0 −0", "plain.txt +1 −0", `${strange} +1 −0`]);
      house.git("commit", "-q", "-m", "one");
      write(house, strange, "2\n");
      const asked = await house.run("/diff mine");
      expect(shown(asked)).toEqual([`${strange} +1 −1 you`]);
      expect(filesOf(asked)[0]?.diff).toContain("-1\n+2\n");
    });
  });

  test("programs that the repository names are not run", async () => {
    await inTerminalHouse({ files: { "a.txt": "1\n" } }, async (house) => {
      house.git("init", "-q");
      house.git("add", "-A");
      house.git("commit", "-q", "-m", "one");
      house.git("config", "diff.external", "touch ran-external; true");
      house.git("config", "diff.x.textconv", "touch ran-textconv; cat");
      house.git("config", "core.fsmonitor", "touch ran-fsmonitor; true");
      write(house, ".gitattributes", "*.txt diff=x filter=x\n");
      house.git("config", "filter.x.clean", "touch ran-clean; cat");
      write(house, "a.txt", "2\n");
      await house.open();
      const paths = filesOf(await house.run("/diff mine")).map(({ path }) => path);
      expect(paths).toEqual(["a.txt", ".gitattributes"]);
      expect(readdirSync(house.cwd).filter((name) => name.startsWith("ran-"))).toEqual([]);
    });
  });
});
