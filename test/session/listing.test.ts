/** What a list of sessions reads: caches where they are current, what was added where they are not, and both ends where nothing is known. */
import { describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { metaPath } from "../../src/session/store/paths.ts";
import { bytesRead } from "../support/bytes-read.ts";
import { ID, line, lines, STARTED, said, started, type Workshop, workshop } from "./workshop.ts";

const KB = 1024;
const MB = 1024 * KB;
const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };

const sessionId = (number: number): string => `01J8ZQ0000SESS000000${String(number).padStart(6, "0")}`;

/** Two lines: what one request costs. */
const answered = (seq: number): readonly string[] => [
  line(seq, "model.request-started", {
    requestId: `r${seq}`,
    model: "model-a",
    purpose: "main",
    contextStats: { estimatedInputTokens: 1, sections: [] },
  }),
  line(seq + 1, "model.response-completed", {
    requestId: `r${seq}`,
    stopReason: "end_turn",
    usage: USAGE,
    durationMs: 1,
  }),
];

const completed = (seq: number): string =>
  line(seq, "task.completed", {
    evidence: { objective: "", changedFiles: [], checks: [], unresolvedIssues: [] },
  });

/** A line of so many bytes that says nothing to the list. */
const filler = (seq: number, bytes: number): string =>
  line(seq, "model.text-block-completed", { requestId: "r", blockIndex: 0, text: "x".repeat(bytes) });

/** One request, lines of 100 KB in between, a second request and the end: 2 + 1 + 2 + count + 2 + 1 lines. */
function longLog(count: number): string {
  const fillers = Array.from({ length: count }, (_, at) => filler(5 + at, 100 * KB));
  return lines(
    started(),
    said(2, "a long one"),
    ...answered(3),
    ...fillers,
    ...answered(5 + count),
    completed(7 + count),
  );
}

const glances = async (room: Workshop) =>
  (await room.store.list({ quick: true })).map(({ id, glance }) => [id, glance]);

describe("a log that has grown", () => {
  test("is read from where the list left it, and adds up to what its whole comes to", async () => {
    using room = workshop({ price: () => 2 });
    const [first, second] = [longLog(20), lines(said(28, "more"), ...answered(29), completed(31))];
    room.write(first);
    const before = await room.store.list();
    appendFileSync(room.log(), second);
    const { value: grown, bytes } = await bytesRead(() => room.store.list());
    expect(bytes).toBeLessThan(300 * KB);
    rmSync(metaPath(room.log()));
    expect(await room.store.list()).toEqual(grown);
    expect([before, grown].map(([one]) => [one?.meta?.events, one?.meta?.costUsd, one?.meta?.userMessages])).toEqual([
      [27, 4, 1],
      [31, 6, 2],
    ]);
  });

  test("tells what waits and what was begun as if it had been read at once, wherever it is cut", async () => {
    const asked = {
      permissionRequestId: "q",
      capability: "exec",
      descriptor: "make",
      suggestion: { capability: "exec", pattern: "make" },
    };
    const all = [
      started(),
      said(2, "go"),
      line(3, "user.steering-queued", { text: "next", deliver: "next-turn" }),
      ...answered(4),
      line(6, "permission.requested", asked),
      line(7, "permission.granted", { permissionRequestId: "q", scope: "once" }),
      line(8, "permission.requested", { ...asked, permissionRequestId: "q2", toolUseId: "t" }),
      line(9, "task.failed", { reason: "budget", detail: "enough" }),
      line(10, "user.steering-injected", {
        queuedEventId: "01J8ZQ0000EVNT000000000003",
        seam: "pre-model-call",
        afterSeq: 9,
      }),
      ...answered(11),
      line(13, "session.renamed", { title: "renamed" }),
    ];
    using whole = workshop({ price: () => 2 });
    whole.write(lines(...all));
    const [expected] = await whole.store.list();
    expect(expected?.meta).toMatchObject({ title: "renamed", pendingApprovals: 1, costUsd: 4, events: 13 });
    for (let cut = 1; cut < all.length; cut++) {
      using room = workshop({ price: () => 2 });
      room.write(lines(...all.slice(0, cut)));
      await room.store.list();
      appendFileSync(room.log(), lines(...all.slice(cut)));
      expect((await room.store.list())[0]?.meta).toEqual(expected?.meta ?? never());
    }
  });

  test("goes on behind a torn end that a resume has taken out", async () => {
    using room = workshop();
    const whole = lines(started(), said(2, "torn"));
    room.write(`${whole}{"v":1,"id"`);
    expect((await room.store.list())[0]?.meta?.events).toBe(2);
    truncateSync(room.log(), whole.length);
    appendFileSync(room.log(), lines(said(3, "and on")));
    expect((await room.store.list())[0]?.meta).toMatchObject({ events: 3, userMessages: 2 });
  });

  test("is damaged where the added lines do not follow", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "x")));
    await room.store.list();
    appendFileSync(room.log(), lines(said(4, "a gap")));
    const damaged = `line 3 (byte ${lines(started(), said(2, "x")).length}): seq 4 where 3 was expected`;
    expect(await room.store.list()).toMatchObject([{ meta: { events: 2 }, damaged }]);
    expect(await room.store.list()).toMatchObject([{ meta: { events: 2 }, damaged }]); // from its cache
  });

  test("is read anew when it is not the log that was read, or was changed in place", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "first")));
    await room.store.list();
    room.write(lines(started(), said(2, "other"), said(3, "more")));
    expect((await room.store.list())[0]?.meta?.title).toBe("other");
    room.write(lines(started(), said(2, "again"), said(3, "more")));
    utimesSync(room.log(), 5_000, 5_000);
    expect((await room.store.list())[0]?.meta?.title).toBe("again");
  });

  test("needs no state from a foreign cache", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "the truth")));
    await room.store.list();
    const cache = JSON.parse(readFileSync(metaPath(room.log()), "utf8"));
    for (const state of [undefined, {}, { ...cache.read.state, events: "many" }, { ...cache.read.state, tally: {} }]) {
      writeFileSync(metaPath(room.log()), JSON.stringify({ ...cache, read: { ...cache.read, state } }));
      room.write(lines(started(), said(2, "the truth"), said(3, "more")));
      expect((await room.store.list())[0]?.meta).toMatchObject({ title: "the truth", events: 3 });
    }
  });
});

describe("a log that was copied with its cache", () => {
  const OTHER = sessionId(1);
  const laid = (room: Workshop) => {
    room.write(lines(started(), said(2, "the first")));
    for (const id of [ID, OTHER]) utimesSync(room.log(id), 5_000, 5_000);
  };
  const copyCache = (room: Workshop) => writeFileSync(metaPath(room.log(OTHER)), readFileSync(metaPath(room.log())));

  test("under another name is told to hold another session", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "the first")), OTHER);
    laid(room);
    await room.store.list();
    copyCache(room);
    const listed = (await room.store.list()).find(({ id }) => id === OTHER);
    expect(listed?.damaged).toContain(`the file is named ${OTHER}, but holds session ${ID}`);
  });

  test("and holds as many bytes of another session is listed with its own facts", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "the other")).replaceAll(ID, OTHER), OTHER);
    laid(room);
    await room.store.list();
    copyCache(room);
    const listed = (await room.store.list()).find(({ id }) => id === OTHER);
    expect([listed?.meta?.id, listed?.meta?.title, listed?.damaged]).toEqual([OTHER, "the other", undefined]);
  });
});

describe("a quick list", () => {
  test("of a thousand sessions with caches reads no log", async () => {
    using room = workshop();
    const log = lines(started(), said(2, "hello"), filler(3, 20 * KB));
    for (let at = 0; at < 1000; at++) room.write(log.replaceAll(ID, sessionId(at)), sessionId(at));
    await room.store.list();
    const { value, bytes } = await bytesRead(() => room.store.list({ quick: true }));
    expect(value.filter(({ meta }) => meta?.title === "hello")).toHaveLength(1000);
    expect(bytes / 1000).toBeLessThan(3 * KB);
  }, 20_000);

  test("of logs that nothing is known of reads a bounded part, and says only what their ends tell", async () => {
    using room = workshop({ price: () => 2 });
    const log = longLog(120);
    for (const at of [1, 2, 3, 4, 5, 6]) {
      room.write(log.replaceAll(ID, sessionId(at)), sessionId(at));
      utimesSync(room.log(sessionId(at)), at, at);
    }
    const { value, bytes } = await bytesRead(() => room.store.list({ quick: true }));
    expect(log.length * 6).toBeGreaterThan(70 * MB);
    expect(bytes).toBeLessThan(17 * MB);
    const known = new Map<string, unknown>(value.map(({ id, meta, glance }) => [id, meta?.costUsd ?? glance]));
    expect(known.get(sessionId(6))).toBe(4);
    const glance = {
      title: "a long one",
      createdAt: 1_765_400_000_010,
      updatedAt: 1_765_400_001_270,
      events: 127,
      userMessages: 1,
      lastOutcome: "completed",
      model: STARTED.model,
      projectHash: STARTED.projectHash,
      workingDirectory: STARTED.workingDirectory,
      gitBranch: STARTED.gitBranch,
    };
    expect([5, 4, 3, 2, 1].map((at) => known.get(sessionId(at)))).toEqual(
      [5, 4, 3, 2, 1].map((at) => ({ id: sessionId(at), ...glance })),
    );
  });

  test("is whole after a few, for each goes on where the one before stopped", async () => {
    using room = workshop({ price: () => 2 });
    room.write(longLog(700)); // 70 MB
    const seen: unknown[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const [listing] = await room.store.list({ quick: true });
      seen.push(listing?.meta?.costUsd ?? listing?.glance?.events);
    }
    expect(seen).toEqual([707, 707, 707, 707, 4, 4]);
    expect(statSync(room.log()).size).toBeGreaterThan(68 * MB);
  });

  test("tells neither outcome nor end of a log whose last line is longer than what is read", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "before"), filler(3, 15 * MB), filler(4, 15 * MB), filler(5, 15 * MB)));
    utimesSync(room.log(), 7_000, 7_000);
    const [[, glance] = []] = await glances(room);
    expect(glance).toMatchObject({ title: "before", updatedAt: 7_000_000, userMessages: 1 });
    expect(Object.keys(glance ?? {})).not.toContain("events");
    expect(Object.keys(glance ?? {})).not.toContain("lastOutcome");
  });
});

function never(): never {
  throw new Error("there is one session");
}
