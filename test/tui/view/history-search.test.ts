/** Ctrl+R: every word narrows, the same key goes further back, and nothing is taken that was not chosen. */
import { expect, test } from "bun:test";
import { measureBy } from "../../../src/tui/layout/width.ts";
import { createHistorySearch } from "../../../src/tui/view/history-search.ts";
import { key } from "../input/keys.ts";

function open(texts: readonly string[]) {
  const heard: string[] = [];
  const layer = createHistorySearch({
    texts,
    measure: () => measureBy("unicode"),
    onChoose: (text) => heard.push(text),
    onClose: () => heard.push("closed"),
    onChange: () => undefined,
  });
  const rows = () =>
    layer.rows({ width: 60, height: 8 }).map(({ spans }) =>
      spans
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    );
  return { heard, rows, press: (...words: readonly string[]) => words.map((word) => layer.key(key(word))) };
}

const TEXTS = ["fix the parser", "run the tests\nand fix", "say hi"];

test("narrows by every word, in whatever order, and puts the whole text into the draft", () => {
  const { heard, rows, press } = open(TEXTS);
  press(..."fix t");
  expect(rows().filter((row) => row.includes("the"))).toHaveLength(2);
  press("ctrl+r", "enter");
  expect(heard).toEqual(["closed", "run the tests\nand fix"]);
});

test("Escape gives up", () => {
  const { heard, press } = open(TEXTS);
  press("escape");
  expect(heard).toEqual(["closed"]);
  press("ctrl+g");
  expect(heard).toEqual(["closed", "closed"]);
});

test("says that there is nothing, and takes nothing then", () => {
  const { heard, rows, press } = open([]);
  expect(rows().join("\n")).toContain("nothing was said yet");
  press("enter");
  expect(heard).toEqual([]);
});

test("control sequences in what was said are not drawn", () => {
  const { rows } = open(["a\u001b[31mb"]);
  expect(rows().join("\n")).toContain("ab");
});
