/** The cases of test/cases/log.json that are opened: what is recovered, what is refused, and what the folds then say. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import type { SessionState } from "../../src/session/index.ts";
import { StoreError } from "../../src/shared/index.ts";
import { bytesOf, CASES, type LogCase, laidOut, message, named, pairingProblems, recover } from "./cases.ts";
import { ID, type Workshop, workshop } from "./workshop.ts";

async function refusalOf(room: Workshop): Promise<StoreError> {
  const opened = await room.store.open(ID).catch((error: unknown) => error);
  if (opened instanceof StoreError) return opened;
  throw new Error("the log was opened");
}

const keptText = (one: LogCase): string =>
  one.lines
    .slice(0, one.expect.kept_lines)
    .map((it) => `${it}\n`)
    .join("");

const opening = CASES.filter(({ topic, expect: { open } }) => open === "ok" && topic !== "writing");
const refused = CASES.filter(({ expect: { open } }) => open === "read-only");

test("every case is driven here or in log-writing.test.ts", () => {
  const elsewhere = CASES.filter((one) => !opening.includes(one) && !refused.includes(one)).map(({ id }) => id);
  expect(elsewhere).toEqual(["log-014", "log-027", "log-047", "log-049", "log-051", "log-058"]);
});

describe("a log that can be resumed", () => {
  for (const one of opening.filter(({ mutation }) => mutation?.op !== "truncate-last-line-at-each-byte")) {
    test(`${one.id}: ${one.describe}`, async () => {
      using room = laidOut(one);
      const before = bytesOf(one);
      const session = await room.store.open(ID);
      const kept = keptText(one);
      expect(room.text()).toBe(kept);
      expect(session.state().lastSeq).toBe(one.expect.kept_lines ?? one.lines.length);

      const torn = before.subarray(Buffer.byteLength(kept));
      expect(torn.length > 0).toBe(one.expect.torn ?? false);
      const earlier = one.setup?.existing_torn_file ?? "";
      if (one.expect.torn) {
        const saved = readFileSync(`${room.log()}.torn`);
        expect(saved).toEqual(Buffer.concat([Buffer.from(earlier), torn]));
      } else {
        expect(existsSync(`${room.log()}.torn`)).toBe(false);
      }

      const appended: object[] = recover(session).map(({ type, payload }) => ({ type, ...payload }));
      if (one.expect.appended) {
        expect(appended).toMatchObject([...one.expect.appended]);
      }
      session.publish(message("go on"));
      expect(pairingProblems(session.state().conversation.messages)).toEqual([]);
      await session.close();
      expect(await room.store.check(ID)).toMatchObject({ verdict: "ok", resumable: true, unpaired: [] });
      expect((await room.store.list()).map(({ id, damaged }) => ({ id, damaged }))).toEqual([
        { id: ID, damaged: undefined },
      ]);
    });
  }

  test("log-005: cut at every byte of the last line, no earlier line is ever lost", async () => {
    const one = named("log-005");
    const last = Buffer.byteLength(one.lines.at(-1) ?? "");
    const whole = bytesOf(one);
    for (let kept = 1; kept <= last; kept++) {
      using room = workshop();
      room.write(whole.subarray(0, whole.length - 1 - last + kept));
      const session = await room.store.open(ID);
      expect(session.state().lastSeq).toBe(8);
      await session.close();
      expect(room.text()).toBe(keptText(one));
      expect(readFileSync(`${room.log()}.torn`).length).toBe(kept);
    }
  }, 30_000);
});

describe("a log that cannot be resumed", () => {
  for (const one of refused) {
    test(`${one.id}: ${one.describe}`, async () => {
      using room = laidOut(one);
      const error = await refusalOf(room);
      expect(error.kind).toBe("damaged");
      expect(error.message).toMatch(/line \d+ \(byte \d+\)/);
      if (typeof one.expect.message === "string") expect(error.message).toContain(one.expect.message);
      expect(readFileSync(room.log())).toEqual(bytesOf(one));
      expect(existsSync(`${room.log()}.torn`)).toBe(false);

      const verdict = await room.store.check(ID);
      expect(verdict.resumable).toBe(false);
      const { line, byte } = verdict.damage[0] ?? { line: 0, byte: -1 };
      expect(error.message).toContain(`line ${line} (byte ${byte})`);
      expect(byte).toBe(
        Buffer.byteLength(
          one.lines
            .slice(0, line - 1)
            .map((it) => `${it}\n`)
            .join(""),
        ),
      );

      const readable: number[] = [];
      for await (const event of room.store.read(ID)) readable.push(event.seq);
      expect(readable).toEqual(Array.from({ length: line - 1 }, (_, at) => at + 1));
    });
  }

  test("log-014: a file of no bytes is refused, and listed nowhere", async () => {
    using room = laidOut(named("log-014"));
    expect((await refusalOf(room)).kind).toBe("damaged");
    expect(await room.store.list()).toEqual([]);
    expect(await room.store.check(ID)).toMatchObject({ verdict: "damaged", resumable: false, events: 0 });
  });
});

describe("what single cases ask besides", () => {
  async function stateOf(id: string): Promise<SessionState> {
    using room = laidOut(named(id));
    const session = await room.store.open(ID);
    recover(session);
    await session.close();
    return session.state();
  }

  const resultsOf = (state: SessionState) =>
    state.conversation.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [block.content] : [])),
    );

  test("log-027: a faulty cut never parts a call from its result", async () => {
    expect(pairingProblems((await stateOf("log-027")).conversation.messages)).toEqual([]);
  });

  test("log-036: a lone surrogate is replaced the same way at every rebuild, and the log keeps its bytes", async () => {
    const first = resultsOf(await stateOf("log-036"));
    expect(first).toEqual(["1: cut \ufffd here"]);
    expect(resultsOf(await stateOf("log-036"))).toEqual(first);
  });

  test("log-038: the first of two results counts", async () => {
    expect(resultsOf(await stateOf("log-038"))).toEqual(["1: export const a = 1"]);
  });

  test("log-040: the result of a call that was running says that its effects are unknown", async () => {
    expect(resultsOf(await stateOf("log-040"))[0]).toMatch(/in part or in full/);
  });

  test("log-044: a call that was approved and not started is closed as not run", async () => {
    expect(resultsOf(await stateOf("log-044"))[0]).toMatch(/was not run/);
  });

  test("log-045: a queued instruction is still queued", async () => {
    expect((await stateOf("log-045")).turn.queued.map(({ text }) => text)).toEqual(["use tabs"]);
  });
});
