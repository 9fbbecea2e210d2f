/** Markdown becomes the same lines however it is cut, within its width, and nothing of its text gets lost. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inlinePieces } from "../../src/tui/layout/inline.ts";
import { createMarkdown, layoutMarkdown } from "../../src/tui/layout/markdown.ts";
import { openedFence, styledLine } from "../../src/tui/layout/markdown-line.ts";
import { alignments } from "../../src/tui/layout/table.ts";
import { measureBy } from "../../src/tui/layout/width.ts";
import { type Line, textOf } from "../../src/tui/line.ts";
import cases from "../cases/terminal.json" with { type: "json" };
import { CONTROL, expectSound } from "../support/frames.ts";

const measure = measureBy("unicode");
const lay = (text: string, width = 60) => layoutMarkdown(text, { width, measure });
const shown = (text: string, width = 60): readonly string[] => lay(text, width).map(textOf);
/** `<style>text` where a style differs from plain text. */
const marked = (text: string): string =>
  lay(text)
    .flatMap(({ spans }) => spans)
    .map(({ text: own, width: _, tone, ...style }) => {
      const names = [...(tone === "fg" ? [] : [tone]), ...Object.keys(style)];
      return names.length > 0 ? `<${names.join(" ")}>${own}</>` : own;
    })
    .join("");

describe("within a line", () => {
  test.each([
    ["plain", "plain"],
    ["a `b c` d", "a <code>b c</> d"],
    ["``a ` b``", "<code>a ` b</>"],
    ["**bold** and *it* and ~~no~~", "<bold>bold</> and <italic>it</> and <strike>no</>"],
    ["**a *b* c**", "<bold>a </><bold italic>b</><bold> c</>"],
    ["*a **b***", "<italic>a </><italic bold>b</>"],
    ["***both***", "<bold italic>both</>"],
    ["snake_case_name and __init__", "snake_case_name and <bold>init</>"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["**not closed", "**not closed"],
    ["`not closed", "`not closed"],
    ["\\*plain\\*", "*plain*"],
    ["[text](https://a.b/c)", "<underline>text</> <muted>(https://a.b/c)</>"],
    ["[https://a.b](https://a.b)", "<underline>https://a.b</>"],
    ["<https://a.b>", "<underline>https://a.b</>"],
    ["see https://a.b/c_d_e.", "see <underline>https://a.b/c_d_e</>."],
    ["![alt](pic.png)", "<underline>alt</> <muted>(pic.png)</>"],
    ["<b>html</b> & more", "<b>html</b> & more"],
    ["a [x] b", "a [x] b"],
  ])("%p", (text, expected) => {
    expect(marked(text)).toBe(expected);
  });
});

describe("lines", () => {
  test("headings, rules, quotes and lists", () => {
    expect(shown("# One\n\n## Two ##\n---\n> said\n> > twice\n\n- a\n  - b\n1. c\n- [x] d\n- [ ] e", 20)).toEqual([
      "One",
      "",
      "Two",
      "─".repeat(20),
      "│ said",
      "│ │ twice",
      "",
      "• a",
      "  • b",
      "1. c",
      "• ✓ d",
      "• ◌ e",
    ]);
  });

  test("the text of an item hangs below its beginning", () => {
    expect(shown("- one two three\n  four", 11)).toEqual(["• one two", "  three", "  four"]);
  });

  test("blank lines: one between, none at the ends", () => {
    expect(shown("\n\na\n\n\n\nb\n\n")).toEqual(["a", "", "b"]);
  });

  test("code keeps its blank lines and its blanks", () => {
    expect(shown("do:\n```ts\nconst a = 1;\n\n\n\tif (a) b();\n```\nend")).toEqual([
      "do:",
      "  ts",
      "  const a = 1;",
      "",
      "",
      "      if (a) b();",
      "end",
    ]);
  });

  test("a fence ends at one as long, and code within a list loses the list's indent", () => {
    expect(shown("- x\n  ````\n  ```\n  y\n  ````\nz")).toEqual(["• x", "  ```", "  y", "z"]);
  });

  test("what opened it may name a language with a backtick only behind tildes", () => {
    expect(shown("~~~ a `b`\nc\n~~~")).toEqual(["  a", "  c"]);
    expect(shown("``` a `b`\nc")).toEqual(["``` a b", "c"]);
  });

  test("the signs that close a heading are not its text", () => {
    expect(shown("# a #\n## b  ##  \n# c#\n#\n#d\n### e # f ###")).toEqual(["a", "b", "c#", "", "#d", "e # f"]);
  });

  test("a block comment goes on over lines", () => {
    expect(marked("```ts\n/* a\nb */ let c = 'd' // e\n```")).toBe(
      "  <faint>ts</>  <muted>/* a</>  <muted>b */</> <code>let</> c = <ok>'d'</> <muted>// e</>",
    );
  });
});

describe("tables", () => {
  const table = "| a | long name | n |\n|---|:---:|--:|\n| `x` | y | 1 |\n| 漢字 | **z** | 22 |";

  test("columns are aligned by cells", () => {
    expect(shown(table)).toEqual([
      "a     long name   n",
      "───────────────────",
      "x         y       1",
      "漢字      z      22",
    ]);
  });

  test("a table that is too wide is shown row by row", () => {
    expect(shown(table, 12)).toEqual(["a │ long", "name │ n", "x │ y │ 1", "漢字 │ z │", "22"]);
  });

  test("a last column that is too wide is wrapped within itself", () => {
    const wide = "| key | what it means |\n|---|---|\n| a | one two three four five six |\n| bc | 漢字 |";
    expect(shown(wide, 24)).toEqual([
      "key  what it means",
      "────────────────────────",
      "a    one two three four",
      "     five six",
      "bc   漢字",
    ]);
  });

  test("a bar alone makes no table, and what follows a table is text", () => {
    expect(shown("a | b\nc")).toEqual(["a | b", "c"]);
    expect(shown("| a |\n|---|\n| b |\nend")).toEqual(["a", "─", "b", "end"]);
  });

  test("rows beyond the bound are not waited for", () => {
    const rows = Array.from({ length: 250 }, (_, index) => `| ${index} | b |`);
    const markdown = createMarkdown({ width: 40, measure });
    const settled = markdown.push(`| n | m |\n|---|---|\n${rows.join("\n")}\n`);
    expect(settled.length).toBe(252);
    expect(markdown.tail()).toEqual([]);
  });
});

test("a line without an end is cut for the eye, and says so", () => {
  const lines = shown("x".repeat(20_000), 100);
  expect(lines.slice(0, 81)).toEqual(Array(81).fill("x".repeat(100)));
  expect(lines.slice(81)).toEqual([`${"x".repeat(92)} …`, "11,808 more characters"]);
});

describe("a line costs what it is long, whatever it repeats", () => {
  const LONG = 200_000;
  const context = { width: 60, measure, prefix: [] };
  const run = (part: string) => part.repeat(LONG / part.length);
  test.each(["~", "`", " ", "a"])("a fence, or none, of %p", (sign) => {
    const tildes = { mark: sign === "~" ? `~~~${run("~")}` : "~~~", indent: 0 };
    expect(openedFence(`~~~${run(sign)} x\``)).toMatchObject(tildes);
    expect(openedFence(`\`\`\`${run(sign)} x\``)).toBe(undefined);
  });

  test.each([" ", "#", "# ", "a #"])("a heading of %p", (part) => {
    expect(styledLine(`# a ${run(part)} x`, context).length).toBeGreaterThan(0);
  });

  test.each(["[a](", "[a](b", '[a](b "'])("%p and blanks", (start) => {
    const text = `${start}${run(" ")}x`;
    expect(inlinePieces(text, { tone: "fg" })).toEqual([{ tone: "fg", text }]);
  });

  test.each([" ", "-", "-|", " - | "])("a row below a header of %p", (part) => {
    expect(alignments(`|${run(part)}-${run(part)}x`, "a | b")).toBe(undefined);
    expect(alignments(`${run(part)}-${run(part)}x`, "a | b")).toBe(undefined);
  });
});

test("what is provisional is the last line only", () => {
  const markdown = createMarkdown({ width: 40, measure });
  expect(markdown.push("one\ntw").map(textOf)).toEqual(["one"]);
  expect(markdown.tail().map(textOf)).toEqual(["tw"]);
  expect(markdown.tail()).toBe(markdown.tail());
  expect(markdown.push("o\n\n").map(textOf)).toEqual(["two"]);
  expect(markdown.tail()).toEqual([]);
  expect(markdown.push("| a |\n|---|\n").map(textOf)).toEqual([]);
  expect(markdown.tail().map(textOf)).toEqual(["", "a", "─"]);
  expect(markdown.end().map(textOf)).toEqual(["", "a", "─"]);
});

const PARTS = [
  ..."ab \n\n\n|-*_`~#>[]()!1.\\\t\r",
  "```",
  "```ts\n",
  "\n```\n",
  "| a | b |\n",
  "|---|---|\n",
  "**",
  "- ",
  "# ",
  "> ",
  "/*",
  "*/",
  "\u001b[31m",
  "\u001b]0;t\u0007",
  "👍🏽",
  "漢字",
  "e\u0301",
  "https://a.b",
  "[x](y)",
  "\u202e",
];
const source = fc.array(fc.constantFrom(...PARTS), { maxLength: 60 }).map((parts) => parts.join(""));

test("the same lines for every way to cut the text", () => {
  const sample = fc.record({
    text: source,
    cuts: fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 12 }),
    width: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(sample, ({ text, cuts, width }) => {
      const markdown = createMarkdown({ width, measure });
      const lines: Line[] = [];
      let from = 0;
      for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) {
        lines.push(...markdown.push(text.slice(from, Math.max(from, cut))));
        from = Math.max(from, cut);
        markdown.tail();
      }
      expect([...lines, ...markdown.end()]).toEqual([...layoutMarkdown(text, { width, measure })]);
    }),
    { numRuns: 1500 },
  );
});

test("no line is wider than its width, none holds a control character", () => {
  fc.assert(
    fc.property(source, fc.integer({ min: 1, max: 50 }), (text, width) => {
      expectSound(lay(text, width), width);
    }),
    { numRuns: 1500 },
  );
});

test("words are all there, in their order", () => {
  const word = fc.constantFrom("alpha", "beta9", "gamma", "漢字", "δ");
  const sign = fc.constantFrom(
    " ",
    "\n",
    "\n\n",
    " - ",
    "\n- ",
    "\n1. ",
    "\n# ",
    "\n> ",
    " `",
    " **",
    "\n```\n",
    "\n| ",
  );
  const text = fc.array(fc.tuple(sign, word), { maxLength: 40 }).map((parts) => parts.flat().join(""));
  const letters = (from: string) => from.replace(/[^\p{L}\d]/gu, "");
  const numbered = (from: string) => letters(from.replace(/(^|\n)1\. /g, "$1"));
  fc.assert(
    fc.property(text, fc.integer({ min: 12, max: 60 }), (sample, width) => {
      const lines = shown(sample, width).map((line) => line.replace(/^(\s*|│ )*1\. /, ""));
      const labels = sample.includes("```");
      if (!labels) expect(letters(lines.join(""))).toBe(numbered(sample));
    }),
    { numRuns: 500 },
  );
});

describe("the handed cases of model text and tool output", () => {
  const given = cases.cases.filter(({ where }) => where === "model-text" || where === "tool-output");
  test.each(given.map((one) => [one.id, one] as const))("%s", (_id, { input, expect: expected }) => {
    const text = shown(String(input), 200).join("\n");
    expect(text.replaceAll("\n", "")).not.toMatch(CONTROL);
    if (expected.visible !== undefined) expect(text).toBe(expected.visible);
    for (const part of expected.visible_contains ?? []) expect(text).toContain(part);
  });
});
