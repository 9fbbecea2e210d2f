/** Reading a log line by line: as it stands, behind damage, and while it grows. */
import { describe, expect, test } from "bun:test";
import { appendFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import type { LogLine } from "../../src/session/index.ts";
import { ID, line, lines, said, started, type Workshop, workshop } from "./workshop.ts";

const words = (one: LogLine): string => ("problem" in one ? `! ${one.problem}` : one.text);

async function read(room: Workshop): Promise<readonly string[]> {
  return (await Array.fromAsync(room.store.lines(ID))).map(words);
}

test("gives every line with its own bytes, whatever their spelling", async () => {
  using room = workshop();
  const odd = `{"payload":{"text":"\\u00e9","mentions":[]},  "type":"user.message-created","ts":3,"seq":2,"sessionId":"${ID}","id":"x","v":1}`;
  room.write(lines(started(), odd));
  expect(await read(room)).toEqual([started(), odd]);
});

test("goes on behind damage, names it, and tells a torn end from it", async () => {
  using room = workshop();
  room.write(`${lines(started(), "no event", said(3, "on"), line(4, "file.read", {}), said(5, "last"))}{"v":1`);
  expect(await read(room)).toEqual([
    started(),
    expect.stringContaining("! not JSON"),
    said(3, "on"),
    "! the payload is not one of file.read",
    said(5, "last"),
    "! the last 6 bytes are no whole line",
  ]);
});

describe("a log that is followed", () => {
  /** Lines as they come; `next` waits for one. */
  function following(room: Workshop) {
    const stop = new AbortController();
    const reader = room.store.lines(ID, { follow: stop.signal })[Symbol.asyncIterator]();
    return {
      async next(): Promise<string> {
        const { value, done } = await reader.next();
        return done ? "(the end)" : words(value);
      },
      stop: () => stop.abort(),
    };
  }

  test("gives each line once, however it was written, and none before it is whole", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "a")));
    const log = following(room);
    expect([await log.next(), await log.next()]).toEqual([started(), said(2, "a")]);
    const late = log.next();
    const text = lines(said(3, "b"), said(4, "c"));
    appendFileSync(room.log(), text.slice(0, 20));
    appendFileSync(room.log(), text.slice(20, -5));
    expect(await late).toBe(said(3, "b"));
    const rest = log.next();
    appendFileSync(room.log(), text.slice(-5));
    expect(await rest).toBe(said(4, "c"));
    const end = log.next();
    log.stop();
    expect(await end).toBe("(the end)");
  });

  test("stays with the file under another name, and ends when it is deleted", async () => {
    using room = workshop();
    room.write(lines(started()));
    const log = following(room);
    expect(await log.next()).toBe(started());
    const moved = `${room.log()}.moved`;
    renameSync(room.log(), moved);
    const second = log.next();
    appendFileSync(moved, lines(said(2, "a")));
    expect(await second).toBe(said(2, "a"));
    const end = log.next();
    rmSync(moved);
    expect(await end).toBe("(the end)");
  });

  test("misses nothing when a resume takes its torn end out", async () => {
    using room = workshop();
    const torn = '{"v":1,"id":"torn"}\n';
    room.write(lines(started()) + torn);
    const log = following(room);
    expect(await log.next()).toBe(started());
    const second = log.next();
    truncateSync(room.log(), lines(started()).length);
    appendFileSync(room.log(), lines(said(2, "after")));
    expect(await second).toBe(said(2, "after"));
    const third = log.next();
    appendFileSync(room.log(), lines("no event", said(4, "d")));
    expect([await third, await log.next()]).toEqual([expect.stringContaining("! not JSON"), said(4, "d")]);
    log.stop();
  });
});
