/** Diffs as rows and lines: numbers, tabs, what hides, and both columns. */
import { describe, expect, test } from "bun:test";
import { parseDiff } from "../../src/tui/layout/diff.ts";
import { digitsOf, sidePairs, splitLines, unifiedLines } from "../../src/tui/layout/diff-lines.ts";
import { measureBy } from "../../src/tui/layout/width.ts";
import { textOf } from "../../src/tui/line.ts";
import cases from "../cases/terminal.json" with { type: "json" };

const measure = measureBy("unicode");
const rowsOf = (diff: string) => parseDiff(diff).hunks.flatMap(({ rows }) => rows);
const look = (width: number, isWrapped = false) => ({ width, measure, path: "a.ts", digits: 3, isWrapped });

const DIFF = `--- a.ts
+++ a.ts
@@ -118,3 +118,4 @@ function open()
   const end = lastNewline(buf)
-  closeDangling(events)
+  await fh.truncate(end + 1)
+  closeDangling(replay(events))
   return end
@@ -300 +301 @@
-const a = 1;
+const a = 22;
\\ No newline at end of file
`;

test("rows with their numbers", () => {
  expect(parseDiff(DIFF).hunks.map(({ old, next, place }) => [old, next, place])).toEqual([
    [118, 118, "function open()"],
    [300, 301, ""],
  ]);
  expect(rowsOf(DIFF)).toEqual([
    { kind: "context", old: 118, next: 118, text: "  const end = lastNewline(buf)" },
    { kind: "removed", at: 119, text: "  closeDangling(events)" },
    { kind: "added", at: 119, text: "  await fh.truncate(end + 1)" },
    { kind: "added", at: 120, text: "  closeDangling(replay(events))" },
    { kind: "context", old: 120, next: 121, text: "  return end" },
    { kind: "removed", at: 300, text: "const a = 1;", changed: { from: 10, to: 11 } },
    { kind: "added", at: 301, text: "const a = 22;", changed: { from: 10, to: 12 } },
  ]);
});

test("one column", () => {
  expect(
    rowsOf(DIFF)
      .slice(0, 4)
      .flatMap((row) => unifiedLines(row, look(30)))
      .map(textOf),
  ).toEqual([
    "118     const end = lastNewli…",
    "119 -   closeDangling(events)",
    "119 +   await fh.truncate(end…",
    "120 +   closeDangling(replay(…",
  ]);
  expect(
    rowsOf(DIFF)
      .slice(0, 1)
      .flatMap((row) => unifiedLines(row, look(20, true)))
      .map(textOf),
  ).toEqual(["118     const end =", "      lastNewline(bu", "      f)"]);
});

test("two columns", () => {
  const lines = sidePairs(rowsOf(DIFF)).flatMap((pair) => splitLines(pair, look(57, true)));
  expect(lines.map(textOf)).toEqual([
    "118     const end =         │ 118     const end =        ",
    "      lastNewline(buf)      │       lastNewline(buf)     ",
    "119 -   closeDangling(event │ 119 +   await              ",
    "      s)                    │       fh.truncate(end + 1) ",
    "                            │ 120 +   closeDangling(repla",
    "                            │       y(events))           ",
    "120     return end          │ 121     return end         ",
    "300 - const a = 1;          │ 301 + const a = 22;        ",
  ]);
  expect(new Set(lines.map(({ width }) => width))).toEqual(new Set([57]));
});

test("a tab is as wide on both sides", () => {
  const given = cases.cases.find(({ id }) => id === "term-040");
  const rows = rowsOf(`@@ -1 +1 @@\n${String(given?.input)}`);
  expect(rows.flatMap((row) => unifiedLines(row, look(40))).map(textOf)).toEqual([
    "  1 -     if a:",
    "  1 +     if b:",
  ]);
  const inner = rowsOf("@@ -1 +1 @@\n-a\tx\n+'a'\tx");
  expect(inner.flatMap((row) => unifiedLines(row, look(40))).map(textOf)).toEqual(["  1 - a   x", "  1 + 'a' x"]);
});

describe("what hides is shown", () => {
  test.each([
    ["+good\rbad", "good\\rbad"],
    ["+a\u202eb", "a\\u202eb"],
    ["+a\u001b[2Kb", "a\\e[2Kb"],
    ["+a\u200bb", "a\\u200bb"],
    ["+is\u3164Admin\uffa0", "is\\u3164Admin\\uffa0"],
    ["+a\u{e0041}b\u{e0100}\u034f", "a\\u{e0041}b\\u{e0100}\\u034f"],
    ["+a\u200db\u200cc\ufe0f", "a\\u200db\\u200cc\\ufe0f"],
    ["+❤\ufe0f\ufe0f\ufe01", "❤\ufe0f\\ufe0f\\ufe01"],
    [
      "+👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 می\u200cخواهم",
      "👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 می\u200cخواهم",
    ],
  ])("%p", (line, text) => {
    expect(rowsOf(`@@ -0,0 +1 @@\n${line}`)).toEqual([{ kind: "added", at: 1, text }]);
  });

  test("the returns of a file whose lines all end so are no news", () => {
    expect(rowsOf("@@ -1 +1 @@\n-a\r\n+b\r")).toEqual([
      { kind: "removed", at: 1, text: "a" },
      { kind: "added", at: 1, text: "b" },
    ]);
    expect(rowsOf("@@ -1 +1 @@\n-a\r\n+b").map(({ text }) => text)).toEqual(["a\\r", "b"]);
    const end = "\\ No newline at end of file";
    const texts = (diff: string) => rowsOf(diff).map(({ text }) => text);
    expect(texts(`@@ -1,2 +1,2 @@\n a\r\n-b\n${end}\n+c\n${end}\n`)).toEqual(["a", "b", "c"]);
    expect(texts(`@@ -1,2 +1,2 @@\n a\r\n-b\n${end}\n+c\r\n`)).toEqual(["a", "b", "c"]);
    expect(texts(`@@ -1 +1 @@\n-b\r\n${end}\n+c\r\n${end}\n`)).toEqual(["b\\r", "c\\r"]);
  });
});

test("what is said of the file is no row", () => {
  const { notes, hunks } = parseDiff(
    "diff --git a/x b/y\nrename from x\nrename to y\n--- x\n+++ y\n@@ -1 +1 @@\n--- a\n+++ b\n[diff cut: 12 more bytes]\n",
  );
  expect(notes).toEqual(["rename from x", "rename to y", "[diff cut: 12 more bytes]"]);
  expect(hunks.flatMap(({ rows }) => rows.map(({ kind, text }) => [kind, text]))).toEqual([
    ["removed", "-- a"],
    ["added", "++ b"],
  ]);
});

test("numbers are as wide as the widest", () => {
  expect(digitsOf(rowsOf(DIFF))).toBe(3);
});
