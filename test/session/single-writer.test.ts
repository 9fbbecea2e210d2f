/** One log, one writer: whoever comes second is told, and whoever dies leaves nothing behind that keeps others out. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ID, lines, said, started, type Workshop, workshop } from "./workshop.ts";

const FIXTURES = join(import.meta.dir, "fixtures");

function laidOut(): Workshop {
  const room = workshop();
  room.write(lines(started(), said(2, "hello")));
  return room;
}

/** A process that holds the session, once it says so. */
async function holder(
  room: Workshop,
  ...command: readonly string[]
): Promise<{ readonly said: string; readonly child: Bun.Subprocess<"pipe", "pipe"> }> {
  const child = Bun.spawn([process.execPath, join(FIXTURES, "holder.ts"), room.home, ID, ...command], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  return { said: new TextDecoder().decode(value).trim(), child };
}

test("a second opener in the same process is refused until the first has closed", async () => {
  using room = laidOut();
  const first = await room.store.open(ID);
  const holder = expect.stringContaining(`process ${process.pid}, since 2025-12-12`);
  const refusal = { kind: "locked", message: holder, held: { by: holder } };
  await expect(room.store.open(ID)).rejects.toMatchObject(refusal);
  first.publish({ type: "session.renamed", payload: { title: "still mine" } });
  await first.close();
  const second = await room.store.open(ID);
  expect(second.state()).toEqual(first.state());
  await second.close();
  expect(existsSync(room.log().replace(".jsonl", ".lock"))).toBe(false);
});

test("a second process is refused; the first one's death by SIGKILL frees the log at once", async () => {
  using room = laidOut();
  const first = await holder(room);
  expect(first.said).toBe("open");
  await expect(room.store.open(ID)).rejects.toMatchObject({
    kind: "locked",
    message: expect.stringContaining(`process ${first.child.pid}`),
  });
  const second = await holder(room);
  expect(second.said).toBe("locked");
  await second.child.exited;

  first.child.kill("SIGKILL");
  await first.child.exited;
  const session = await room.store.open(ID);
  expect(session.publish({ type: "session.renamed", payload: { title: "mine now" } }).seq).toBe(3);
  await session.close();
}, 30_000);

test("what a killed process has left running with its lock is waited for, so that a recovery sees all that it did", async () => {
  using room = laidOut();
  const trace = join(room.home, "trace");
  const first = await holder(room, `sleep 0.3; echo late > ${trace}`);
  await expect(room.store.open(ID)).rejects.toMatchObject({ kind: "locked" }); // while the process itself lives
  expect(existsSync(trace)).toBe(false);
  first.child.kill("SIGKILL"); // and nobody waits until its parent has collected it
  const session = await room.store.open(ID);
  expect(existsSync(trace)).toBe(true);
  await session.close();
}, 30_000);

test("reading, judging and listing need no lock", async () => {
  using room = laidOut();
  const session = await room.store.open(ID);
  const seqs: number[] = [];
  for await (const { seq } of room.store.read(ID)) seqs.push(seq);
  expect(seqs).toEqual([1, 2]);
  expect(await room.store.check(ID)).toMatchObject({ verdict: "ok" });
  expect((await room.store.list()).map(({ id }) => id)).toEqual([ID]);
  await session.close();
});

test("a real limit on the file's size ends in whole lines and a message, not in a cut one", async () => {
  using room = laidOut();
  const script = join(FIXTURES, "filler.ts");
  const limited = Bun.spawn(
    ["/bin/sh", "-c", `ulimit -f 64 && exec "$0" "$@"`, process.execPath, script, room.home, ID],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  const report = JSON.parse(await new Response(limited.stdout).text());
  await limited.exited;
  expect(report).toEqual({ kind: "full", seen: report.lastSeq - 2, lastSeq: expect.any(Number) });
  expect(report.lastSeq).toBeGreaterThan(20);
  expect(await room.store.check(ID)).toMatchObject({ verdict: "ok", events: report.lastSeq, tornBytes: 0 });
}, 30_000);

test("what lies where the holder's name is noted keeps nobody out, and is not written through", async () => {
  const precious = (room: Workshop) => join(room.home, "precious");
  for (const lay of [
    (path: string) => mkdirSync(path),
    (path: string) => Bun.spawnSync(["mkfifo", path]),
    (path: string, room: Workshop) => symlinkSync(precious(room), path),
  ]) {
    using room = laidOut();
    writeFileSync(precious(room), "kept");
    lay(room.log().replace(".jsonl", ".lock"), room);
    for (const title of ["first", "second"]) {
      const session = await room.store.open(ID);
      session.publish({ type: "session.renamed", payload: { title } });
      await session.close();
    }
    expect(await room.store.check(ID)).toMatchObject({ verdict: "ok", events: 4 });
    expect(readFileSync(precious(room), "utf8")).toBe("kept");
  }
});
