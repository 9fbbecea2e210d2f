/** What all sessions of a day have cost: what is counted, when the others are looked at, and that nothing stops a run. */
import { expect, test } from "bun:test";
import { createDaySpend, localDayStart } from "../../src/cli/day-spend.ts";
import type { SessionListing, UsageTotals } from "../../src/session/index.ts";
import { type Logger, silentLogger } from "../../src/shared/index.ts";
import { openTurn, stateWith } from "../agent/states.ts";
import { answered, begun, given, said } from "../session/log-words.ts";
import { workshop } from "../session/workshop.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ten in the morning of a day that begins, as every one here, at three. */
const TEN = 100 * DAY_MS + 10 * HOUR_MS;
const dayStart = (ms: number) => Math.floor((ms - 3 * HOUR_MS) / DAY_MS) * DAY_MS + 3 * HOUR_MS;
const slot = (ms: number) => ms / (HOUR_MS / 4);

const { usage, meta } = stateWith(openTurn());
const own = (recentUsd: UsageTotals["recentUsd"]): UsageTotals => ({ ...usage, recentUsd });
const listed = (
  id: string,
  recentUsd: UsageTotals["recentUsd"],
  more: Partial<SessionListing> = {},
): SessionListing => ({
  id,
  path: `/${id}`,
  meta: { ...meta, id, recentUsd },
  ...more,
});

/** It leaves out what is not asked for, as a store does. */
function stage(list: () => Promise<readonly SessionListing[]>) {
  let now = TEN;
  const asked: (number | undefined)[] = [];
  const told: string[] = [];
  const logger: Logger = { debug: (text) => void told.push(text), warn() {} };
  const day = createDaySpend({
    store: {
      list(filter) {
        asked.push(filter?.writtenSince);
        return list().then((all) => all.filter(({ id }) => id !== filter?.except));
      },
    },
    sessionId: "mine",
    now: () => now,
    dayStart,
    logger,
  });
  const wait = (ms: number): void => {
    now += ms;
  };
  return { day, asked, told, wait };
}

test("the day's own part of every session counts once, this one's as its fold has it", async () => {
  const others = [
    listed("mine", { [slot(TEN)]: 100 }, { damaged: "line 2" }),
    listed("a", { [slot(TEN)]: 1, [slot(TEN - 7 * HOUR_MS)]: 2, [slot(TEN - 7 * HOUR_MS) - 1]: 50 }),
    listed("damaged", { [slot(TEN)]: 4 }, { damaged: "line 9" }),
    listed("a clock that was a day ahead", { [slot(TEN) + 70]: 32, [slot(TEN) + 67]: 2 }),
    { id: "gone", path: "/gone", damaged: "not there" },
  ];
  const { day, asked, told, wait } = stage(async () => others);
  const mine = own({ [slot(TEN)]: 8, [slot(TEN - 8 * HOUR_MS)]: 50 });
  expect(day.total(mine)).toBe(8);
  await day.look();
  expect([day.total(mine), asked, told.length]).toEqual([17, [TEN - 7 * HOUR_MS], 2]);
  expect(day.unread()).toBe(2); // of one of them a part is in the sum
  wait(17 * HOUR_MS); // the next day has begun: nothing was spent on it but what was dated so
  expect(day.total(mine)).toBe(32);
});

test("the others are looked at when that is asked for, and else once a minute; never twice at a time", async () => {
  const { promise, resolve } = Promise.withResolvers<readonly SessionListing[]>();
  let found = promise;
  const { day, asked, wait } = stage(() => found);
  const looks = [day.look(), day.look(), day.lookIfOld()];
  expect(asked).toHaveLength(1);
  resolve([]);
  await Promise.all(looks);
  found = Promise.resolve([listed("a", { [slot(TEN)]: 3 })]);
  wait(59_999);
  await day.lookIfOld();
  expect([asked.length, day.total(own({}))]).toEqual([1, 0]);
  wait(1);
  await day.lookIfOld();
  expect([asked.length, day.total(own({}))]).toEqual([2, 3]);
  await day.look();
  expect(asked).toHaveLength(3);
  wait(-HOUR_MS); // a clock that goes back tells nothing of how long ago that was
  await day.lookIfOld();
  expect(asked).toHaveLength(4);
});

test("a folder that cannot be read is logged, and what was known stays known", async () => {
  let isBroken = false;
  const { day, told } = stage(async () => {
    if (isBroken) throw new Error("EACCES");
    return [listed("a", { [slot(TEN)]: 3 })];
  });
  await day.look();
  isBroken = true;
  await day.look();
  expect([day.total(own({})), told]).toEqual([3, ["what other sessions spent today was not read"]]);
});

test("what costs the most to read is in the first look as well, with no cache of any log", async () => {
  using room = workshop({ now: Date.now, price: () => 1 });
  const long = Array.from({ length: 10 }, () => said("x".repeat(900_000)));
  for (const sessionId of ["01J8ZQ0000SESS0000000000AA", "01J8ZQ0000SESS0000000000BB"]) {
    const lines = given(begun, ...answered("r1", "w"), ...long).map((event) => ({
      ...event,
      sessionId,
      ts: Date.now(),
    }));
    room.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), sessionId);
  }
  const day = createDaySpend({
    ...{ store: room.store, sessionId: "none", now: Date.now, dayStart: localDayStart, logger: silentLogger },
  });
  await day.look();
  expect([day.total(own({})), day.unread()]).toEqual([2, 0]);
});
