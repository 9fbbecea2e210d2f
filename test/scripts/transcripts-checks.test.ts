/** What the script for recorded conversations has to report: each of its checks on a log, a store or a server that is wrong. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkLog } from "../../scripts/transcripts/checks.ts";
import { tryCuts } from "../../scripts/transcripts/cuts.ts";
import { openExchange } from "../../scripts/transcripts/exchange.ts";
import { type Ground, openApi, openGround } from "../../scripts/transcripts/ground.ts";
import { obligingModel } from "../../scripts/transcripts/model-words.ts";
import { playInSmallWindow } from "../../scripts/transcripts/playback.ts";
import { createTally, type Entry, type Transcript } from "../../scripts/transcripts/types.ts";
import { writeLog } from "../../scripts/transcripts/writer.ts";
import type { SessionHandle, SessionStore } from "../../src/session/index.ts";
import type { DurableEvent, DurableInput, LogEvent } from "../../src/shared/index.ts";
import type { Script } from "../../src/simulator/index.ts";

const ground = openGround(mkdtempSync(join(tmpdir(), "khaelor-checks-")));
const api = await openApi(ground.store, 4_000_000, obligingModel);
afterAll(async () => {
  await api.close();
  ground.close();
});

const said = (text: string): Entry => ({ kind: "said", parts: [{ type: "text", text }], by: "user" });
const called = (id: string, name = "read"): Entry => ({
  kind: "answer",
  blocks: [
    { type: "thinking", thinking: `about ${id}`, kind: "signed" },
    { type: "call", id, name, input: { path: id } },
  ],
  end: "finished",
});
const result = (callId: string, bytes: number): Entry => ({
  kind: "result",
  callId,
  text: "printed ".repeat(bytes / 8),
  isError: false,
});
const answered = (text: string): Entry => ({ kind: "answer", blocks: [{ type: "text", text }], end: "finished" });

/** So many turns, each with so many calls, each with a result of so many bytes. */
const talk = (turns: number, calls: number, bytes: number): Transcript => ({
  format: "made",
  entries: Array.from({ length: turns }, (_turn, turn) => [
    said(`question ${turn}`),
    ...Array.from({ length: calls }, (_call, at) => [called(`c${turn}-${at}`), result(`c${turn}-${at}`, bytes)]),
    answered(`answer ${turn}`),
  ]).flat(2),
  tally: createTally(),
});

const SMALL = talk(3, 2, 4_000);

/** The same ground, whose store does some things in its own way. */
const withStore = (changes: Partial<SessionStore>): Ground => ({ ...ground, store: { ...ground.store, ...changes } });

/** As it would read if every event were changed in this way; those that come to nothing are left out. */
const reading = (change: (event: DurableEvent) => LogEvent | undefined): Ground =>
  withStore({
    read: async function* (id) {
      for await (const event of ground.store.read(id)) {
        const changed = "opaque" in event ? event : change(event);
        if (changed) yield changed;
      }
    },
  });

interface Wrong {
  readonly on?: Ground;
  readonly script?: Script;
  /** Written behind the conversation. */
  readonly events?: readonly DurableInput[];
  readonly live?: (session: SessionHandle) => SessionHandle;
}

async function checked({ on = ground, script, events = [], live = (session) => session }: Wrong) {
  const own = script && (await openApi(ground.store, 4_000_000, script));
  try {
    const { session, prefix } = await writeLog(SMALL, ground, api.facts);
    for (const event of events) session.publish(event);
    return (await checkLog(live(session), { ground: on, api: own ?? api, prefix })).problems;
  } finally {
    await own?.close();
  }
}

const changedRequest = (event: DurableEvent): DurableEvent =>
  event.type === "model.request-started" && event.payload.requestSha256 !== undefined
    ? { ...event, payload: { ...event.payload, requestSha256: "0".repeat(64) } }
    : event;

/** Nothing came from the cache. */
function unread(event: DurableEvent): DurableEvent {
  if (event.type !== "model.response-completed") return event;
  const { usage } = event.payload;
  const read = { ...usage, inputTokens: usage.inputTokens + usage.cacheReadTokens, cacheReadTokens: 0 };
  return { ...event, payload: { ...event.payload, usage: read } };
}

describe("a log as it should be", () => {
  test("has nothing to be reported", async () => {
    expect(await checked({})).toEqual([]);
  });
});

describe("a check reports", () => {
  test("a state that is another one when it is read again", async () => {
    const problems = await checked({
      live: (session) => {
        const state = session.state();
        const { messages } = state.conversation;
        const other = { ...state, conversation: { ...state.conversation, messages: messages.slice(0, -1) } };
        return { ...session, state: () => other };
      },
    });
    expect(problems).toEqual(["the replayed state differs from the live one", "a second fold differs"]);
  });

  test("what the server refuses: the next request, those behind a cut and a compaction, and a summary", async () => {
    const body = { type: "error", error: { type: "invalid_request_error", message: "not this one" } };
    const fault = { kind: "http", status: 400, body } as const;
    const problems = (await checked({ script: () => ({ content: [{ type: "text", text: "-" }], fault }) })).join("\n");
    expect(problems).toMatch(/^the request after a compaction up to \d+ was refused: .*not this one/m);
    for (const what of ["the next request", "the request behind a compaction by aux"]) {
      expect(problems).toMatch(new RegExp(`^${what} was refused: .*not this one`, "m"));
    }
    expect(problems).toMatch(/^no checkpoint by main: /m);
  });

  test("what a compaction loses: here the thinking of what stays", async () => {
    const { session, prefix } = await writeLog(SMALL, ground, api.facts);
    const exchange = openExchange(session, prefix, api);
    expect((await tryCuts(exchange, prefix, api)).problems).toEqual([]);
    exchange.say("And?");
    expect(await exchange.request()).toBeUndefined();
    const { problems } = await tryCuts(exchange, prefix, api);
    expect(problems[0]).toMatch(/^a compaction up to \d+: \d+ blocks where \d+ were expected$/);
    await session.close();
  });

  test("a request that is built otherwise from the log", async () => {
    expect((await checked({ on: reading(changedRequest) })).join("\n")).toMatch(
      /^requests that are built otherwise from the log: \d/m,
    );
  });

  test("an image whose bytes are gone", async () => {
    const image = { sha256: "0".repeat(64), mediaType: "image/png", bytes: 9, name: "gone" };
    const payload = { text: "this", mentions: [], attachments: [image] };
    const events: readonly DurableInput[] = [{ type: "user.message-created", payload }];
    expect((await checked({ events })).join("\n")).toMatch(/^images that are gone: 0{64}$/m);
  });

  test("a compaction behind which the request is as large as before", async () => {
    const deaf = (session: SessionHandle): SessionHandle => ({
      ...session,
      publish: (input) => (input.type === "context.compacted" ? ({} as never) : session.publish(input)),
    });
    const problems = await checked({ on: withStore({ open: async (id) => deaf(await ground.store.open(id)) }) });
    expect(problems).toEqual(["the compaction by aux did not shrink the request"]);
  });
});

const FILLING = talk(4, 4, 24_000);

describe("a playback", () => {
  test("of what fills the small window prunes and compacts, also in a loop, and there is nothing to be reported", async () => {
    const played = await playInSmallWindow(FILLING, ground, { prunesEarly: false });
    expect([played.problems, played.compactions > 0, played.inLoop > 0]).toEqual([[], true, true]);
    const pruning = await playInSmallWindow(FILLING, ground, { prunesEarly: true });
    expect([pruning.problems, pruning.prunes > 0]).toEqual([[], true]);
  });

  test("reports misses that no recorded break explains", async () => {
    const { problems } = await playInSmallWindow(SMALL, reading(unread), { prunesEarly: false });
    expect(problems[0]).toMatch(/^the request at seq \d+ missed \d+ of \d+: /);
    expect(problems.every((problem) => /^the request at seq/.test(problem))).toBe(true);
  });

  test("reports requests that are built otherwise from the log, and breaks that were none of the program's", async () => {
    const { problems } = await playInSmallWindow(SMALL, reading(changedRequest), { prunesEarly: false });
    expect(problems).toEqual([
      expect.stringMatching(/^played requests that are built otherwise from the log: \d/),
      expect.stringMatching(/^the ledger names [1-9]\d* breaks, and there were 0 prunes and 0 compactions$/),
    ]);
  });

  test("reports a request and a turn that fail: here its tools alone fill the window", async () => {
    const calls = Array.from({ length: 1_500 }, (_, at) => called(`c${at}`, `${"tool-".repeat(8)}${at}`));
    const entries = [said("call them all"), ...calls];
    const { problems } = await playInSmallWindow({ ...SMALL, entries }, ground, { prunesEarly: false });
    expect(problems).toEqual([
      expect.stringMatching(/^in a window of 60000: a request failed: /),
      expect.stringMatching(/^in a window of 60000: a turn failed: irreducible, /),
    ]);
  });
});
