/** The soak's own arithmetic: what counts as growth, what as left behind. The soak itself takes half an hour and is no test. */
import { describe, expect, test } from "bun:test";
import { BOUNDS, complaints, growthOf, HEADING, type Rest, rowOf } from "../../scripts/soak/verdict.ts";

const rest = (minutes: number, more: Partial<Rest> = {}): Rest => ({
  minutes,
  rounds: Math.round(minutes * 6),
  rssMb: 120,
  threads: 11,
  descriptors: 15,
  children: 1,
  bytesWritten: 0,
  wakeUpsPerSecond: 10,
  cpuMsPerSecond: 1,
  ...more,
});
const half = (of: (minutes: number) => Partial<Rest> = () => ({})) =>
  Array.from({ length: 30 }, (_, at) => rest(at + 1, of(at + 1)));

test("a program that stays as it is has no complaint, however much it grew at first", () => {
  expect(complaints(half(), BOUNDS)).toEqual([]);
  expect(
    complaints(
      half((minutes) => ({ rssMb: minutes < 5 ? 60 + 12 * minutes : 120 + (minutes % 2) })),
      BOUNDS,
    ),
  ).toEqual([]);
});

describe("complaints", () => {
  const cases: readonly (readonly [what: string, of: (minutes: number) => Partial<Rest>, said: string])[] = [
    ["memory", (minutes) => ({ rssMb: 100 + minutes }), "memory grew by 18.0 MB after warm-up"],
    ["descriptors", (minutes) => ({ descriptors: 15 + minutes }), "25 descriptors were left over at the end"],
    ["children", (minutes) => ({ children: minutes > 20 ? 4 : 1 }), "3 children were left over at the end"],
    ["writing", (minutes) => ({ bytesWritten: minutes === 12 ? 7 : 0 }), "minute 12.0: 7 bytes were written at rest"],
    [
      "a timer",
      (minutes) => ({ wakeUpsPerSecond: minutes === 9 ? 60 : 10 }),
      "minute 9.0: woken 60 times a second at rest",
    ],
  ];
  for (const [what, of, said] of cases) test(what, () => expect(complaints(half(of), BOUNDS)).toEqual([said]));

  test("a soak that is too short says nothing of a program", () => {
    expect(complaints([rest(6), rest(7)], BOUNDS)).toEqual([
      "the soak was too short for a verdict: fewer than three looks after warm-up",
    ]);
  });
});

test("growth is that of the middle: one look that was high is none", () => {
  const memory = [100, 101, 100, 140, 102, 101, 103, 102, 150];
  expect(growthOf(memory.map((rssMb, at) => rest(at, { rssMb })))).toBe(3);
});

test("rows stand below their headings", () => {
  expect(rowOf(rest(12.34)).length).toBe(HEADING.length);
});
