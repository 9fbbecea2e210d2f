/**
 * The disk fails at each line of a turn in its turn: the run ends with one sentence, what anybody was shown of it is in the log,
 * nothing of it claims to be done, and once the disk is well again the same session is finished.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeFailure } from "../../src/cli/failure.ts";
import { MACHINE } from "../../src/cli/outside.ts";
import { type Disk, systemDisk } from "../../src/session/index.ts";
import { StoreError } from "../../src/shared/index.ts";
import type { Script } from "../../src/simulator/index.ts";
import { bash, type Driven, edit, expectSound, inHouse, read, say, text, thinking, turn } from "./driving.ts";
import { engineIn } from "./engines.ts";

const systemError = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

interface FailingDisk extends Disk {
  /** So many lines can still be written; the next one is cut after a few bytes. */
  room: number;
  code: string;
  /** So many flushes succeed. */
  flushes: number;
  /** Blobs cannot be stored. */
  isBlobless: boolean;
}

function failingDisk(): FailingDisk {
  let isCut = false;
  const disk: FailingDisk = {
    ...systemDisk,
    room: Number.POSITIVE_INFINITY,
    code: "ENOSPC",
    flushes: Number.POSITIVE_INFINITY,
    isBlobless: false,
    write(fd, bytes, offset, length) {
      if (disk.room > 0) {
        disk.room--;
        return systemDisk.write(fd, bytes, offset, length);
      }
      if (isCut || disk.code !== "ENOSPC") {
        isCut = false;
        throw systemError(disk.code);
      }
      isCut = true; // a full disk takes a part first, and says so only the next time
      return systemDisk.write(fd, bytes, offset, Math.min(7, length));
    },
    async flush(fd) {
      if (disk.flushes-- <= 0) throw systemError(disk.code);
      return systemDisk.flush(fd);
    },
    async replace(path, content) {
      if (disk.isBlobless) throw systemError(disk.code);
      return systemDisk.replace(path, content);
    },
  };
  return disk;
}

const files = { "a.txt": "one\n", "check.sh": "grep -q two a.txt\n" };

let cwd = "";
const content = (): string => readFileSync(join(cwd, "a.txt"), "utf8");

/** By what is so, and not by how often it was asked: then it goes on wherever it was cut. */
const script: Script = ({ body }) => {
  const said = JSON.stringify(body.messages);
  if (content() === "two\n") return said.includes("checked-it\\n") ? say("Done.") : CHECK;
  return /"tool_result"[^}]*one/.test(said) ? EDIT : READ;
};
const READ = turn(thinking("First I read."), text("Reading."), read("a.txt"));
const EDIT = turn(text("Editing."), edit("a.txt", "one", "two"));
const CHECK = turn(bash("sh check.sh && echo checked-it"));

/** Everything that a subscriber saw is in the log, and in the same words. */
function expectNothingLost({ events, engine }: Driven): void {
  const lines = new Set(readFileSync(engine.session.path, "utf8").split("\n"));
  expect(events.filter((event) => !lines.has(JSON.stringify(event)))).toEqual([]);
}

async function untilItDies(house: Driven): Promise<StoreError> {
  const died = await house.settled().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(died instanceof StoreError)) throw new Error(`it did not die of its log: ${died}`);
  return died;
}

async function goOn(house: Driven, disk: Disk): Promise<void> {
  const { session } = house.engine;
  await house.engine.close().catch(() => undefined); // a log that broke says so once more
  house.engine = await engineIn(house, { resume: session.id, outside: { ...MACHINE, disk } });
  if (house.engine.session.state().turn.turns === 0) await house.say("work");
  house.engine.agent.resume();
  await house.settled();
  expect(house.engine.session.state().meta.lastOutcome).toBe("completed");
  expect(content()).toBe("two\n");
  await expectSound(house);
}

/** How many lines a turn writes; every one of them is tried. */
const MOST_LINES = 40;

describe.each([
  ["ENOSPC", "full"],
  ["EIO", "io"],
  ["EROFS", "read-only"],
] as const)("%s", (code, kind) => {
  test("at any line of a turn", async () => {
    const stride = code === "ENOSPC" ? 1 : 4;
    let isOver = false;
    for (let room = 0; room < MOST_LINES && !isOver; room += stride) {
      const disk = failingDisk();
      await inHouse({ script, files, outside: { disk } }, async (house) => {
        cwd = house.cwd;
        Object.assign(disk, { room, code });
        try {
          house.submit("work");
        } catch (error) {
          expect(error).toBeInstanceOf(StoreError); // not even the message could be recorded: who said it is told
          expect(house.events).toEqual([]);
        }
        const died = await house.settled().then(
          () => undefined,
          (error: unknown) => error,
        );
        if (died !== undefined) {
          expect([died instanceof StoreError && died.kind, describeFailure(died).exitCode]).toEqual([kind, 10]);
          expect(describeFailure(died).message).toMatch(/free some space|Check the disk|KHAELOR_HOME/);
        }
        isOver = house.of("task.completed").length > 0;
        expectNothingLost(house);
        disk.room = Number.POSITIVE_INFINITY;
        if (!isOver) await goOn(house, disk);
      });
    }
    expect(isOver).toBe(true);
  }, 60_000);
});

test("a flush that fails ends the run before anything is claimed, and before the next command runs", async () => {
  for (const flushes of [0, 1, 2, 3]) {
    const disk = failingDisk();
    await inHouse({ script, files, outside: { disk } }, async (house) => {
      cwd = house.cwd;
      Object.assign(disk, { flushes, code: "EIO" });
      house.submit("work");
      const { kind, message } = await untilItDies(house);
      expect([kind, message]).toEqual(["io", expect.stringMatching(/onto the disk: EIO.*Check the disk.*fsck/)]);
      expect(house.of("task.completed")).toEqual([]);
      expectNothingLost(house);
      disk.flushes = Number.POSITIVE_INFINITY;
      await goOn(house, disk);
    });
  }
});

test("a disk that takes no copy of a file before it is changed leaves that file as it is", async () => {
  const disk = failingDisk();
  const flags = { limits: { maxTurns: 4 } };
  await inHouse({ script, files, flags, outside: { disk } }, async (house) => {
    cwd = house.cwd;
    house.engine.session.bus.on("tool.started", () => Object.assign(disk, { isBlobless: true }));
    house.submit("work");
    await house.settled();
    expect(house.of("tool.failed").map(({ modelText }) => modelText)).toContainEqual(
      expect.stringContaining("disk full (ENOSPC): could not store"),
    );
    const changed = house.of("file.modified").filter(({ operation }) => operation === "edit");
    expect([changed, content()]).toEqual([[], "one\n"]);
    disk.isBlobless = false;
    expectNothingLost(house);
  });
});

test("a stop that cannot be recorded stops all the same: a command does not run on", async () => {
  const disk = failingDisk();
  const slow: Script = (request) => (content() === "two\n" ? script(request) : SLOW);
  await inHouse({ script: slow, files, outside: { disk } }, async (house) => {
    cwd = house.cwd;
    const begun = house.next("tool.output");
    house.submit("work");
    await begun;
    disk.room = 0;
    expect(() => house.interrupt()).toThrow(/disk full/);
    expect(await untilItDies(house)).toMatchObject({ kind: "full" });
    expectNothingLost(house);
    disk.room = Number.POSITIVE_INFINITY;
    await goOn(house, disk);
  });
});
const SLOW = turn(bash("echo two > a.txt; echo begun; sleep 300"));

test("a stop that cannot be recorded ends a turn that waits for consent, too", async () => {
  const disk = failingDisk();
  const flags = { permissionMode: "ask" } as const;
  await inHouse({ script, files, flags, somebodyToAsk: true, outside: { disk } }, async (house) => {
    cwd = house.cwd;
    const asked = house.next("permission.requested");
    house.submit("work");
    await asked;
    disk.room = 0;
    expect(() => house.interrupt()).toThrow(/disk full/);
    expect(await untilItDies(house)).toMatchObject({ kind: "full" });
    expectNothingLost(house);
    disk.room = Number.POSITIVE_INFINITY;
    await house.reopen();
    house.interrupt();
  });
});
