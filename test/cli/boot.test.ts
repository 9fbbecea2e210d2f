/** The outline that is shown before the interface is loaded stands where the interface will stand, at every size. */
import { expect, test } from "bun:test";
import { shellRows } from "../../src/cli/boot.ts";
import { EMPTY_LINE, type Line } from "../../src/tui/line.ts";
import { composeFrame } from "../../src/tui/view/frame.ts";

const line = (text: string): Line => ({ spans: [{ text, width: text.length, tone: "fg" }], width: text.length });
const textOf = ({ spans }: Line): string => spans.map(({ text }) => text).join("");

function firstFrame(width: number, height: number): readonly string[] {
  const { rows } = composeFrame({
    size: { width, height },
    header: () => line(" khaelor"),
    status: () => line(" starting".slice(0, width)),
    transcript: () => [],
    chips: () => [],
    pill: () => undefined,
    full: undefined,
    above: [],
    composerRows: () => 1,
  });
  return rows.map(textOf);
}

test("the outline and the first frame are the same rows", () => {
  const sizes = [1, 2, 3, 9, 10, 19, 20, 39, 40, 60, 100].flatMap((columns) =>
    [1, 2, 3, 7, 8, 11, 12, 30].map((rows) => ({ columns, rows })),
  );
  for (const size of sizes) {
    const outline = shellRows(size);
    const rows = Array.from({ length: size.rows }, (_, index) => outline.get(index + 1) ?? textOf(EMPTY_LINE));
    expect([size, rows]).toEqual([size, [...firstFrame(size.columns, size.rows)]]);
  }
});
