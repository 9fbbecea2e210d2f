/**
 * A log may come to harm at any line and in many ways. Whatever happened: the verdict is the right one and names the right place,
 * all that can be read is read, also behind the damage, nothing is changed, and everybody who looks at the log says the same. The
 * property takes the judge, so that it can be shown to catch wrong ones.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { searchLog } from "../../src/session/index.ts";
import { createIntegrity, type Integrity } from "../../src/session/store/integrity.ts";
import { createJudge, type Judge } from "../../src/session/store/judge.ts";
import { lineBatches } from "../../src/session/store/lines.ts";
import { ID, workshop } from "../session/workshop.ts";
import { HARMS, type Harm, harmsOf, LOG, SAFE } from "../support/log-damage.ts";

// Thousands of small files: in memory where that is possible.
const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(ROOT, "khaelor-harm-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a judge says of the bytes, in the words of the expectation. */
function judged(bytes: Uint8Array, judge: Judge): Harm["expected"] & { readonly accepted: readonly number[] } {
  const path = join(folder, "log");
  writeFileSync(path, bytes);
  const fd = openSync(path, "r");
  const accepted: number[] = [];
  try {
    for (const batch of lineBatches(fd, bytes.length)) {
      for (const line of batch) {
        const event = judge.take(line);
        if (event) accepted.push(event.seq);
      }
    }
  } finally {
    closeSync(fd);
  }
  const { damage, torn } = judge.finish();
  const tornLine = torn?.line;
  const isDamaged = damage.some(({ newer }) => !newer);
  return {
    verdict: isDamaged ? "damaged" : tornLine === undefined ? "ok" : "torn",
    lines: damage.map(({ line }) => line),
    ...(tornLine !== undefined && { tornLine }),
    ...(damage.some(({ newer }) => newer) && { isNewer: true }),
    ...(damage.some(({ reason }) => reason.includes("is named")) && { isMisnamed: true }),
    accepted,
  };
}

/** The first thing that a judge gets wrong, over all harms. */
function firstViolation(judgeOf: () => Judge): string | undefined {
  for (const kind of Object.keys(HARMS)) {
    for (const { at, bytes, expected, intact } of harmsOf(kind)) {
      if (kind.startsWith("longer")) continue;
      const { accepted, ...said } = judged(bytes, judgeOf());
      const where = `line ${at}: ${kind}`;
      if (!Bun.deepEquals(said, expected)) return `${where}: ${JSON.stringify(said)}, not ${JSON.stringify(expected)}`;
      const lost = intact.filter((seq) => !accepted.includes(seq));
      // What stands in the wrong place is told with the damage.
      if (lost.length > said.lines.length) return `${where}: events ${lost} are not read`;
    }
  }
  return undefined;
}

describe("a log that came to harm", () => {
  for (const kind of Object.keys(HARMS)) {
    test(`is judged rightly, and the same by everybody: ${kind}`, async () => {
      for (const harm of harmsOf(kind)) expect(await store(harm)).toEqual([]);
    }, 30_000);
  }
});

type Room = ReturnType<typeof workshop>;
type Must = (name: string, found: unknown, wanted: unknown) => void;

/** A harm, with what follows from it. */
interface Known extends Harm {
  /** Of each line. */
  readonly offsets: readonly number[];
  /** From the first wrong line on nothing counts. */
  readonly soundSeqs: readonly number[];
  /** There is no event at all, and no damage either: nothing to go on with. */
  readonly hasNothing: boolean;
  readonly isResumable: boolean;
  readonly tornFrom: number;
}

function known(harm: Harm): Known {
  const { bytes, expected, intact } = harm;
  const offsets = offsetsOf(bytes);
  const [firstBad = expected.tornLine ?? Number.POSITIVE_INFINITY] = expected.isMisnamed ? [] : expected.lines;
  const isSound = expected.lines.length === 0;
  const tornFrom = expected.tornLine === undefined ? bytes.length : (offsets[expected.tornLine - 1] ?? -1);
  const hasNothing = isSound && tornFrom === 0;
  const soundSeqs = intact.filter((seq) => seq < firstBad);
  return { ...harm, offsets, soundSeqs, hasNothing, isResumable: isSound && !hasNothing, tornFrom };
}

/** All that the store says and does of it, where that is not as it has to be. */
async function store(harm: Harm): Promise<readonly string[]> {
  const wrong: string[] = [];
  const must: Must = (name, found, wanted) => {
    if (Bun.deepEquals(found, wanted)) return;
    wrong.push(`line ${harm.at}: ${name} ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  };
  using room = workshop({}, ROOT);
  room.write(harm.bytes);
  const all = known(harm);
  await checked(room, all, must);
  await read(room, all, must);
  await forked(room, all, must);
  must("changed by looking at it", readFileSync(room.log()).equals(harm.bytes), true);
  await opened(room, all, must);
  return wrong;
}

async function checked(room: Room, { expected, bytes, offsets, ...harm }: Known, must: Must): Promise<void> {
  const found = await room.store.check(ID);
  const wanted = harm.hasNothing ? [[1, 0]] : expected.lines.map((line) => [line, offsets[line - 1]]);
  must("verdict", found.verdict, harm.hasNothing ? "damaged" : expected.verdict);
  must("resumable", found.resumable, harm.isResumable);
  must(
    "damage",
    found.damage.map(({ line, byte }) => [line, byte]),
    wanted,
  );
  must("torn bytes", found.tornBytes, bytes.length - harm.tornFrom);
  must("newest sound event", found.soundSeq, harm.soundSeqs.at(-1));
  must(
    "safe event",
    found.safeSeq,
    SAFE.findLast((seq) => harm.soundSeqs.includes(seq)),
  );
  const [listed] = await room.store.list();
  must("listed", listed !== undefined, !harm.hasNothing);
  must("listed as damaged", listed?.damaged !== undefined, !harm.isResumable && !harm.hasNothing);
}

async function read(room: Room, { expected, intact, soundSeqs }: Known, must: Must): Promise<void> {
  const seen: number[] = [];
  const told: number[] = [];
  for await (const line of room.store.lines(ID)) {
    if ("event" in line) seen.push(line.event.seq);
    else if (!line.torn) told.push(line.number);
    if ("misplaced" in line && line.misplaced) seen.push(line.misplaced.seq);
  }
  must("lines that are told", told, expected.lines);
  must(
    "events that are not read",
    intact.filter((seq) => !seen.includes(seq)),
    [],
  );
  must(
    "read up to the damage",
    (await Array.fromAsync(room.store.read(ID))).map(({ seq }) => seq),
    soundSeqs,
  );
  for (const seq of [4, 20].filter((one) => intact.includes(one))) {
    const matches = await searchLog(room.log(), `word${seq}`, { limit: 9 });
    must(
      `found word${seq}`,
      matches.some((match) => match.seq === seq),
      true,
    );
  }
}

async function forked({ store: from }: Room, { soundSeqs }: Known, must: Must): Promise<void> {
  const safe = SAFE.findLast((seq) => soundSeqs.includes(seq));
  if (safe === undefined) {
    const refused = await from.fork(ID).then(() => "", String);
    return must("fork of nothing", refused.includes("0 events to fork from"), true);
  }
  for (const [options, wanted] of [
    [{ seq: safe }, safe],
    [{}, soundSeqs.at(-1)],
  ] as const) {
    const { session, seq } = await from.fork(ID, options);
    must("fork", [seq, session.state().lastSeq], [wanted, wanted]);
    await session.close();
  }
}

async function opened(room: Room, { bytes, tornFrom, ...harm }: Known, must: Must): Promise<void> {
  const { isResumable, expected, offsets } = harm;
  const session = await room.store.open(ID).catch((error: unknown) => String(error));
  must("opened", typeof session !== "string", isResumable);
  const isTorn = isResumable && tornFrom < bytes.length;
  must("kept", readFileSync(room.log()).equals(isResumable ? bytes.subarray(0, tornFrom) : bytes), true);
  must("torn file", existsSync(`${room.log()}.torn`), isTorn);
  if (isTorn && typeof session !== "string") {
    must("moved aside", readFileSync(`${room.log()}.torn`).equals(bytes.subarray(tornFrom)), true);
  }
  if (typeof session !== "string") return session.close();
  const [line] = expected.lines;
  if (line !== undefined) must("the place in", session.includes(`line ${line} (byte ${offsets[line - 1]})`), true);
}

function offsetsOf(bytes: Uint8Array): readonly number[] {
  const offsets = [0];
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) offsets.push(at + 1);
  return offsets;
}

describe("the property catches a judge that", () => {
  const real = () => createJudge({ id: ID });
  const knowing = (change: (real: Integrity) => Partial<Integrity>) => () => {
    const integrity = createIntegrity(ID);
    return createJudge({ id: ID, integrity: { ...integrity, ...change(integrity) } });
  };
  const judging = (change: (real: Judge) => Partial<Judge>) => () => {
    const judge = real();
    return { ...judge, ...change(judge) };
  };
  const WRONG: Readonly<Record<string, () => Judge>> = {
    "blames the lines behind the damage": knowing(() => ({ skip: () => undefined })),
    "forgives every gap once something was damaged": knowing((integrity) => {
      let isLenient = false;
      return {
        problem: (event) => (isLenient ? undefined : integrity.problem(event)),
        skip(event) {
          isLenient = true;
          integrity.skip(event);
        },
      };
    }),
    "forgets what it saw in the wrong place": knowing((integrity) => ({
      skip: () => integrity.skip(),
      problem: integrity.problem,
    })),
    "asks nobody whose line it is": knowing((integrity) => ({
      problem(event) {
        const problem = integrity.problem(event);
        return problem?.startsWith("it belongs") ? undefined : problem;
      },
    })),
    "does not know what the file is called": () => createJudge(),
    "takes results for granted, and gaps": knowing((integrity) => ({
      problem: (event) => (integrity.problem(event)?.startsWith("seq") ? undefined : integrity.problem(event)),
    })),
    "takes a last line without a newline": judging((judge) => ({
      take: (line) => judge.take({ ...line, complete: true }),
    })),
    "calls no end torn": judging((judge) => ({
      finish() {
        const { tornFrom: _from, torn: _torn, ...found } = judge.finish();
        return found;
      },
    })),
    "stops at the first damage": judging((judge) => ({
      take: (line) => (judge.damage.length > 0 ? undefined : judge.take(line)),
    })),
    "passes over blank lines": judging((judge) => ({
      take: (line) => (line.text === "" ? undefined : judge.take(line)),
    })),
    "takes a BOM for nothing": judging((judge) => ({
      take: (line) => judge.take(line.text === undefined ? line : { ...line, text: line.text.replace(/^\ufeff/, "") }),
    })),
    "takes what is newer for damage": judging((judge) => ({
      finish() {
        const found = judge.finish();
        return { ...found, damage: found.damage.map(({ newer: _newer, ...one }) => one) };
      },
    })),
    "counts lines from 0": judging((judge) => ({ take: (line) => judge.take({ ...line, number: line.number - 1 }) })),
  };
  test("does it right: nothing is caught", () => expect(firstViolation(real)).toBeUndefined());
  for (const [name, judge] of Object.entries(WRONG)) {
    test(name, () => expect(firstViolation(judge)).toBeString());
  }
});

test("the log that is harmed is sound", () => {
  expect(judged(Buffer.from(LOG.map((line) => `${line}\n`).join("")), createJudge({ id: ID }))).toEqual({
    verdict: "ok",
    lines: [],
    accepted: LOG.map((_, index) => index + 1),
  });
});
