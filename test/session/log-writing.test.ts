/** The cases of test/cases/log.json about writing and listing: a disk that fails, a file that others touch, a cache that is gone. */
import { describe, expect, test } from "bun:test";
import { closeSync, mkdirSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { storePaths, systemDisk } from "../../src/session/index.ts";
import { LogFile } from "../../src/session/store/log-file.ts";
import type { KhaelorEvent } from "../../src/shared/index.ts";
import { bytesOf, laidOut, message, named } from "./cases.ts";
import { ID, lines, PROJECT, said, started, workshop } from "./workshop.ts";

describe("writing", () => {
  test("log-047: a full disk throws, shows nobody anything, and leaves no partial line", async () => {
    let room = 1_000_000;
    const write = (fd: number, bytes: Uint8Array, offset: number, length: number): number => {
      if (room === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      const count = writeSync(fd, bytes, offset, Math.min(length, room));
      room -= count;
      return count;
    };
    using shop = laidOut(named("log-047"), workshop({ disk: { ...systemDisk, write } }));
    const before = shop.text();
    const session = await shop.store.open(ID);
    const seen: KhaelorEvent[] = [];
    session.bus.onAny((event) => seen.push(event));
    const state = session.state();

    room = 20;
    expect(() => session.publish(message("does not fit"))).toThrow(/disk full.*free some space/);
    expect(seen).toEqual([]);
    expect(session.state()).toBe(state);
    expect(shop.text()).toBe(before);

    room = 1_000_000;
    const next = session.publish(message("fits"));
    expect(next.seq).toBe(10);
    expect(seen).toEqual([next]);
    expect(shop.text()).toBe(`${before}${JSON.stringify(next)}\n`);
    await session.close();
  });

  test("a cut line that cannot be taken back has nothing written behind it", async () => {
    using shop = laidOut(named("log-047"));
    const before = shop.text();
    // A descriptor for reading cannot truncate; what it writes goes through another one.
    const reading = openSync(shop.log(), "r");
    const writing = openSync(shop.log(), "a");
    const failing = (_fd: number, bytes: Uint8Array, offset: number): number => {
      if (offset > 0) throw Object.assign(new Error("i/o error"), { code: "EIO" });
      return writeSync(writing, bytes, 0, 5);
    };
    const log = new LogFile(shop.log(), reading, Buffer.byteLength(before), { ...systemDisk, write: failing });
    expect(() => log.append("first")).toThrow(/i\/o error/);
    expect(shop.text()).toBe(`${before}first`);
    expect(() => log.append("second")).toThrow(/could not remove a half-written line/);
    expect(shop.text()).toBe(`${before}first`);
    await log.close();
    closeSync(writing);
  });

  test("a torn end is safe in a file of its own, name and all, before the log loses it", async () => {
    const [whole, torn] = [lines(started(), said(2, "x")), '{"v":1,"id"'];
    const seen: [folder: string, log: string, kept: string][] = [];
    const syncFolder = (folder: string): void => {
      seen.push([folder, shop.text(), readFileSync(`${shop.log()}.torn`, "utf8")]);
    };
    using shop = workshop({ disk: { ...systemDisk, syncFolder } });
    for (const already of ["", torn]) {
      shop.write(`${whole}${torn}`);
      const session = await shop.store.open(ID);
      await session.close();
      expect([shop.text(), readFileSync(`${shop.log()}.torn`, "utf8")]).toEqual([whole, `${already}${torn}`]);
    }
    expect(seen).toEqual([[dirname(shop.log()), `${whole}${torn}`, torn]]); // the second time it has its name
  });

  test("log-049: a log that someone emptied takes no further line", async () => {
    using room = laidOut(named("log-049"));
    const session = await room.store.open(ID);
    truncateSync(room.log(), 0);
    const attempt = () => session.publish(message("again"));
    expect(attempt).toThrow(/changed from \d+ to 0 bytes by another program/);
    expect(attempt).toThrow(expect.objectContaining({ kind: "changed-outside" }));
    expect(room.text()).toBe("");
    await session.close().catch(() => undefined);
  });

  test("log-051: 500 events in one tick are gapless, in order, one write each", async () => {
    const writes: number[] = [];
    const counting = (fd: number, bytes: Uint8Array, offset: number, length: number): number => {
      writes.push(bytes.indexOf(0x0a) + 1 - length);
      return writeSync(fd, bytes, offset, length);
    };
    using room = laidOut(named("log-051"), workshop({ disk: { ...systemDisk, write: counting } }));
    const session = await room.store.open(ID);
    const published = Array.from({ length: 500 }, (_, at) => session.publish(message(`m${at}`)));
    await session.close();
    expect(published.map(({ seq }) => seq)).toEqual(Array.from({ length: 500 }, (_, at) => at + 10));
    expect(writes).toEqual(Array.from({ length: 500 }, () => 0));
    const tail: unknown[] = [];
    for await (const event of room.store.read(ID)) if (event.seq > 9) tail.push(event);
    expect(tail).toEqual(published);
  });
});

describe("listing", () => {
  for (const id of ["log-055", "log-056"]) {
    test(`${id}: ${named(id).describe} The list is right and the cache is made again`, async () => {
      using room = laidOut(named(id));
      const first = await room.store.list();
      expect(first.map(({ meta }) => meta?.title)).toEqual(["fix the test"]);
      const cache = JSON.parse(readFileSync(room.log().replace(".jsonl", ".meta.json"), "utf8"));
      expect(cache).toMatchObject({ isWhole: true, read: { state: { id: ID, told: { title: "fix the test" } } } });
      expect(await room.store.list()).toEqual(first); // from it
      expect(await room.store.list()).toEqual(first);
    });
  }

  test("log-058: one bad file among fifty is marked and hides none", async () => {
    using room = workshop();
    const one = named("log-058");
    const ids = Array.from({ length: 50 }, (_, at) => `01J8ZQ0000SESS00000000${String(at).padStart(4, "0")}`);
    for (const id of ids) {
      const path = storePaths(room.home).log(PROJECT, id);
      mkdirSync(dirname(path), { recursive: true });
      const text = bytesOf(one).toString().replaceAll(ID, id);
      writeFileSync(path, id === ids[17] ? text.replace('"seq":4', '"seq":') : text);
    }
    const listed = await room.store.list({ projectHash: PROJECT });
    const marked = listed.filter((it) => it.damaged !== undefined);
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(marked.map(({ id }) => id)).toEqual([ids[17] ?? ""]);
    expect(marked[0]?.damaged).toMatch(/^line 4 \(byte \d+\): not JSON/);
  });
});
