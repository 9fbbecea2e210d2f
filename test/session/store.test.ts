/** The files of a home folder: who may read them, what the list says, and content by its hash. */
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { projectHash, systemDisk } from "../../src/session/index.ts";
import { storeFailure } from "../../src/session/store/failure.ts";
import { sha256, toBytes } from "../../src/shared/index.ts";
import { ID, line, lines, PROJECT, STARTED, said, started, type Workshop, workshop } from "./workshop.ts";

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const OTHER = "01J8ZQ0000SESS0000000000QQ";
const metaPath = (room: Workshop, id = ID): string => room.log(id).replace(".jsonl", ".meta.json");

test("everything a session leaves is for its owner only", async () => {
  using room = workshop();
  const session = await room.store.create(STARTED);
  const blob = await session.blobs.put(toBytes("x"));
  await session.close();
  const folders = ["sessions", join("sessions", PROJECT), "blobs"].map((name) => mode(join(room.home, name)));
  expect(folders).toEqual(["700", "700", "700"]);
  const files = [session.path, metaPath(room, session.id), join(room.home, "blobs", blob)];
  expect(files.map(mode)).toEqual(["600", "600", "600"]);
  expect(readdirSync(join(room.home, "sessions", PROJECT)).toSorted()).toEqual([
    `${session.id}.jsonl`,
    `${session.id}.meta.json`,
  ]);
});

test("a session that could not begin leaves no file", async () => {
  const write = () => {
    throw Object.assign(new Error("quota"), { code: "EDQUOT" });
  };
  using room = workshop({ disk: { ...systemDisk, write } });
  await expect(room.store.create(STARTED)).rejects.toMatchObject({ kind: "full" });
  expect(readdirSync(join(room.home, "sessions", PROJECT))).toEqual([]);
});

test("a folder in the way is told as what it is, whoever meets it", async () => {
  for (const block of [
    (path: string) => symlinkSync("sessions", path),
    (path: string) => writeFileSync(path, "no folder"),
  ]) {
    using room = workshop();
    block(join(room.home, "sessions"));
    await expect(room.store.create(STARTED)).rejects.toMatchObject({ name: "StoreError", kind: "io" });
  }
  using room = workshop();
  symlinkSync("sessions", join(room.home, "sessions"));
  await expect(room.store.list()).rejects.toMatchObject({ name: "StoreError", kind: "io" });
  await expect(room.store.locate(ID)).rejects.toMatchObject({ name: "StoreError", kind: "io" });
});

test("a project is named by its root, shortly and always the same", () => {
  expect(projectHash("/home/dev/proj")).toBe(projectHash("/home/dev/proj"));
  expect(projectHash("/home/dev/proj")).toMatch(/^[0-9a-f]{16}$/);
  expect(projectHash("/home/dev/proj")).not.toBe(projectHash("/home/dev/proj2"));
});

test("errors of the system become kinds that a person can act on", () => {
  const kind = (code: string) => storeFailure(Object.assign(new Error("x"), { code }), "write y").kind;
  expect(["ENOSPC", "EFBIG", "EDQUOT"].map(kind)).toEqual(["full", "full", "full"]);
  expect(["EROFS", "EACCES", "EPERM"].map(kind)).toEqual(["read-only", "read-only", "read-only"]);
  expect(["EIO", "ENOENT"].map(kind)).toEqual(["io", "not-found"]);
});

describe("the list", () => {
  async function titles(room: Workshop): Promise<readonly (string | undefined)[]> {
    return (await room.store.list()).map(({ meta }) => meta?.title);
  }

  test("is newest first, of one project or of all, and made of what the log says", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "older")));
    room.write(lines(started(), said(2, "newer"), said(3, "x")).replaceAll(ID, OTHER), OTHER);
    const session = await room.store.create({ ...STARTED, projectHash: "cd34", title: "elsewhere" });
    await session.close();
    expect(await titles(room)).toEqual(["elsewhere", "newer", "older"]);
    expect((await room.store.list({ projectHash: PROJECT })).map(({ id }) => id)).toEqual([OTHER, ID]);
    expect(await room.store.list({ projectHash: "none" })).toEqual([]);
  });

  test("is empty where nothing ever was", async () => {
    using room = workshop();
    expect(await room.store.list()).toEqual([]);
  });

  test("uses a cache while the log is as it was, and no longer", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "first")));
    await room.store.list();
    const cache = readFileSync(metaPath(room), "utf8");
    expect(cache.split('"first"')).toHaveLength(2); // each fact stands in it once
    writeFileSync(metaPath(room), cache.replace('"title":"first"', '"title":"from the cache"'));
    expect(await titles(room)).toEqual(["from the cache"]);
    room.write(lines(started(), said(2, "first"), line(3, "session.renamed", { title: "later" })));
    expect(await titles(room)).toEqual(["later"]);
    const { mtime } = statSync(room.log());
    room.write(lines(started(), said(2, "first")));
    utimesSync(room.log(), mtime, mtime);
    expect(await titles(room)).toEqual(["first"]);
  });

  test("needs no cache, whatever stands in its place", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "the truth")));
    await room.store.list();
    const cache = readFileSync(metaPath(room));
    const spoiled = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.nat({ max: cache.length - 2 }).map((end) => cache.subarray(0, end)),
      fc.json().map((text) => toBytes(text)),
      fc
        .constantFrom('"form":2', '"costUsd":"free"')
        .map((wrong) =>
          toBytes(cache.toString().replace(wrong.startsWith('"form') ? '"form":1' : '"costUsd":0', wrong)),
        ),
    );
    const property = fc.asyncProperty(spoiled, async (bytes) => {
      writeFileSync(metaPath(room), bytes);
      expect(await titles(room)).toEqual(["the truth"]);
    });
    await fc.assert(property, { seed: 5, numRuns: 80 });
    rmSync(metaPath(room));
    mkdirSync(metaPath(room));
    expect(await titles(room)).toEqual(["the truth"]);
  });

  test("shows a torn log by its good lines, and a log of a newer version as such", async () => {
    using room = workshop();
    room.write(`${lines(started(), said(2, "torn"))}{"v":1`);
    const critical = line(2, "weather.changed", {}, { critical: true });
    room.write(lines(started(), critical).replaceAll(ID, OTHER), OTHER);
    const listed = await room.store.list();
    expect(listed.find(({ id }) => id === ID)).toMatchObject({ meta: { title: "torn", events: 2 } });
    expect(listed.find(({ id }) => id === OTHER)).toMatchObject({
      meta: { title: "demo" },
      damaged: expect.stringContaining("needs a newer version"),
      newer: true,
    });
  });

  test("calls a log that holds another session's lines damaged, by whatever name a check is given it", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "copied")), OTHER);
    const damage = [{ line: 1, byte: 0, reason: `the file is named ${OTHER}, but holds session ${ID}` }];
    for (const name of [OTHER, room.log(OTHER)]) {
      expect(await room.store.check(name)).toMatchObject({ sessionId: OTHER, verdict: "damaged", damage });
    }
    const copy = join(room.home, `${OTHER}.jsonl`);
    writeFileSync(copy, readFileSync(room.log(OTHER)));
    expect(await room.store.check(copy)).toMatchObject({ sessionId: ID, verdict: "ok" });
    expect(await room.store.list()).toMatchObject([{ id: OTHER, damaged: expect.not.stringContaining("newer") }]);
  });

  test("passes over what is no log", async () => {
    using room = workshop();
    room.write(lines(started()));
    writeFileSync(join(room.home, "sessions", "stray.txt"), "x");
    writeFileSync(room.log().replace(ID, "notes"), "x");
    mkdirSync(room.log(OTHER));
    const listed = (await room.store.list()).map(({ id, damaged }) => `${id} ${damaged !== undefined}`);
    expect(listed.toSorted()).toEqual([`${ID} false`, `${OTHER} true`]);
  });
});

describe("blobs", () => {
  test("give back what was put, under its hash, however often it is put", async () => {
    using room = workshop();
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (content) => {
      const name = await room.store.blobs.put(content);
      expect(name).toBe(sha256(content));
      expect(await room.store.blobs.put(content)).toBe(name);
      expect(await room.store.blobs.get(name)).toEqual(content);
    });
    await fc.assert(property, { seed: 1, numRuns: 40 });
  });

  test("that do not match their name count as missing, and are healed by putting them again", async () => {
    using room = workshop();
    const name = await room.store.blobs.put(toBytes("precious"));
    const path = join(room.home, "blobs", name);
    for (const spoiled of ["", "preciouS", "longer than before"]) {
      writeFileSync(path, spoiled);
      expect(await room.store.blobs.get(name)).toBeUndefined();
      expect(await room.store.blobs.put(toBytes("precious"))).toBe(name);
      expect(await room.store.blobs.get(name)).toEqual(toBytes("precious"));
    }
    expect(readdirSync(join(room.home, "blobs"))).toEqual([name]);
  });

  test("are asked for by a hash and by nothing else", async () => {
    using room = workshop();
    await room.store.blobs.put(toBytes("x"));
    writeFileSync(join(room.home, "secret"), "s");
    for (const name of ["../secret", "", "x".repeat(64), sha256("unknown"), sha256("x").toUpperCase()]) {
      expect(await room.store.blobs.get(name)).toBeUndefined();
    }
  });
});

test("a log that was deleted or replaced while open takes no further line", async () => {
  for (const vanish of [(path: string) => rmSync(path), (path: string) => renameOver(path)]) {
    using room = workshop();
    room.write(lines(started()));
    const session = await room.store.open(ID);
    vanish(room.log());
    const attempt = () => session.publish({ type: "session.renamed", payload: { title: "x" } });
    expect(attempt).toThrow(/deleted or replaced/);
    expect(attempt).toThrow(expect.objectContaining({ kind: "changed-outside" }));
    await expect(session.sync()).rejects.toMatchObject({ kind: "changed-outside" });
    await session.close().catch(() => undefined);
  }
});

function renameOver(path: string): void {
  writeFileSync(`${path}.new`, lines(started()));
  renameSync(`${path}.new`, path);
}

test.skipIf(process.getuid?.() === 0)("a log that may not be written is refused as read-only", async () => {
  using room = workshop();
  room.write(lines(started()));
  chmodSync(room.log(), 0o400);
  await expect(room.store.open(ID)).rejects.toMatchObject({ kind: "read-only" });
});
