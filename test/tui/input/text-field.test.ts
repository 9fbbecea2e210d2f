/** The one-line field: characters as people see them, the usual line editing, and no more cells than there are. */
import { expect, test } from "bun:test";
import { createTextField, type TextFieldOptions } from "../../../src/tui/input/text-field.ts";
import { measureBy } from "../../../src/tui/layout/width.ts";
import { key } from "./keys.ts";

const measure = measureBy("unicode");

/** Where the cursor stands is shown by a bar. */
function after(initial: string, keys: string, options: TextFieldOptions = {}): string {
  const field = createTextField({ ...options, initial });
  for (const word of keys.split(" ")) field.key(key(word));
  const { cursor } = field.line(100, measure);
  const text = field.text();
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

test("moves and cuts as a line of a shell does", () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ["ab cd", "left left", "ab |cd"],
    ["ab cd", "home x", "x|ab cd"],
    ["ab cd", "ctrl+a right ctrl+k", "a|"],
    ["ab cd", "left ctrl+u", "|d"],
    ["ab/cd ef", "ctrl+w", "ab/cd |"],
    ["ab/cd ", "ctrl+w", "|"],
    ["ab/cd", "alt+backspace", "ab/|"],
    ["ab cd", "alt+b", "ab |cd"],
    ["ab cd", "ctrl+left ctrl+left", "|ab cd"],
    ["ab cd", "home ctrl+right", "ab| cd"],
    ["ab cd", "home alt+d", "| cd"],
    ["ab", "home delete", "|b"],
    ["ab", "home ctrl+d ctrl+e", "b|"],
    ["", "backspace delete left right", "|"],
    ["ab", "left backspace backspace backspace", "|b"],
  ];
  expect(rows.map(([initial, keys]) => after(initial, keys))).toEqual(rows.map(([, , expected]) => expected));
});

test("a character is what is seen as one, however many units it takes", () => {
  const family = "👨‍👩‍👧";
  const field = createTextField({ initial: `a${family}e\u0301` });
  field.key(key("backspace"));
  expect(field.text()).toBe(`a${family}`);
  field.key(key("left"));
  field.key(key("delete"));
  expect(field.text()).toBe("a");
  field.paste("\u0301"); // joins the a
  expect(field.text()).toBe("a\u0301");
  field.key(key("backspace"));
  expect(field.text()).toBe("");
});

test("what its owner needs is left to it", () => {
  const field = createTextField();
  const left = ["enter", "escape", "tab", "up", "down", "ctrl+c", "ctrl+r", "f1", "alt+x"];
  expect(left.map((word) => field.key(key(word)))).toEqual(left.map(() => false));
  expect(field.text()).toBe("");
});

test("a paste is one line without control characters", () => {
  const field = createTextField({ initial: "x" });
  field.paste("a\u001b[31mb\r\nc\td\u0007\n");
  expect(field.text()).toBe("xab c d");
});

test("only what fits is drawn, and the cursor is always in it", () => {
  const field = createTextField({ initial: "日本語abc" });
  const shown = (width: number) => {
    const { line, cursor } = field.line(width, measure);
    return [line.spans.map(({ text }) => text).join(""), line.width, cursor];
  };
  expect(shown(20)).toEqual(["日本語abc", 9, 9]);
  expect(shown(6)).toEqual(["語abc", 5, 5]);
  expect(shown(5)).toEqual(["abc", 3, 3]);
  expect(shown(1)).toEqual(["", 0, 0]);
  field.key(key("home"));
  expect(shown(6)).toEqual(["日本語", 6, 0]);
  expect(shown(5)).toEqual(["日本", 4, 0]);
});

test("a secret is dots, on the screen alone", () => {
  const field = createTextField({ isSecret: true, initial: "sk-x" });
  expect([field.text(), field.line(10, measure).line.spans[0]?.text]).toEqual(["sk-x", "••••"]);
});

test("a placeholder stands where nothing was typed", () => {
  const field = createTextField({ placeholder: "filter" });
  expect(field.line(4, measure)).toEqual({
    line: { spans: [{ tone: "faint", text: "filt", width: 4 }], width: 4 },
    cursor: 0,
  });
});

test("what takes more than a line can hold is cut", () => {
  const field = createTextField();
  field.paste("x".repeat(1_000_000));
  expect(field.text().length).toBe(10_000);
});
