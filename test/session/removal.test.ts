/** Taking sessions away: exactly what only they need goes, and nothing that is open. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { planRemoval, removeFiles, storePaths, throwawayFolder } from "../../src/session/index.ts";
import { toBytes } from "../../src/shared/index.ts";
import { ID, line, lines, said, started, type Workshop, workshop } from "./workshop.ts";

const OTHER = "01J8ZQ0000SESS0000000000BB";
const HOUR = 60 * 60 * 1000;

/** A log that names a blob and a spilled output. */
function named(seq: number, blob: string, spill: string): string {
  return lines(
    line(seq, "file.modified", {
      path: "a",
      operation: "edit",
      diffStats: { added: 1, removed: 0 },
      beforeSha256: blob,
    }),
    line(seq + 1, "user.message-created", {
      text: "!long",
      mentions: [],
      shell: { command: "long", exitCode: 0, output: "", spillFile: `/home/dev/.khaelor/spill/${spill}` },
    }),
  );
}

function spill(room: Workshop, name: string): string {
  const path = join(storePaths(room.home).spill, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "much output");
  return path;
}

const names = (room: Workshop, files: readonly { readonly path: string }[]): readonly string[] =>
  files.map(({ path }) => relative(room.home, path)).sort();

/** Two sessions with a blob and a spilled output each, and one of each that both name. */
async function twoSessions(room: Workshop) {
  const [mine, theirs, shared] = [
    await room.store.blobs.put(toBytes("mine")),
    await room.store.blobs.put(toBytes("theirs")),
    await room.store.blobs.put(toBytes("shared")),
  ];
  const [a, b, both] = [`${ID}-aaaa.txt`, `${OTHER}-bbbb.txt`, `${ID}-cccc.txt`];
  for (const name of [a, b, both]) spill(room, name);
  room.write(lines(started(), said(2, "a")) + named(3, mine, a) + named(5, shared, both));
  room.write(lines(started(), said(2, "b")) + named(3, theirs, b) + named(5, shared, both), OTHER);
  return { mine, theirs, shared, a, b, both };
}

test("with a session goes what no other log names; the plan changes nothing", async () => {
  using room = workshop();
  const { mine, theirs, shared, a, b, both } = await twoSessions(room);
  writeFileSync(`${room.log()}.torn`, "torn");
  await room.store.list();
  const plan = await planRemoval(room.home, { logs: [room.log()], orphans: false });
  const expected = [
    `blobs/${mine}`,
    relative(room.home, room.log()),
    `${relative(room.home, room.log())}.torn`,
    relative(room.home, room.log()).replace(".jsonl", ".meta.json"),
    `spill/${a}`,
  ].sort();
  expect(names(room, plan.files)).toEqual(expected);
  expect(existsSync(room.log())).toBe(true);

  const gone = await removeFiles(plan);
  expect(names(room, gone)).toEqual(expected);
  expect(plan.files.map(({ path }) => existsSync(path))).toEqual(plan.files.map(() => false));
  expect(readdirSync(storePaths(room.home).blobs).sort()).toEqual([theirs, shared].sort());
  expect(readdirSync(storePaths(room.home).spill).sort()).toEqual([b, both].sort());
  expect((await room.store.list()).map(({ id }) => id)).toEqual([OTHER]);
});

test("a fork keeps alive what its parent named", async () => {
  using room = workshop();
  await twoSessions(room);
  const { session } = await room.store.fork(ID);
  session.publish({
    type: "session.resumed",
    payload: {
      khaelorVersion: "0",
      replayedSeq: 6,
      model: "m",
      toolNames: [],
      fork: { sessionId: ID, seq: 6, kind: "fork" },
    },
  });
  await session.close();
  const plan = await planRemoval(room.home, { logs: [room.log()], orphans: true });
  expect(plan.files.map(({ kind }) => kind)).toEqual(["log"]);
});

test("orphans go on request: contents without a name, notes without a log, drafts, empty logs, dead throwaways", async () => {
  using room = workshop();
  const { mine, a } = await twoSessions(room);
  const orphan = await room.store.blobs.put(toBytes("nobody's"));
  const foreign = spill(room, "notes.txt");
  spill(room, `${ID}-dddd.txt`);
  const folder = dirname(room.log());
  const empty = "01J8ZQ0000SESS0000000000CC";
  const lost = "01J8ZQ0000SESS0000000000DD";
  for (const name of [`${empty}.jsonl`, `${lost}.meta.json`, `${lost}.jsonl.x.tmp`])
    writeFileSync(join(folder, name), "");
  const dead = join(throwawayFolder(room.home), "run-dead");
  mkdirSync(join(dead, "sessions", "p"), { recursive: true });
  writeFileSync(join(dead, "sessions", "p", `${lost}.jsonl`), lines(started()));
  const young = join(throwawayFolder(room.home), "run-young");
  mkdirSync(young);
  const later = Date.now() + 2 * HOUR;
  utimesSync(young, new Date(later), new Date(later));

  const now = await planRemoval(room.home, { logs: [], orphans: true });
  const unnamed = [`blobs/${orphan}`, `spill/${ID}-dddd.txt`, "throwaway/run-dead"];
  expect(names(room, now.files)).toEqual(unnamed); // the others may be the beginning of something
  const plan = await planRemoval(room.home, { logs: [], orphans: true }, later);
  const inProject = (name: string) => relative(room.home, join(folder, name));
  expect(names(room, plan.files)).toEqual(
    [
      `blobs/${orphan}`,
      `spill/${ID}-dddd.txt`,
      "throwaway/run-dead",
      inProject(`${empty}.jsonl`),
      inProject(`${lost}.meta.json`),
      inProject(`${lost}.jsonl.x.tmp`),
    ].sort(),
  );
  await removeFiles(plan);
  expect([existsSync(foreign), existsSync(dead), await room.store.blobs.get(mine)]).toEqual([
    true,
    false,
    toBytes("mine"),
  ]);
  expect(existsSync(join(storePaths(room.home).spill, a))).toBe(true);
  expect((await planRemoval(room.home, { logs: [], orphans: true }, later)).files).toEqual([]);
});

describe("between the plan and its answer", () => {
  test("a fork may begin: what it took over stays, and the parent goes", async () => {
    using room = workshop();
    const { mine, a } = await twoSessions(room);
    const plan = await planRemoval(room.home, { logs: [room.log()], orphans: false });
    expect(plan.files).toHaveLength(3);
    const { session } = await room.store.fork(ID);
    const [draft] = readdirSync(dirname(room.log())).filter((name) => name.endsWith(".tmp"));
    expect(draft).toBeString(); // it has no line of its own yet
    expect(names(room, await removeFiles(plan))).toEqual([relative(room.home, room.log())]);
    await session.close();
    expect(await room.store.blobs.get(mine)).toEqual(toBytes("mine"));
    expect(existsSync(join(storePaths(room.home).spill, a))).toBe(true);
  });

  test("a session may be worked in: then it stays, and all that it names", async () => {
    using room = workshop();
    const { mine } = await twoSessions(room);
    const plan = await planRemoval(room.home, { logs: [room.log()], orphans: true });
    const session = await room.store.open(ID);
    session.publish({ type: "session.renamed", payload: { title: "still of use" } });
    await session.close();
    expect(await removeFiles(plan)).toEqual([]);
    expect(existsSync(room.log())).toBe(true);
    expect(await room.store.blobs.get(mine)).toEqual(toBytes("mine"));
  });

  test("another one may carry it out: nothing is left to do, and that is no failure", async () => {
    using room = workshop();
    await twoSessions(room);
    const wish = { logs: [room.log()], orphans: true };
    const [plan, same] = [await planRemoval(room.home, wish), await planRemoval(room.home, wish)];
    expect((await removeFiles(plan)).length).toBe(plan.files.length);
    expect(await removeFiles(same)).toEqual([]);
  });
});

describe("while a session runs", () => {
  test("nothing of it goes, and of what no log names only what is a day old", async () => {
    using room = workshop();
    await twoSessions(room);
    const [fresh, old] = [await room.store.blobs.put(toBytes("fresh")), await room.store.blobs.put(toBytes("old"))];
    const then = new Date(Date.now() - 25 * HOUR);
    utimesSync(join(storePaths(room.home).blobs, old), then, then);
    const running = await room.store.open(ID);
    const plan = await planRemoval(room.home, { logs: [room.log(), room.log(OTHER)], orphans: true });
    await running.close();
    expect(plan.held).toEqual([room.log()]);
    expect(names(room, plan.files)).toEqual([`blobs/${old}`, relative(room.home, room.log(OTHER))].sort());
    expect(await room.store.blobs.get(fresh)).toEqual(toBytes("fresh"));
  });

  test("one that began after the plan was made keeps its log, and what it stored again", async () => {
    using room = workshop();
    const { theirs } = await twoSessions(room);
    const orphan = await room.store.blobs.put(toBytes("in use again"));
    const before = new Date(Date.now() - HOUR);
    utimesSync(join(storePaths(room.home).blobs, orphan), before, before);
    const plan = await planRemoval(room.home, { logs: [room.log(OTHER)], orphans: true }, Date.now() - 1_000);
    expect(names(room, plan.files)).toContain(`blobs/${orphan}`);
    expect(await room.store.blobs.put(toBytes("in use again"))).toBe(orphan);
    const running = await room.store.open(ID);
    const gone = await removeFiles(plan);
    await running.close();
    expect(gone.map(({ path }) => basename(path))).not.toContain(orphan);
    expect(statSync(join(storePaths(room.home).blobs, orphan)).size).toBe(12);

    const next = await planRemoval(room.home, { logs: [room.log()], orphans: true });
    const late = await room.store.open(ID);
    expect(names(room, await removeFiles(next))).toEqual([]);
    await late.close();
    expect(existsSync(room.log())).toBe(true);
    expect(theirs).toHaveLength(64);
  });
});

test("names are found wherever a chunk ends", async () => {
  using room = workshop();
  const blob = await room.store.blobs.put(toBytes("far in"));
  const MEBIBYTE = 1024 * 1024;
  for (const shift of [0, 20, 63, 64]) {
    const head = lines(started());
    const filler = "x".repeat(MEBIBYTE - head.length - 250 - shift);
    const padded = lines(said(2, filler));
    room.write(head + padded + named(3, blob, "x"));
    expect((await planRemoval(room.home, { logs: [], orphans: true })).files).toEqual([]);
  }
});
