/** How much of a long output may be kept: for one session, for all, and when the folder itself is in the way. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spillRoomIn } from "../../src/cli/spill-room.ts";

const MIB = 1024 * 1024;
const LIMITS = { folderBytes: 3 * MIB, sessionBytes: 2 * MIB };

let folder = "";
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "khaelor-spill-")), "spill");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const keep = (name: string, bytes: number): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), Buffer.alloc(bytes));
};

test("what is left is the smaller of the session's share and the folder's, and files of others count for the folder alone", async () => {
  const room = spillRoomIn(folder, "A", LIMITS);
  expect(await room()).toEqual({ bytes: 2 * MIB }); // no folder yet
  keep("A-1.txt", MIB / 2);
  expect(await room()).toEqual({ bytes: 1.5 * MIB });
  keep("B-1.txt", 2 * MIB);
  expect(await room()).toEqual({ bytes: 0.5 * MIB });
});

test("a share that is used up is told with a way out, and nothing is kept", async () => {
  keep("A-1.txt", 2 * MIB);
  const way = "the user can make room with khaelor sessions prune";
  const own = { bytes: 0, why: `the long outputs of this session fill their 2 MiB; ${way}` };
  expect(await spillRoomIn(folder, "A", LIMITS)()).toEqual(own);
  expect(await spillRoomIn(folder, "B", LIMITS)()).toEqual({ bytes: MIB });
  keep("C-1.txt", MIB);
  const all = { bytes: 0, why: `the long outputs of all sessions fill their 3 MiB; ${way}` };
  expect(await spillRoomIn(folder, "B", LIMITS)()).toEqual(all);
});

test("a file in the folder's place costs the outputs and not the commands", async () => {
  writeFileSync(folder, "");
  expect(await spillRoomIn(folder, "A", LIMITS)()).toEqual({
    bytes: 0,
    why: expect.stringContaining("the folder of long outputs cannot be used (ENOTDIR"),
  });
});
