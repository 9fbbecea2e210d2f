/** Wrapped lines fit, tear nothing apart, and give back their text. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Piece } from "../../src/tui/layout/span.ts";
import { measureBy } from "../../src/tui/layout/width.ts";
import { wrapPieces, wrapText } from "../../src/tui/layout/wrap.ts";
import { type Line, textOf } from "../../src/tui/line.ts";
import cases from "../cases/terminal.json" with { type: "json" };

const measure = measureBy("unicode");

const shown = (lines: readonly Line[]): readonly string[] => lines.map(textOf);
/** As copying does it. */
const sourceOf = (lines: readonly Line[]): string =>
  lines.map((line, index) => (index === 0 ? "" : line.wraps ? (line.gap ?? "") : "\n") + withoutIndent(line)).join("");

function withoutIndent({ spans, indent = 0 }: Line): string {
  let skipped = 0;
  return spans.reduce((text, span) => {
    if (skipped < indent) {
      skipped += span.width;
      return text;
    }
    return text + span.text;
  }, "");
}

const wrapped = (text: string, width: number) => wrapText(text, { tone: "fg" }, { width, measure });

test("breaks between words, and the blanks at a break are its gap", () => {
  const lines = wrapped("the quick  brown fox", 9);
  expect(shown(lines)).toEqual(["the quick", "brown fox"]);
  expect(lines.map(({ wraps, gap }) => [wraps, gap])).toEqual([
    [undefined, undefined],
    [true, "  "],
  ]);
});

test("a word that fits no line begins where it stands", () => {
  expect(shown(wrapped("see src/tui/layout/markdown.ts here", 12))).toEqual([
    "see src/tui/",
    "layout/markd",
    "own.ts here",
  ]);
});

test("every character of a script without blanks is a word, but closing signs begin no line", () => {
  expect(shown(wrapped("日本語の文章です。", 8))).toEqual(["日本語の", "文章で", "す。"]);
});

test("further lines hang below the text, and the hanging is decoration", () => {
  const prefix = { text: "• ", width: 2, tone: "accent" } as const;
  const rest = { text: "  ", width: 2, tone: "fg" } as const;
  const lines = wrapPieces([{ text: "one two three", tone: "fg" }], {
    width: 9,
    measure,
    first: [prefix],
    rest: [rest],
  });
  expect(shown(lines)).toEqual(["• one two", "  three"]);
  expect(lines.map(({ indent }) => indent)).toEqual([2, 2]);
  expect(sourceOf(lines)).toBe("one two three");
});

test("a style may change within a word without breaking it", () => {
  const pieces: Piece[] = [
    { text: "aa bb", tone: "fg" },
    { text: "cc dd", tone: "code" },
  ];
  expect(shown(wrapPieces(pieces, { width: 6, measure }))).toEqual(["aa", "bbcc", "dd"]);
});

test("one column holds no wide character: a mark stands for it", () => {
  expect(shown(wrapped("日a本", 1))).toEqual(["…", "a", "…"]);
});

test("the handed case of an odd width", () => {
  const given = cases.cases.find(({ id }) => id === "term-038");
  const lines = wrapped(String(given?.input), given?.cols ?? 0);
  expect(lines.every(({ width }) => width <= 21)).toBe(true);
  expect(sourceOf(lines)).toBe(String(given?.input));
});

test("a character of its own keeps its marks", () => {
  for (const text of ["漢\u0e33漢\u0eb3", "Ａ\uff9eＡ\uff9f", "葛\u{e0100}葛\u0301"]) {
    const lines = wrapped(text, 3);
    expect([shown(lines).join(""), lines.map(({ width }) => width)]).toEqual([text, [2, 2]]);
  }
});

const PARTS = [
  "a",
  "word",
  "longerword",
  " ",
  "  ",
  "日",
  "本",
  "。",
  "👍🏽",
  "e\u0301",
  "👩‍💻",
  "\u200b",
  "/",
  "-",
  "한글",
];
const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join(""));

for (const method of ["unicode", "wcwidth"] as const) {
  test(`no line is wider than the width, and copying gives the text back: ${method}`, () => {
    const own = measureBy(method);
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 30 }), (texts, width) => {
        const pieces = texts.map((text, index): Piece => ({ text, tone: index === 1 ? "code" : "fg" }));
        const lines = wrapPieces(pieces, { width, measure: own });
        for (const line of lines) {
          expect(line.width).toBeLessThanOrEqual(width);
          expect(own(textOf(line))).toBe(line.width);
        }
        const source = texts.join("");
        if (width >= 6) expect(sourceOf(lines).trimEnd()).toBe(source.trimEnd());
      }),
      { numRuns: 1500 },
    );
  });
}
