/** Text for a terminal of some width: broken between words, however it arrives, and never otherwise changed. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createWordWrap, wrapped } from "../../src/cli/word-wrap.ts";

const words = fc.array(
  fc.constantFrom("a", "of", "word", "größer", "👍", "界世", "`code`", "sixteen-letters.", " ", "  ", "\n", "\n\n"),
);
const text = words.map((parts) => parts.join(" "));
const width = fc.integer({ min: 4, max: 30 });

const inOrder = (shown: string): string => shown.replaceAll(/\s+/g, " ").trim();

test("property: no word is lost, broken or moved, and no line is too long but for a single word", () => {
  fc.assert(
    fc.property(text, width, (original, columns) => {
      const shown = wrapped(original, columns);
      expect(inOrder(shown)).toBe(inOrder(original));
      const tooLong = shown.split("\n").filter((line) => Bun.stringWidth(line) > columns && /\S\s+\S/.test(line));
      expect(tooLong).toEqual([]);
    }),
    { seed: 11, numRuns: 300 },
  );
});

test("property: it does not matter in which pieces a text arrives", () => {
  fc.assert(
    fc.property(text, width, fc.array(fc.nat(40)), (original, columns, cuts) => {
      const characters = [...original];
      const places = [...new Set(cuts)].sort((a, b) => a - b);
      const wrap = createWordWrap(columns);
      const pieces = [0, ...places].map((from, at) => characters.slice(from, places[at] ?? undefined).join(""));
      expect(pieces.map(wrap.push).join("") + wrap.end()).toBe(wrapped(original, columns));
    }),
    { seed: 12, numRuns: 300 },
  );
});

test("without a width nothing is changed and nothing is kept back", () => {
  const wrap = createWordWrap(undefined);
  expect([wrap.push("half a wo"), wrap.push("rd  \n"), wrap.end()]).toEqual(["half a wo", "rd  \n", ""]);
});
