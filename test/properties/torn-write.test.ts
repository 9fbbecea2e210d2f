/**
 * A crash can cut the last line anywhere. Whatever event it held and wherever it was cut: the log opens, every earlier line
 * is kept byte for byte, and what was cut off lies beside it. The property takes the opener, so that it can be shown to
 * catch the wrong ones.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { createSessionStore, storePaths } from "../../src/session/index.ts";
import {
  type DurableDefinition,
  durableDefinition,
  idSource,
  invariant,
  silentLogger,
} from "../../src/shared/index.ts";
import { ID, line, lines, PROJECT, STARTED, said, started } from "../session/workshop.ts";
import { DURABLE, payloadOf } from "../support/generators.ts";

/** Opens the log at `path`, recovers it, and says the seq of its last line. */
type Opener = (path: string) => Promise<number>;

let home = "";
beforeAll(() => {
  // Thousands of small files: in memory where that is possible.
  home = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "khaelor-torn-"));
  mkdirSync(dirname(logPath()), { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const logPath = (): string => storePaths(home).log(PROJECT, ID);

const realOpener: Opener = async () => {
  const now = () => 1_765_500_000_000;
  const store = createSessionStore({ home, now, newId: idSource(now), price: () => 0, logger: silentLogger });
  const session = await store.open(ID);
  const { lastSeq } = session.state();
  await session.close();
  return lastSeq;
};

/** What goes wrong when `last`, the line behind `earlier`, is cut at each of its bytes. Empty when nothing does. */
async function violations(open: Opener, earlier: readonly string[], last: string): Promise<readonly string[]> {
  const kept = Buffer.from(lines(...earlier));
  const whole = Buffer.concat([kept, Buffer.from(`${last}\n`)]);
  const path = logPath();
  const wrong: string[] = [];
  for (let size = kept.length; size <= whole.length; size++) {
    rmSync(`${path}.torn`, { force: true });
    writeFileSync(path, whole.subarray(0, size));
    const lastSeq = await open(path).catch((error: unknown) => String(error));
    const complete = size === whole.length;
    const content = complete ? whole : kept;
    const seq = earlier.length + (complete ? 1 : 0);
    const saved = existsSync(`${path}.torn`) ? readFileSync(`${path}.torn`) : Buffer.alloc(0);
    if (lastSeq !== seq) wrong.push(`cut at ${size}: opened at ${lastSeq}, not ${seq}`);
    if (!readFileSync(path).equals(content)) wrong.push(`cut at ${size}: the file does not hold the accepted lines`);
    if (!saved.equals(whole.subarray(content.length, size))) wrong.push(`cut at ${size}: the torn bytes are not saved`);
  }
  return wrong;
}

/** A log whose last line can be any event: its results answer a call that was asked for. */
const EARLIER = [
  started(),
  said(2, "fix the test 👩‍👩‍👧 in «müll»"),
  line(3, "tool.requested", {
    requestId: "r1",
    blockIndex: 0,
    toolUseId: "t1",
    toolName: "read",
    input: { b: 1, a: 2 },
  }),
];

function lastLine(definition: DurableDefinition): string {
  const short = fc.constantFrom("t1", "é", "👍", "a\nb", "\u2028", "\\", '"');
  const [payload] = fc.sample(payloadOf(definition, short), { numRuns: 1, seed: 42 });
  invariant(payload, "one run gives one payload");
  const fitting = "toolUseId" in payload ? { ...payload, toolUseId: "t1" } : payload;
  return line(EARLIER.length + 1, definition.type, fitting);
}

describe("a last line that is cut at any byte", () => {
  for (const definition of DURABLE) {
    test(`costs nothing but itself: ${definition.type}`, async () => {
      expect(await violations(realOpener, EARLIER, lastLine(definition))).toEqual([]);
    }, 60_000);
  }

  test("costs nothing but itself when it is the first line that the file has, which is then refused", async () => {
    const wrong = await violations(realOpener, [], line(1, "session.started", STARTED));
    expect(wrong.length).toBeGreaterThan(0);
    // Nothing can be resumed, so nothing is changed: the file keeps what it has.
    expect(wrong.filter((it) => it.includes("opened at") && !it.includes("holds no event"))).toEqual([]);
  });
});

describe("the property catches an opener that", () => {
  const definition = durableDefinition("tool.completed");
  invariant(definition, "the event exists");
  const caught = (open: Opener) => violations(open, EARLIER, lastLine(definition));

  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  /** A plain opener whose one decision can be made wrong: where the accepted lines end. */
  const opener =
    (soundEnd: (bytes: Buffer) => number, save = true): Opener =>
    async (path) => {
      const bytes = readFileSync(path);
      const end = soundEnd(bytes);
      if (save && end < bytes.length) writeFileSync(`${path}.torn`, bytes.subarray(end));
      truncateSync(path, end);
      return bytes.subarray(0, end).toString().split("\n").filter(isJson).length;
    };
  const afterNewline = (bytes: Buffer): number => bytes.lastIndexOf("\n") + 1;

  test("does it right: nothing is caught", async () => {
    expect(await caught(opener(afterNewline))).toEqual([]);
  });

  test("accepts a last line without a newline because it parses", async () => {
    const wrong = await caught(
      opener((bytes) => (isJson(bytes.subarray(afterNewline(bytes)).toString()) ? bytes.length : afterNewline(bytes))),
    );
    expect(wrong.length).toBeGreaterThan(0);
  });

  test("drops the line before as well", async () => {
    const before = (bytes: Buffer) => bytes.lastIndexOf("\n", afterNewline(bytes) - 2) + 1;
    const wrong = await caught(
      opener((bytes) => (afterNewline(bytes) === bytes.length ? bytes.length : before(bytes))),
    );
    expect(wrong.length).toBeGreaterThan(0);
  });

  test("does not save what it cuts off", async () => {
    const wrong = await caught(opener(afterNewline, false));
    expect(wrong.every((it) => it.endsWith("the torn bytes are not saved"))).toBe(true);
    expect(wrong.length).toBeGreaterThan(0);
  });

  test("leaves the torn bytes where they are", async () => {
    expect((await caught(opener((bytes) => bytes.length))).length).toBeGreaterThan(0);
  });

  test("refuses a torn log", async () => {
    const wrong = await caught(async (path) => {
      const bytes = readFileSync(path);
      if (afterNewline(bytes) !== bytes.length) throw new Error("damaged");
      return EARLIER.length + (bytes.length > Buffer.byteLength(lines(...EARLIER)) ? 1 : 0);
    });
    expect(wrong.length).toBeGreaterThan(0);
  });
});
