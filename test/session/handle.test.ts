/** What publishing promises: recorded before seen, refused before written, and live state equal to replayed state. */
import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import fc from "fast-check";
import { type SessionHandle, safeCuts } from "../../src/session/index.ts";
import {
  type DurableInput,
  idSource,
  type KhaelorEvent,
  type Logger,
  MAX_LINE_BYTES,
  StoreError,
  silentLogger,
} from "../../src/shared/index.ts";
import { DURABLE, foreignText, payloadOf } from "../support/generators.ts";
import { ID, lines, STARTED, said, started, workshop } from "./workshop.ts";

const message = (text: string): DurableInput => ({ type: "user.message-created", payload: { text, mentions: [] } });
const size = (session: SessionHandle): number => statSync(session.path).size;

/** Any event at all, a story that makes no sense included; ids come from a small set, so that events meet. */
const anyInput = fc.oneof(
  ...DURABLE.filter(({ type }) => type !== "session.started").map((definition) =>
    payloadOf(definition, fc.oneof({ weight: 3, arbitrary: fc.constantFrom("a", "b", "c") }, foreignText)).map(
      (payload) => ({ type: definition.type, payload }) as DurableInput,
    ),
  ),
);

/** The event, unless the session must refuse it: then the nearest one that it must take, or nothing. */
function fitting(input: DurableInput, session: SessionHandle, asked: Set<string>): DurableInput | undefined {
  if (input.type === "tool.requested") asked.add(input.payload.toolUseId.toWellFormed());
  if (input.type === "tool.completed" || input.type === "tool.failed" || input.type === "tool.cancelled") {
    return asked.has(input.payload.toolUseId.toWellFormed()) ? input : undefined;
  }
  if (input.type !== "context.compacted") return input;
  const toSeq = safeCuts(session.state().conversation).at(-1);
  return toSeq === undefined ? undefined : { ...input, payload: { ...input.payload, cut: { fromSeq: 2, toSeq } } };
}

test("live state is what a replay gives, for any events at all", async () => {
  const property = fc.asyncProperty(fc.array(anyInput, { maxLength: 40 }), async (inputs) => {
    using room = workshop({ price: (model, usage) => (model === "a" ? null : usage.outputTokens) });
    const live = await room.store.create(STARTED);
    const asked = new Set<string>();
    const published: unknown[] = [];
    for (const input of inputs) {
      const event = fitting(input, live, asked);
      if (event) published.push(live.publish(event));
    }
    await live.close();
    const replayed = await room.store.open(live.id);
    expect(replayed.state()).toEqual(live.state());
    await replayed.close();
    const read: unknown[] = [];
    for await (const event of room.store.read(live.id)) read.push(event);
    expect(read.slice(1)).toEqual(published);
    expect(await room.store.check(live.id)).toMatchObject({ verdict: "ok", events: read.length });
  });
  await fc.assert(property, { seed: 7, numRuns: 150 });
}, 60_000);

describe("an event is refused, with nothing written and nothing seen, when", () => {
  async function refused(input: DurableInput, why: RegExp): Promise<void> {
    using room = workshop();
    const session = await room.store.create(STARTED);
    const seen: KhaelorEvent[] = [];
    session.bus.onAny((event) => seen.push(event));
    const before = { state: session.state(), bytes: size(session) };
    expect(() => session.publish(input)).toThrow(why);
    expect({ state: session.state(), bytes: size(session) }).toEqual(before);
    expect(seen).toEqual([]);
    expect(session.publish(message("next")).seq).toBe(2);
    await session.close();
  }

  test("its line would be too long", () =>
    refused(message("x".repeat(MAX_LINE_BYTES)), /needs a line of \d+ bytes; the log takes 16777216/));

  test("its number is none", () =>
    refused(
      { type: "file.read", payload: { path: "a", bytes: 1, mtimeMs: Number.NaN } },
      /payload of file.read does not fit/,
    ));

  test("its integer is none, for the line could not be read back", () =>
    refused(
      { type: "file.read", payload: { path: "a", bytes: 1.5, mtimeMs: 1 } },
      /payload of file.read does not fit/,
    ));

  test("it answers a call that was never requested", () =>
    refused(
      { type: "tool.cancelled", payload: { toolUseId: "ghost", reason: "interrupted", modelText: "x" } },
      /call ghost, which was never requested/,
    ));

  test("its cut would part a call from its result", () =>
    refused({ type: "context.compacted", payload: cut(1) }, /may not part a call from its result/));

  const cut = (toSeq: number) => ({
    checkpointYaml: "x",
    cut: { fromSeq: 1, toSeq },
    trigger: "user-command" as const,
    tokensBefore: 1,
    summaryModel: "m",
  });
});

test("a key in use stands in no line, wherever it was said, and the folds see what the log says", async () => {
  const key = "sk-ant-0123456789-abcdef";
  const secrets: string[] = [];
  using room = workshop({ secrets });
  const session = await room.store.create(STARTED);
  secrets.push(key, "short"); // known only now, and too short to be one
  session.publish({ type: "user.message-created", payload: { text: `use ${key}, ${key}! short`, mentions: [] } });
  const input = { env: [{ [key]: `a${key}b` }], __proto__: null };
  const at = { requestId: "r1", blockIndex: 0 };
  session.publish({ type: "tool.requested", payload: { ...at, toolUseId: "t1", toolName: "bash", input } });
  expect(session.state().turn.objective).toBe("use [redacted], [redacted]! short");
  await session.close();
  const log = room.text(session.id);
  expect(log).not.toContain(key);
  expect(log).toContain('{"env":[{"[redacted]":"a[redacted]b"}]}');
});

test("too long is a StoreError with its own kind", async () => {
  using room = workshop();
  const session = await room.store.create(STARTED);
  const attempt = () => session.publish(message("x".repeat(MAX_LINE_BYTES)));
  expect(attempt).toThrow(StoreError);
  expect(attempt).toThrow(expect.objectContaining({ kind: "too-large" }));
  await session.close();
});

test("a subscriber that publishes is stopped and reported; the others and the publisher go on", async () => {
  const warnings: unknown[] = [];
  const logger: Logger = { ...silentLogger, warn: (text, details) => warnings.push([text, details]) };
  using room = workshop({ logger });
  const session = await room.store.create(STARTED);
  const seen: string[] = [];
  session.bus.on("session.renamed", () => void session.publish(message("from inside")));
  session.bus.onAny(({ type }) => seen.push(type));
  expect(session.publish({ type: "session.renamed", payload: { title: "x" } }).seq).toBe(2);
  expect(seen).toEqual(["session.renamed"]);
  expect(session.state().lastSeq).toBe(2);
  expect(warnings).toEqual([
    ["a subscriber threw", { type: "session.renamed", error: expect.stringContaining("a subscriber published") }],
  ]);
  await session.close();
});

test("what is ephemeral is seen and leaves no trace", async () => {
  using room = workshop();
  const session = await room.store.create(STARTED);
  const before = { state: session.state(), bytes: size(session) };
  const seen: KhaelorEvent[] = [];
  session.bus.onAny((event) => seen.push(event));
  const payload = { requestId: "r", blockIndex: 0, text: "hm" };
  session.publishEphemeral({ type: "model.text-delta", payload });
  expect(seen).toEqual([
    { id: expect.any(String), sessionId: session.id, ts: 1_765_500_000_000, type: "model.text-delta", payload },
  ]);
  expect({ state: session.state(), bytes: size(session) }).toEqual(before);
  await session.close();
});

test("a clock that jumps back changes the times, never the order of the ids, also across a restart", async () => {
  const times = [5_000, 5_000, 1_000, 9_000, 2_000];
  const now = () => times.shift() ?? 2_000;
  using room = workshop({ now, newId: idSource(() => 5_000) });
  const first = await room.store.create(STARTED);
  for (let at = 0; at < 3; at++) first.publish(message(`m${at}`));
  await first.close();

  using later = workshop({ now: () => 10, newId: idSource(() => 10) });
  later.write(room.text(first.id), first.id);
  const second = await later.store.open(first.id);
  for (let at = 0; at < 40; at++) second.publish(message(`n${at}`));
  await second.close();
  const ids: string[] = [];
  const ts: number[] = [];
  for await (const event of later.store.read(first.id)) {
    ids.push(event.id);
    ts.push(event.ts);
  }
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(44);
  expect(ts.slice(0, 5)).toEqual([5_000, 1_000, 9_000, 2_000, 10]);
});

describe("sync and close", () => {
  test("callers that come at once share a sync; those that come while it runs share the next one", async () => {
    using room = workshop();
    const session = await room.store.create(STARTED);
    const first = session.sync();
    expect(session.sync()).toBe(first);
    await new Promise(setImmediate); // it runs
    session.publish(message("a"));
    const second = session.sync();
    const third = session.sync();
    expect(second).toBe(third);
    expect(second).not.toBe(first);
    await Promise.all([first, second, third]);
    await session.close();
  });

  test("a closed session takes nothing more; closing again is free", async () => {
    using room = workshop();
    room.write(lines(started(), said(2, "hi")));
    const session = await room.store.open(ID);
    await Promise.all([session.close(), session.close()]);
    expect(() => session.publish(message("late"))).toThrow(/session that is closed/);
    expect(room.text()).toBe(lines(started(), said(2, "hi")));
  });
});
