/** Sums of heights are those of a plain list, whatever is changed in between. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createRowSums } from "../../../../src/tui/view/transcript/row-sums.ts";

const height = fc.integer({ min: 0, max: 50 });

test("before, total and find agree with a plain list", () => {
  const change = fc.record({ at: fc.nat(60), rows: height });
  fc.assert(
    fc.property(
      fc.array(height, { maxLength: 40 }),
      fc.array(height, { maxLength: 20 }),
      fc.array(change),
      (first, more, changes) => {
        const list = [...first, ...more];
        const sums = createRowSums(first);
        for (const rows of more) sums.push(rows);
        for (const { at, rows } of changes) {
          sums.set(at, rows);
          if (at < list.length) list[at] = rows;
        }
        const before = (at: number) => list.slice(0, at).reduce((sum, rows) => sum + rows, 0);
        expect(Array.from({ length: list.length + 1 }, (_, at) => sums.before(at))).toEqual(
          Array.from({ length: list.length + 1 }, (_, at) => before(at)),
        );
        for (let row = 0; row < before(list.length); row++) {
          const found = sums.find(row);
          expect(before(found.at) + found.row).toBe(row);
          expect(found.row).toBeLessThan(list[found.at] ?? 0);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("beyond the end is the last item, and in nothing there is nothing", () => {
  expect(createRowSums([3, 4]).find(9)).toEqual({ at: 1, row: 6 });
  expect(createRowSums().find(5)).toEqual({ at: 0, row: 5 });
  expect(createRowSums().before(1)).toBe(0);
});
