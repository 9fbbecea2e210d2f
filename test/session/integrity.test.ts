/** Which logs are sound, which are torn, which are damaged, and where: beyond the cases handed in. */
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { lineBatches } from "../../src/session/store/lines.ts";
import { MAX_LINE_BYTES } from "../../src/shared/index.ts";
import { ID, line, lines, STARTED, said, started, workshop } from "./workshop.ts";

const PARENT = "01J8ZQ0000SESS0000000000PP";
const OTHER = "01J8ZQ0000SESS0000000000QQ";

interface Outcome {
  readonly verdict: string;
  readonly resumable: boolean;
  readonly events: number;
  readonly tornBytes?: number;
  readonly damagedLines?: readonly number[];
}

/** What `check` and `open` say of these bytes; they must agree, and a refused log must keep every byte. */
async function outcomeOf(content: string | Uint8Array): Promise<Outcome> {
  using room = workshop();
  room.write(content);
  const { verdict, resumable, events, tornBytes, damage } = await room.store.check(ID);
  const opened = await room.store.open(ID).catch(() => undefined);
  expect(opened !== undefined).toBe(resumable);
  if (opened) {
    expect(opened.state().lastSeq).toBe(events);
    await opened.close();
  } else {
    expect(readFileSync(room.log())).toEqual(Buffer.from(content));
  }
  const damagedLines = damage.map((it) => it.line);
  return {
    verdict,
    resumable,
    events,
    ...(tornBytes > 0 && { tornBytes }),
    ...(damagedLines.length > 0 && { damagedLines }),
  };
}

const sound = (events: number) => ({ verdict: "ok", resumable: true, events });
const damaged = (events: number, ...damagedLines: number[]) => ({
  verdict: "damaged",
  resumable: false,
  events,
  damagedLines,
});
const torn = (events: number, tornBytes: number) => ({ verdict: "torn", resumable: true, events, tornBytes });
const call = (seq: number, toolUseId: string) =>
  line(seq, "tool.requested", { requestId: "r", blockIndex: 0, toolUseId, toolName: "read", input: {} });
const result = (seq: number, toolUseId: string) =>
  line(seq, "tool.failed", { toolUseId, modelText: "x", errorKind: "internal", durationMs: 1 });

describe("the order of lines", () => {
  test("a gap is damage where it is, and only there", async () => {
    expect(await outcomeOf(lines(started(), said(2, "a"), said(4, "b"), said(5, "c")))).toEqual(damaged(3, 3));
  });
  test("a last line that repeats a seq is damage: it was complete, so no crash made it", async () => {
    expect(await outcomeOf(lines(started(), said(2, "a"), said(2, "a")))).toEqual(damaged(2, 3));
  });
  test("a log that begins with something else is damage", async () => {
    expect(await outcomeOf(lines(said(1, "a"), said(2, "b")))).toEqual(damaged(1, 1));
  });
  test("a known type with a payload of another shape is damage, also as the last line", async () => {
    expect(await outcomeOf(lines(started(), line(2, "session.renamed", { title: 7 })))).toEqual(damaged(1, 2));
  });
  test("a line behind a damaged one is not blamed for what that one may have held", async () => {
    const middle = lines(started(), `${call(2, "t").slice(0, -1)}`, result(3, "t"), said(4, "x"));
    expect(await outcomeOf(middle)).toEqual(damaged(3, 2));
  });
  test("a broken line that only a cut one follows is damage: a crash leaves one torn line, not two", async () => {
    expect(await outcomeOf(`${lines(started(), "{")}{"v":1`)).toMatchObject({ verdict: "damaged", damagedLines: [2] });
  });
});

describe("bytes", () => {
  const head = Buffer.from(lines(started(), said(2, "a")));
  const tail = Buffer.from(lines(said(4, "c")));
  const bad = Buffer.from(`${said(3, "b")}\n`);
  bad[bad.indexOf('"b"') + 1] = 0xff;

  test("invalid UTF-8 in the middle is damage", async () => {
    expect(await outcomeOf(Buffer.concat([head, bad, tail]))).toEqual(damaged(3, 3));
  });
  test("invalid UTF-8 in the last line is torn", async () => {
    expect(await outcomeOf(Buffer.concat([head, bad]))).toEqual(torn(2, bad.length));
  });
  test("a run of NUL in the middle is damage, at the end torn", async () => {
    const hole = Buffer.alloc(5_000);
    expect(await outcomeOf(Buffer.concat([head, hole, Buffer.from("\n"), tail]))).toEqual(damaged(3, 3));
    expect(await outcomeOf(Buffer.concat([head, hole]))).toEqual(torn(2, 5_000));
  });
  test("a BOM is no part of a log", async () => {
    expect(await outcomeOf(Buffer.concat([Buffer.from("\ufeff"), head]))).toEqual(damaged(1, 1));
  });
  test("a line beyond the limit is damage in the middle, torn at the end, and never held in memory whole", async () => {
    const long = Buffer.alloc(MAX_LINE_BYTES + 1, "x");
    expect(await outcomeOf(Buffer.concat([head, long, Buffer.from("\n"), tail]))).toEqual(damaged(3, 3));
    expect(await outcomeOf(Buffer.concat([head, long, long]))).toEqual(torn(2, 2 * long.length));
  });
  test("a file with nothing but a cut first line holds no event", async () => {
    expect(await outcomeOf(started())).toMatchObject({ verdict: "damaged", resumable: false, events: 0 });
  });
});

describe("whose lines they are", () => {
  const by = (sessionId: string, text: string) => text.replace(ID, sessionId);
  const forked = (seq: number, from: string) =>
    line(seq, "session.resumed", {
      khaelorVersion: "1",
      replayedSeq: seq - 1,
      model: "m",
      toolNames: [],
      fork: { sessionId: from, seq: seq - 1, kind: "fork" },
    });

  test("a fork keeps its parent's lines, and a fork of a fork both", async () => {
    const log = lines(
      by(OTHER, started()),
      by(OTHER, said(2, "a")),
      by(PARENT, forked(3, OTHER)),
      forked(4, PARENT),
      said(5, "b"),
    );
    expect(await outcomeOf(log)).toEqual(sound(5));
  });
  test("a fork that names another parent is damage", async () => {
    expect(await outcomeOf(lines(by(OTHER, started()), forked(2, PARENT)))).toMatchObject({ verdict: "damaged" });
  });
  test("a stranger's line in the middle is damage", async () => {
    expect(await outcomeOf(lines(started(), by(OTHER, said(2, "a")), said(3, "b")))).toEqual(damaged(2, 2));
  });
  test("a file under another session's name is damage", async () => {
    expect(await outcomeOf(lines(by(OTHER, started())))).toEqual(damaged(1, 1));
  });
});

describe("what a newer version wrote", () => {
  const newer = line(3, "weather.changed", { to: "rain" }, { critical: true });
  test("keeps this one from resuming, is no damage, and stays as it is, its torn end included", async () => {
    const log = `${lines(started(), said(2, "a"), newer, said(4, "b"))}{"v":1`;
    expect(await outcomeOf(log)).toEqual({ ...torn(3, 6), resumable: false, damagedLines: [3] });
  });
  test("an unknown type that is not critical is counted and kept", async () => {
    expect(await outcomeOf(lines(started(), line(2, "weather.changed", { to: "rain" }), said(3, "b")))).toEqual(
      sound(3),
    );
  });
});

test("calls of ended responses without a result are named as unpaired", async () => {
  using room = workshop();
  const begun = line(2, "model.request-started", {
    requestId: "r",
    model: "m",
    purpose: "main",
    contextStats: { estimatedInputTokens: 1, sections: [] },
  });
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const ended = line(5, "model.response-completed", { requestId: "r", stopReason: "tool_use", usage, durationMs: 1 });
  room.write(lines(started(), begun, call(3, "t1"), call(4, "t2"), ended, result(6, "t1")));
  expect((await room.store.check(ID)).unpaired).toEqual(["t2"]);
  room.write(lines(started(), begun, call(3, "t1")));
  expect((await room.store.check(room.log())).unpaired).toEqual([]);
});

test("what waits for consent is left open with what stands behind it, what has begun is not", async () => {
  using room = workshop();
  const begun = line(2, "model.request-started", {
    requestId: "r",
    model: "m",
    purpose: "main",
    contextStats: { estimatedInputTokens: 1, sections: [] },
  });
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const ended = line(6, "model.response-completed", { requestId: "r", stopReason: "tool_use", usage, durationMs: 1 });
  const approved = line(7, "tool.approved", { toolUseId: "t1", via: "policy" });
  const ran = line(8, "tool.started", { toolUseId: "t1", toolName: "read" });
  const asked = line(9, "permission.requested", {
    permissionRequestId: "p",
    toolUseId: "t2",
    capability: "exec",
    descriptor: "make",
    suggestion: { capability: "exec", pattern: "make" },
  });
  const calls = ["t1", "t2", "t3"].map((id, at) => call(3 + at, id));
  room.write(lines(started(), begun, ...calls, ended, approved, ran, asked));
  expect(await room.store.check(ID)).toMatchObject({
    verdict: "ok",
    unpaired: ["t1", "t2", "t3"],
    leftOpen: [
      { toolUseId: "t2", isWaiting: true },
      { toolUseId: "t3", isWaiting: false },
    ],
  });
});

test("only a regular file is a log", async () => {
  using room = workshop();
  const elsewhere = join(room.home, "elsewhere.jsonl");
  writeFileSync(elsewhere, lines(started()));
  room.write("");
  await Bun.file(room.log()).delete();
  symlinkSync(elsewhere, room.log());
  await expect(room.store.open(ID)).rejects.toMatchObject({ name: "StoreError" });
  await expect(room.store.check(room.home)).rejects.toMatchObject({
    message: expect.stringContaining("not a regular file"),
  });
  expect((await room.store.list()).map(({ damaged }) => damaged !== undefined)).toEqual([true]);
});

test("lines are split the same wherever the chunks end", () => {
  using room = workshop();
  const path = join(room.home, "lines");
  const piece = fc.oneof(
    fc.constantFrom("", "é", "x"),
    fc.integer({ min: 1, max: 200_000 }).map((n) => "é".repeat(n)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (texts, closed) => {
      const content = texts.join("\n") + (closed ? "\n" : "");
      writeFileSync(path, content);
      const fd = openSync(path, "r");
      const found = [...lineBatches(fd, Buffer.byteLength(content))].flat();
      closeSync(fd);
      const parts = content.split("\n");
      const expected = parts.at(-1) === "" ? parts.slice(0, -1) : parts;
      expect(found.map(({ text }) => text ?? "")).toEqual(expected);
      expect(found.map((it) => it.number)).toEqual(expected.map((_, at) => at + 1));
      let offset = 0;
      for (const [at, it] of found.entries()) {
        expect({ offset: it.offset, length: it.length }).toEqual({
          offset,
          length: Buffer.byteLength(expected[at] ?? ""),
        });
        expect(it.complete).toBe(at < parts.length - 1);
        offset += it.length + 1;
      }
    }),
    { seed: 3, numRuns: 60 },
  );
});

test("a session that does not exist is said not to, whatever was asked for", async () => {
  using room = workshop();
  await room.store.create(STARTED).then((session) => session.close());
  for (const id of [ID, "../../etc/passwd", "", "nonsense"]) {
    await expect(room.store.open(id)).rejects.toMatchObject({ kind: "not-found" });
    expect(await room.store.locate(id)).toBeUndefined();
  }
});
