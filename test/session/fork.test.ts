/** A fork: its parent's lines byte for byte, and a session of its own from the first line that it writes. */
import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { SessionHandle } from "../../src/session/index.ts";
import { type Disk, recoveryEvents, systemDisk } from "../../src/session/index.ts";
import { type DurableInput, isUlid, StoreError } from "../../src/shared/index.ts";
import { ID, line, lines, PROJECT, STARTED, said, started, type Workshop, workshop } from "./workshop.ts";

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
const asked = (seq: number): string =>
  line(seq, "model.request-started", {
    requestId: "r",
    model: "model-a",
    purpose: "main",
    contextStats: { estimatedInputTokens: 1, sections: [] },
  });
const called = (seq: number): string =>
  line(seq, "tool.requested", { requestId: "r", blockIndex: 0, toolUseId: "t", toolName: "read", input: {} });
const answered = (seq: number): string =>
  line(seq, "model.response-completed", { requestId: "r", stopReason: "tool_use", usage, durationMs: 1 });
const ended = (seq: number): string =>
  line(seq, "tool.completed", { toolUseId: "t", modelText: "x", durationMs: 1, ui: { kind: "read", summary: "x" } });

/** Lines 1 to 6: a turn whose call has its result. */
const TURN = [started(), said(2, "hello"), asked(3), called(4), answered(5), ended(6)] as const;

const marker = (session: SessionHandle, parent = ID): DurableInput => ({
  type: "session.resumed",
  payload: {
    khaelorVersion: "0",
    replayedSeq: session.state().lastSeq,
    model: "model-a",
    toolNames: [],
    fork: { sessionId: parent, seq: session.state().lastSeq, kind: "fork" },
  },
});

async function forked(room: Workshop, parent = ID, seq?: number): Promise<string> {
  const { session } = await room.store.fork(parent, seq === undefined ? {} : { seq });
  session.publish(marker(session, parent));
  for (const input of recoveryEvents(session.state())) session.publish(input);
  await session.close();
  return session.id;
}

test("begins with its parent's bytes, is in order, and leaves the parent as it was", async () => {
  using room = workshop();
  room.write(lines(...TURN));
  const before = statSync(room.log());
  const id = await forked(room);
  expect(isUlid(id)).toBe(true);
  expect(room.text(id).startsWith(lines(...TURN))).toBe(true);
  expect(
    room
      .text(id)
      .slice(lines(...TURN).length)
      .split("\n"),
  ).toHaveLength(2);
  expect(room.text()).toBe(lines(...TURN));
  expect(statSync(room.log()).mtimeMs).toBe(before.mtimeMs);
  expect(await room.store.check(id)).toMatchObject({ sessionId: id, verdict: "ok", resumable: true, events: 7 });

  const again = await room.store.open(id);
  expect(again.publish({ type: "session.renamed", payload: { title: "mine" } })).toMatchObject({
    sessionId: id,
    seq: 8,
  });
  await again.close();
  expect((await room.store.list()).find((one) => one.id === id)?.meta).toMatchObject({
    title: "mine",
    usage,
    forkedFrom: { sessionId: ID, seq: 6, usage, costUsd: 0, spentUsd: 0, unpriced: 0 },
  });
});

test("is cut where nothing is open, at or before the wanted line", async () => {
  using room = workshop();
  room.write(lines(...TURN, said(7, "more"), asked(8)));
  const cuts: number[] = [];
  for (let seq = 1; seq <= 8; seq++) {
    const { session, seq: cut } = await room.store.fork(ID, { seq });
    await session.close();
    cuts.push(cut);
  }
  expect(cuts).toEqual([1, 2, 2, 2, 2, 6, 7, 7]);
  await expect(room.store.fork(ID, { seq: 9 })).rejects.toThrow("has 8 events to fork from");
  await expect(room.store.fork("01J8ZQ0000SESS0000000000ZZ")).rejects.toMatchObject({ kind: "not-found" });
});

test("without a wanted line takes everything, and closes what was open in the parent", async () => {
  using room = workshop();
  const question = line(6, "permission.requested", {
    permissionRequestId: "p",
    toolUseId: "t",
    capability: "file.read.outside",
    descriptor: "read",
    tier: "rule",
  });
  const queued = line(7, "user.steering-queued", { text: "later" });
  room.write(lines(...TURN.slice(0, 5), question, queued));
  const id = await forked(room);
  const session = await room.store.open(id);
  const { turn } = session.state();
  await session.close();
  expect({ pending: turn.pending, permissions: turn.permissions, queued: turn.queued }).toEqual({
    pending: [],
    permissions: [],
    queued: [],
  });
});

test("of a fork is a fork of it, whose parents may be gone", async () => {
  using room = workshop();
  room.write(lines(...TURN));
  const first = await forked(room);
  const second = await forked(room, first);
  expect(room.text(second).startsWith(room.text(first))).toBe(true);
  expect(await room.store.check(second)).toMatchObject({ sessionId: second, verdict: "ok", events: 8 });
});

test("works while another writes the parent, from its whole lines", async () => {
  using room = workshop();
  room.write(lines(...TURN));
  const writer = await room.store.open(ID);
  appendFileSync(room.log(), '{"v":1,"id":"half');
  const { session, leftBehind } = await room.store.fork(ID);
  session.publish(marker(session));
  await session.close();
  await writer.close();
  expect(leftBehind).toBe("its last 17 bytes are no whole line");
  expect(await room.store.check(session.id)).toMatchObject({ verdict: "ok", events: 7 });
});

test("takes over what comes before damage, and says so", async () => {
  using room = workshop();
  room.write(lines(TURN[0], TURN[1], "not an event", TURN[2]));
  const { session, seq, leftBehind } = await room.store.fork(ID);
  await session.close();
  expect({ seq, leftBehind }).toMatchObject({ seq: 2, leftBehind: expect.stringContaining("damaged from line 3 on") });
  room.write("nothing\nof use\n");
  await expect(room.store.fork(ID)).rejects.toThrow("has 0 events to fork from; it is damaged from line 1 on");
  room.write(lines(started(), said(2, "one"), line(3, "weather.changed", {}, { critical: true })));
  const newer = await room.store.fork(ID);
  expect(newer.leftBehind).toStartWith("it cannot be read from line 3 on: needs a newer version of khaelor");
  await newer.session.close();
});

describe("that never writes its first line", () => {
  const inFolder = (room: Workshop) => readdirSync(dirname(room.log())).sort();

  test("leaves nothing behind", async () => {
    using room = workshop();
    room.write(lines(...TURN));
    const before = inFolder(room);
    const { session } = await room.store.fork(ID);
    expect(existsSync(session.path)).toBe(false);
    await session.close();
    expect(inFolder(room)).toEqual(before);
  });

  test("cannot begin with anything but its marker, and takes nobody's place", async () => {
    using room = workshop();
    room.write(lines(...TURN));
    const { session } = await room.store.fork(ID);
    expect(() => session.publish({ type: "session.renamed", payload: { title: "x" } })).toThrow("belongs to session");
    writeFileSync(session.path, "somebody's");
    expect(() => session.publish(marker(session))).toThrow(StoreError);
    await session.close();
    expect(readFileSync(session.path, "utf8")).toBe("somebody's");
  });
});

describe("whose log cannot be named", () => {
  const failing = (call: "flushNow" | "syncFolder") => {
    let isBad = true;
    const once = (): void => {
      if (isBad) throw Object.assign(new Error("simulated EIO"), { code: "EIO" });
    };
    const disk: Disk = { ...systemDisk, [call]: once };
    return { disk, mend: () => (isBad = false) };
  };

  test("takes no line any more, and leaves nothing behind", async () => {
    const { disk, mend } = failing("flushNow");
    using room = workshop({ disk });
    room.write(lines(...TURN));
    const { session } = await room.store.fork(ID);
    const folder = dirname(room.log());
    expect(() => session.publish(marker(session))).toThrow(`could not make ${session.path}`);
    mend();
    expect(() => session.publish(marker(session))).toThrow(`could not make ${session.path}`);
    await session.close();
    expect(readdirSync(folder).filter((name) => name.includes(session.id))).toEqual([]);
  });

  test("safely keeps the name that it got, in order", async () => {
    const { disk, mend } = failing("syncFolder");
    using room = workshop({ disk });
    room.write(lines(...TURN));
    const { session } = await room.store.fork(ID);
    expect(() => session.publish(marker(session))).toThrow(`could not bring ${session.path} onto the disk`);
    mend();
    expect(() => session.publish(marker(session))).toThrow(`could not bring ${session.path} onto the disk`);
    await session.close();
    expect(await room.store.check(session.id)).toMatchObject({ verdict: "ok", events: TURN.length + 1 });
    const listed = (await room.store.list()).find(({ id }) => id === session.id);
    expect([listed?.meta?.events, listed?.meta?.forkedFrom?.sessionId]).toEqual([TURN.length + 1, ID]);
  });
});

test("and a new session take the id that they are given", async () => {
  using room = workshop();
  const id = "01J8ZQ0000SESS0000000000BB";
  const session = await room.store.create(STARTED, id);
  await session.close();
  expect(await room.store.locate(id)).toEndWith(`${PROJECT}/${id}.jsonl`);
  await expect(room.store.create(STARTED, id)).rejects.toThrow(StoreError);
  const fork = await room.store.fork(id, { id: ID });
  await fork.session.close();
  expect(fork.session.id).toBe(ID);
});
