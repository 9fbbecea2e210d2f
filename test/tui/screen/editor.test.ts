/** The composer over the library's text area: what is painted is what is written, whatever is done to it. */
import { describe, expect, test } from "bun:test";
import type { Chip, EditorAction } from "../../../src/tui/screen/port.ts";
import { createTestScreen, type TestScreen } from "../../support/screen.ts";
import { createDice } from "../../support/story/dice.ts";
import { closing, createStage } from "./stage.ts";

const close = closing();

async function composer(width = 30, height = 6) {
  const stage = createStage();
  stage.frame = () => ({
    rows: [],
    composer: { x: 0, y: 0, width, height },
    hasComposerCursor: true,
    layers: [],
  });
  const screen = close(await createTestScreen({ columns: width + 10, rows: height + 1 }));
  const { editor, requestFrame } = await screen.open(stage.handlers);
  await screen.settled();
  return { stage, screen, editor, requestFrame };
}

const paste: Chip = { kind: "paste", label: "[Pasted 40 lines]", value: "long" };

test("letters are typed, and each is painted with the next frame", async () => {
  const { screen, editor, stage } = await composer();
  const before = stage.heard.draws;
  await screen.type("hello");
  expect(editor.text()).toBe("hello");
  expect(screen.frame()).toBe("hello");
  expect(screen.cursor()).toEqual({ x: 5, y: 0, isVisible: true });
  expect(stage.heard.draws - before).toBe(1);
  expect(stage.heard.edits).toBe(5);
});

test("Enter is no new line", async () => {
  const { screen, editor, stage } = await composer();
  stage.taken = new Set();
  await screen.type("a\rb\x1b[13;2uc\x1b\rd");
  expect(editor.text()).toBe("abcd");
  editor.run("newline");
  expect(editor.text()).toBe("abcd\n");
});

test("a key that is taken is not typed", async () => {
  const { screen, editor, stage } = await composer();
  stage.taken = new Set(["x"]);
  await screen.type("axb");
  expect(editor.text()).toBe("ab");
});

test("up and down follow the rows as they are wrapped, and keep the column over short ones", async () => {
  const { screen, editor } = await composer(10);
  editor.setText("one two three four\nx\nabcdefghi");
  await screen.settled();
  expect(screen.frame()).toBe("one two\nthree four\nx\nabcdefghi");
  editor.run("move-up");
  expect(editor.cursor()).toBe("one two three four\nx".length);
  editor.run("move-up");
  expect(editor.cursor()).toBe("one two three fou".length);
  editor.run("move-down");
  editor.run("move-down");
  expect(editor.cursor()).toBe("one two three four\nx\nabcdefghi".length);
});

test("how many rows it takes is known before it is painted that wide", async () => {
  const { editor } = await composer(20);
  expect(editor.rows(20)).toEqual({ count: 1, cursor: 0 });
  editor.setText("one two three four five");
  expect(editor.rows(20)).toEqual({ count: 2, cursor: 1 });
  expect(editor.rows(5)).toEqual({ count: 5, cursor: 4 });
  editor.setCursor(0);
  expect(editor.rows(5)).toEqual({ count: 5, cursor: 0 });
  editor.setText(Array.from({ length: 50 }, (_, at) => `line ${at}`).join("\n"));
  expect(editor.rows(20)).toEqual({ count: 50, cursor: 49 });
  editor.setCursor(0);
  expect(editor.rows(20)).toEqual({ count: 50, cursor: 0 });
});

test("a long draft scrolls with its cursor", async () => {
  const { screen, editor } = await composer(20, 3);
  editor.setText("a\nb\nc\nd\ne");
  await screen.settled();
  expect(screen.frame()).toBe("c\nd\ne");
  editor.run("buffer-home");
  await screen.settled();
  expect(screen.frame()).toBe("a\nb\nc");
});

describe("chips", () => {
  test("replace what was typed for them, are coloured, and are erased by one key", async () => {
    const { screen, editor } = await composer(40);
    await screen.type("see @src a");
    editor.insertChip({ kind: "mention", label: "@src/a.ts", value: "src/a.ts" }, { start: 4, end: 8 });
    expect(editor.text()).toBe("see @src/a.ts a");
    expect(editor.chips()).toEqual([{ kind: "mention", label: "@src/a.ts", value: "src/a.ts", start: 4, end: 13 }]);
    expect(editor.cursor()).toBe(13);
    await screen.settled();
    const spans = screen.colors().lines[0]?.spans.map(({ text, fg }) => [text, fg.toString()]) ?? [];
    expect(spans[0]?.[0]).toBe("see ");
    expect(spans[1]?.[0]).toBe("@src/a.ts");
    expect(spans[0]?.[1]).not.toBe(spans[1]?.[1]);
    await screen.type("\x7f");
    expect({ text: editor.text(), chips: editor.chips() }).toEqual({ text: "see  a", chips: [] });
  });

  test("survive what is written around them, also wide, and undo and redo", async () => {
    const { editor, screen } = await composer(60);
    editor.insert("日本 ");
    editor.insertChip(paste);
    editor.insert(" 👨‍👩‍👧 end");
    editor.setCursor(0);
    editor.insert("first\nline ");
    const text = "first\nline 日本 [Pasted 40 lines] 👨‍👩‍👧 end";
    expect(editor.text()).toBe(text);
    const start = text.indexOf("[");
    expect(editor.chips()).toEqual([{ ...paste, start, end: start + paste.label.length }]);
    editor.setText("other");
    expect(editor.chips()).toEqual([]);
    editor.run("undo");
    expect(editor.text()).toBe(text);
    expect(editor.chips()).toEqual([{ ...paste, start, end: start + paste.label.length }]);
    for (let step = 0; step < 4; step++) editor.run("undo");
    expect(editor.text()).toBe("");
    for (let step = 0; step < 4; step++) editor.run("redo");
    expect(editor.chips()).toHaveLength(1);
    expect(screen.area().text).toBe(text);
  });

  test("are never entered, by keys or by the mouse", async () => {
    const { editor, screen } = await composer(40);
    editor.setText("a\n[Pasted 40 lines]\nb", [{ ...paste, start: 2, end: 19 }]);
    editor.setCursor(1);
    editor.run("move-down");
    expect([2, 19]).toContain(editor.cursor());
    await screen.type("\x1b[<0;9;2M\x1b[<0;9;2m");
    expect([2, 19]).toContain(editor.cursor());
    await screen.type("x");
    expect(editor.chips()).toHaveLength(1);
  });

  test("come with a draft that is set", async () => {
    const { editor } = await composer();
    editor.setText("x [Pasted 40 lines]", [{ ...paste, start: 2, end: 19 }]);
    expect(editor.chips()).toEqual([{ ...paste, start: 2, end: 19 }]);
  });
});

test("a click puts the cursor there", async () => {
  const { editor, screen } = await composer(20);
  editor.setText("hello\n日本 x");
  await screen.settled();
  await screen.type("\x1b[<0;3;1M\x1b[<0;3;1m");
  expect(editor.cursor()).toBe(2);
  await screen.type("\x1b[<0;5;2M\x1b[<0;5;2m");
  expect(editor.cursor()).toBe("hello\n日本".length);
});

test("what is selected is shown, told and replaced", async () => {
  const { editor, screen } = await composer();
  editor.setText("one\ntwo");
  editor.run("select-all");
  await screen.settled();
  expect(editor.selectedText()).toBe("one\ntwo");
  const background = screen.colors().lines[0]?.spans[0]?.bg;
  expect(background?.toInts()).toEqual([0x2a, 0x27, 0x23, 255]);
  await screen.type("x");
  expect({ text: editor.text(), selected: editor.selectedText() }).toEqual({ text: "x", selected: "" });
});

test("control characters and sequences never get in", async () => {
  const { editor } = await composer();
  editor.insert("a\x1b[31mb\x07c\r\nd\te");
  expect(editor.text()).toBe("abc\nd\te");
  editor.insertChip({ kind: "paste", label: "one\ntwo\x1b]0;x\x07", value: "v" });
  expect(editor.text()).toBe("abc\nd\teone two");
});

const ACTIONS: readonly EditorAction[] = [
  ...(["move-left", "move-right", "move-up", "move-down", "word-forward", "word-backward", "line-home"] as const),
  ...(["line-end", "buffer-home", "buffer-end", "backspace", "delete", "delete-word-backward"] as const),
  ...(["delete-word-forward", "delete-to-line-start", "delete-to-line-end", "newline"] as const),
  ...(["undo", "redo", "select-all"] as const),
];
const PIECES = [
  "a",
  "word ",
  "日本",
  "👨‍👩‍👧",
  "e\u0301",
  "\u200b",
  "🇫🇷",
  "\t",
  "\n",
  "x\ny",
  "नि",
  "👍🏽",
  "\u0301",
  "한글",
  "❤️",
];

/** Cells of the text before the cursor in its row, as the painted area counts them. */
async function check(screen: TestScreen, text: string, cursor: number): Promise<void> {
  const area = screen.area();
  expect(area.text).toBe(text);
  expect(area.row).toBe(text.slice(0, cursor).split("\n").length - 1);
}

test("a line of marks that take no cell can be changed and erased", async () => {
  const { editor, screen } = await composer();
  for (const text of ["a\n\u0301", "a\n\u0301x", "a\n\u0301", "a\n\u200b\nb", "a\n\u200bc\nb", "\u0301", ""]) {
    editor.setText(text);
    await check(screen, text, text.length);
  }
});

test("whatever is done, the painted text is the draft, and chips stand where they say", async () => {
  const { editor, screen } = await composer(16, 5);
  const dice = createDice(4711);
  for (let step = 0; step < 1500; step++) {
    const roll = dice.below(10);
    if (roll < 5) editor.insert(dice.some(PIECES) ?? "");
    else if (roll < 6) editor.insertChip({ ...paste, label: `[chip ${step}]` });
    else if (roll < 7) editor.setCursor(dice.below(editor.text().length + 3) - 1);
    else editor.run(dice.some(ACTIONS) ?? "undo");
    await check(screen, editor.text(), editor.cursor());
    const chips = editor.chips();
    expect(chips.map(({ start, end }) => editor.text().slice(start, end))).toEqual(chips.map(({ label }) => label));
    expect(chips.some(({ start, end }) => start < editor.cursor() && editor.cursor() < end)).toBe(false);
    if (step % 100 === 99) await screen.settled();
  }
});
