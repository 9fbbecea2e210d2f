/** Caps on money as the log tells them, and what a list of sessions says of the last days' spending. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { namedFolds } from "../../src/session/index.ts";
import { encode, type LogEvent, type Payload } from "../../src/shared/index.ts";
import { ID, line, lines, PROJECT, STARTED, said, started, workshop } from "./workshop.ts";

type Budget = Payload<"permission.granted">["budget"];

async function sessionWith(...budgets: readonly Budget[]) {
  using room = workshop();
  const session = await room.store.create(STARTED);
  session.publish({
    type: "permission.requested",
    payload: { permissionRequestId: "open", capability: "file.read", descriptor: "d", mention: "/x" },
  });
  const before = session.state();
  budgets.forEach((budget, at) => {
    const payload = { permissionRequestId: `b${at}`, scope: "session", ...(budget && { budget }) } as const;
    session.publish({ type: "permission.granted", payload });
  });
  const after = session.state();
  await session.close();
  const again = await room.store.open(session.id);
  const reopened = again.state();
  await again.close();
  const { session: fork } = await room.store.fork(session.id);
  const forked = fork.state();
  await fork.close();
  return { before, after, reopened, forked };
}

test("each scope keeps what was said of it last; a restart and a fork change nothing about it", async () => {
  const { before, after, reopened, forked } = await sessionWith(
    { turnUsd: 1, sessionUsd: 5 },
    { sessionUsd: null },
    { dayUsd: 20, turnUsd: 2 },
  );
  expect(before.grants.budget).toBeUndefined();
  for (const { grants } of [after, reopened, forked]) {
    expect(grants.budget).toEqual({ turnUsd: 2, sessionUsd: null, dayUsd: 20 });
  }
});

test("it answers no question, and allows nothing else", async () => {
  const { before, after } = await sessionWith({ turnUsd: 1 });
  const { lastSeq, meta, grants, ...rest } = after;
  const { lastSeq: _seq, meta: metaBefore, grants: grantsBefore, ...restBefore } = before;
  expect(rest).toEqual(restBefore);
  expect({ ...grants, budget: undefined }).toEqual({ ...grantsBefore, budget: undefined });
  expect({ ...meta, events: 0, updatedAt: 0 }).toEqual({ ...metaBefore, events: 0, updatedAt: 0 });
  expect([meta.pendingApprovals, rest.turn.permissions.map(({ permissionRequestId }) => permissionRequestId)]).toEqual([
    1,
    ["open"],
  ]);
});

test("no fold of any name tells it from an event that it does not know, but the one of what was granted", () => {
  const granted = { permissionRequestId: "b", scope: "session", budget: { dayUsd: 3 } } as const;
  const at = { v: 1, id: "e", sessionId: ID, seq: 1, ts: 1 } as const;
  for (const fold of namedFolds(() => 0)) {
    if (["session-grants", "session-meta"].includes(fold.name)) continue;
    const state = fold.initial();
    const shown = JSON.stringify(state);
    const event = { ...at, type: "permission.granted", payload: granted } as LogEvent;
    expect([fold.name, JSON.stringify(fold.apply(state, event))]).toEqual([fold.name, shown]);
  }
});

const request = (seq: number) =>
  line(seq, "model.request-started", {
    requestId: "r",
    model: "m",
    purpose: "main",
    contextStats: { estimatedInputTokens: 1, sections: [] },
  });
const response = (seq: number, ts: number) =>
  line(
    seq,
    "model.response-completed",
    {
      requestId: "r",
      stopReason: "end_turn",
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
      durationMs: 1,
    },
    { ts },
  );

test("the list tells what was spent when, from a cache that knows it and only of logs that were written to since", async () => {
  using room = workshop({ price: () => 2 });
  const ts = 1_765_500_000_000;
  const spent = { [Math.floor(ts / 900_000)]: 2 };
  room.write(lines(started(), said(2, "go"), request(3), response(4, ts)));
  const recent = async (filter = {}) => (await room.store.list(filter)).map(({ meta }) => meta?.recentUsd);
  expect(await recent()).toEqual([spent]);
  const path = room.log().replace(".jsonl", ".meta.json");
  const cache = JSON.parse(readFileSync(path, "utf8"));
  const { state } = cache.read;
  expect(state.tally.recentUsd).toEqual(spent);
  const { recentUsd: _unknown, ...old } = state.tally;
  writeFileSync(path, JSON.stringify({ ...cache, form: 5, read: { ...cache.read, state: { ...state, tally: old } } }));
  expect(await recent({ projectHash: PROJECT })).toEqual([spent]);
  utimesSync(room.log(), 1_000, 1_000);
  expect([await recent({ writtenSince: 1_000_000 }), await recent({ writtenSince: 1_000_001 })]).toEqual([[spent], []]);
});

test("a session may be left out of the list: its log is not opened", async () => {
  using room = workshop({ price: () => 2 });
  room.write(lines(started(), said(2, "go")));
  const kept = room.log().replace(".jsonl", ".meta.json");
  const id = basename(room.log(), ".jsonl");
  expect([await room.store.list({ except: id }), existsSync(kept)]).toEqual([[], false]);
  expect([(await room.store.list({ except: "another" })).length, existsSync(kept)]).toEqual([1, true]);
});

test("the line that tells of it holds the caps alone", async () => {
  using room = workshop();
  const session = await room.store.create(STARTED);
  const payload = { permissionRequestId: "b", scope: "session", budget: { turnUsd: 0.5, dayUsd: null } } as const;
  const event = session.publish({ type: "permission.granted", payload });
  await session.close();
  expect(room.text(session.id).split("\n")[1]).toBe(encode(event));
  expect(event.payload).toEqual(payload);
});
