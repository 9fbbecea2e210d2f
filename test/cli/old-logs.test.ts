/** Logs that earlier versions wrote: read, judged and rebuilt as they were sent, and gone on with without a byte of them changing. */
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkRequests } from "../../src/cli/request-check.ts";
import { createSessionStore, type SessionStore, storePaths } from "../../src/session/index.ts";
import { idSource, silentLogger, systemClock } from "../../src/shared/index.ts";

/** A read, a red check, an edit, a green check; a kill in the middle of a command, a resume; a last message. */
const ID = "01M8PCBCK4540YTK4HQ1P9M07V";
const LOG = join(import.meta.dir, `../golden/logs/v0.1.0/${ID}.jsonl`);
const PROJECT = "5c89d00aee2cb2cb";

async function withStore(work: (store: SessionStore, path: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "khaelor-old-logs-"));
  const { now } = systemClock;
  const path = storePaths(home).log(PROJECT, ID);
  try {
    mkdirSync(dirname(path), { recursive: true });
    cpSync(LOG, path);
    await work(createSessionStore({ home, now, newId: idSource(now), price: () => 0, logger: silentLogger }), path);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

test("a log of 0.1.0 is in order, and every request in it is rebuilt as it was sent", () =>
  withStore(async (store) => {
    const verdict = { verdict: "ok", resumable: true, events: 55, tornBytes: 0, damage: [], unpaired: [] } as const;
    expect(await store.check(ID)).toMatchObject(verdict);
    expect(await checkRequests(store, ID)).toMatchObject({ mismatches: [], missingImages: [] });
    expect(await store.list()).toMatchObject([
      { id: ID, meta: { title: "mend the test", userMessages: 3, events: 55, lastOutcome: "completed" } },
    ]);
  }));

test("it is gone on with, and forked; what stood in it stays, byte for byte", () =>
  withStore(async (store, path) => {
    const before = readFileSync(path);
    const session = await store.open(ID);
    const { turn, files, grants, processes, usage } = session.state();
    expect([turn.phase, turn.turns, turn.pending, turn.queued]).toEqual(["idle", 3, [], []]);
    expect([Object.keys(files.changes), grants.rules, processes.live]).toEqual([["sum.sh"], [], []]);
    expect([usage.requests, usage.responses, usage.unpriced]).toEqual([7, 7, 0]);
    session.publish({ type: "user.message-created", payload: { text: "and now?", mentions: [] } });
    await session.close();
    const { session: fork, seq } = await store.fork(ID, { seq: 41 });
    expect(seq).toBe(38); // behind it a request was open
    await fork.close();
    expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
    expect(await checkRequests(store, ID)).toMatchObject({ mismatches: [], missingImages: [] });
  }));
