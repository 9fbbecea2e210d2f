/** The bench's own arithmetic: medians, ratios, verdicts and the table. What it measures is not looked at here. */
import { describe, expect, test } from "bun:test";
import { type Figure, median, renderTable, rowOf } from "../../scripts/bench/table.ts";

const figure = (more: Partial<Figure>): Figure => ({ name: "start", unit: "ms", floor: [], product: [], ...more });

test("the median is the middle value, or the mean of the middle two, and there is none of nothing", () => {
  expect([median([9, 1, 5]), median([4, 1, 3, 2]), median([7]), median([])]).toEqual([5, 2.5, 7, null]);
});

test("a row tells medians, their ratio, and how far the rounds lie apart", () => {
  const row = rowOf(figure({ floor: [10, 30, 20], product: [26, 90, 30], aim: { ratio: 1.5 } }));
  expect(row).toEqual({
    name: "start",
    unit: "ms",
    floor: 20,
    product: 30,
    ratio: 1.5,
    aim: { ratio: 1.5 },
    verdict: "met",
    rounds: 3,
    range: [26, 90],
  });
});

describe("the verdict", () => {
  const cases: readonly (readonly [what: string, figure: Partial<Figure>, verdict: string])[] = [
    ["a ratio above the aim", { floor: [10], product: [16], aim: { ratio: 1.5 } }, "MISSED"],
    ["a ratio without a floor", { product: [16], aim: { ratio: 1.5 } }, "not measured"],
    ["a floor of nothing", { floor: [0], product: [16], aim: { ratio: 1.5 } }, "not measured"],
    ["a bound that is kept", { product: [60], aim: { most: 60 } }, "met"],
    ["a bound that is not", { product: [61], aim: { most: 60 } }, "MISSED"],
    ["no value", { floor: [10], aim: { most: 60 } }, "not measured"],
    ["no aim", { floor: [10], product: [90] }, ""],
  ];
  for (const [what, given, verdict] of cases) {
    test(`${what}: ${verdict || "none"}`, () => expect(rowOf(figure(given)).verdict).toBe(verdict as never));
  }
});

test("the table lines its columns up and says why a figure is missing", () => {
  const table = renderTable([
    rowOf(figure({ floor: [4.567], product: [9.134], aim: { ratio: 1.5 } })),
    rowOf(figure({ name: "first request", unit: "bytes", product: [1_234_567] })),
    rowOf(figure({ name: "memory", unit: "MB", aim: { most: 90 }, unmeasured: "there is no /proc" })),
  ]);
  expect(table).toBe(
    [
      "figure           floor          khaelor  range  ratio        aim",
      "-------------  -------  ---------------  -----  -----  ---------  ------------",
      "start          4.57 ms          9.13 ms         2.00×     ≤ 1.5×  MISSED",
      "first request        –  1,234,567 bytes",
      "memory               –                –                ≤ 90.0 MB  not measured",
      "memory: there is no /proc",
    ].join("\n"),
  );
});
