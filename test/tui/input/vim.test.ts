/** Vim's keys on the real editor: a table of drafts, keys and what becomes of them. The bar is the cursor. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createVim } from "../../../src/tui/input/vim.ts";
import { COMMANDS } from "../../../src/tui/input/vim-edits.ts";
import { VIM_KEYS } from "../../../src/tui/input/vim-keys.ts";
import { MOTIONS } from "../../../src/tui/input/vim-motions.ts";
import { type EditorStage, openEditor } from "./editor-stage.ts";
import { key } from "./keys.ts";

let stage: EditorStage;
beforeAll(async () => {
  stage = await openEditor(20);
});
afterAll(() => stage.close());

/** Keys in command mode: signs as they stand, others between `<` and `>`. What follows `i` and the like is written. */
function after(draft: string, keys: string): string {
  const { editor } = stage;
  const at = draft.indexOf("|");
  editor.setText(draft.replace("|", ""));
  const vim = createVim(() => editor);
  vim.key(key("escape"));
  editor.setCursor(at);
  for (const [, named, sign = ""] of keys.matchAll(/<([^>]+)>|(.)/gs)) {
    const pressed = key(named ?? sign);
    if (!vim.key(pressed)) editor.key(pressed);
  }
  return `${editor.text().slice(0, editor.cursor())}|${editor.text().slice(editor.cursor())}`;
}

const ROWS: readonly (readonly [draft: string, keys: string, expected: string])[] = [
  ["|abc", "ll", "ab|c"],
  ["|abc", "9l", "ab|c"],
  ["ab|c", "hhh", "|abc"],
  ["|a\nb", "l", "|a\nb"],
  ["|one\ntwo", "j", "one\n|two"],
  ["one\ntw|o", "k", "on|e\ntwo"],
  ["|one two, three", "w", "one |two, three"],
  ["|one two, three", "ww", "one two|, three"],
  ["|one two, three", "3w", "one two, |three"],
  ["one two, thr|ee", "bbb", "one |two, three"],
  ["|one two", "e", "on|e two"],
  ["|one two", "ee", "one tw|o"],
  ["|one\ntwo", "w", "one\n|two"],
  ["ab |cd", "0", "|ab cd"],
  ["  ab |cd", "^", "  |ab cd"],
  ["|ab\ncd", "$", "a|b\ncd"],
  ["a\nb\n|c", "gg", "|a\nb\nc"],
  ["|a\nb\nc", "G", "a\nb\n|c"],
  ["|a\nb\nc", "2G", "a\n|b\nc"],
  ["|one, two", "f,", "one|, two"],
  ["|one, two", "t,", "on|e, two"],
  ["one, tw|o", "F,", "one|, two"],
  ["one, tw|o", "T,", "one,| two"],
  ["|one, two", "fz", "|one, two"],
  ["|a.b.c", "2f.", "a.b|.c"],
  ["a|b", "ix<escape>", "a|xb"],
  ["a|b", "ax<escape>", "ab|x"],
  ["  a|b", "Ix<escape>", "  |xab"],
  ["|ab", "Ax<escape>", "ab|x"],
  ["|a\nb", "ox<escape>", "a\n|x\nb"],
  ["a\n|b", "Ox<escape>", "a\n|x\nb"],
  ["|abc", "x", "|bc"],
  ["|abc", "2x", "|c"],
  ["ab|c", "x", "a|b"],
  ["a|bc", "X", "|bc"],
  ["|abc", "sx<escape>", "|xbc"],
  ["|abc", "rx", "|xbc"],
  ["a|bc", "5rx", "a|bc"],
  ["|one two", "dw", "|two"],
  ["one |two\nthree", "dw", "one| \nthree"],
  ["|one two three", "2dw", "|three"],
  ["|one two three", "d2w", "|three"],
  ["|a b c d e", "2d2w", "|e"],
  ["one |two", "db", "|two"],
  ["|one two", "de", "| two"],
  ["|one two", "cwx<escape>", "|x two"],
  ["on|e two", "cwx<escape>", "on|x two"],
  ["|one two three", "c2wx<escape>", "|x three"],
  ["one| two", "cwx<escape>", "one|xtwo"],
  ["|one, two", "dt,", "|, two"],
  ["|one, two", "df,", "| two"],
  ["one |two", "d0", "|two"],
  ["one |two", "d$", "one| "],
  ["one |two\nx", "D", "one| \nx"],
  ["one |two", "Cx<escape>", "one |x"],
  ["a\n|b\nc", "dd", "a\n|c"],
  ["a\nb\n|c", "dd", "a\n|b"],
  ["|a", "dd", "|"],
  ["|a\nb\nc", "2dd", "|c"],
  ["|a\nb\nc", "dj", "|c"],
  ["a\n|b\nc", "dgg", "|c"],
  ["a\n|b\nc", "dG", "|a"],
  ["a\n|bb\nc", "ccx<escape>", "a\n|x\nc"],
  ["|a\nb", "yyp", "a\n|a\nb"],
  ["a\n|b", "YP", "a\n|b\nb"],
  ["|ab cd", "yw$p", "ab cdab| "],
  ["|ab", "xp", "b|a"],
  ["|ab", "x3p", "baa|a"],
  ["|abc", "xxuu", "|abc"],
  ["|abc", "xu<ctrl+r>", "|bc"],
  ["|abc", "d<escape>x", "|bc"],
  ["|abc", "zQ;", "|abc"],
  ["|abc", "<space><space><backspace>", "a|bc"],
  ["|abc", "<delete>", "|bc"],
  ["|日本 語", "x", "|本 語"],
  ["|👨‍👩‍👧b", "x", "|b"],
  ["|", "xddwbe$", "|"],
  ["|abc", "99999999999x", "|"],
];

for (const [draft, keys, expected] of ROWS) {
  test(`${JSON.stringify(draft)} ${keys}`, () => expect(after(draft, keys)).toBe(expected));
}

test("a chip is one thing, and stays one where it is not touched", () => {
  const { editor } = stage;
  editor.setText("");
  editor.insert("ab ");
  editor.insertChip({ kind: "paste", label: "[Pasted 40 lines]", value: "much" });
  editor.insert(" cd");
  const vim = createVim(() => editor);
  for (const word of ["escape", "0", "d", "w"]) vim.key(key(word));
  expect([editor.text(), editor.chips().map(({ start, value }) => [start, value])]).toEqual([
    "[Pasted 40 lines] cd",
    [[0, "much"]],
  ]);
  vim.key(key("x"));
  expect([editor.text(), editor.chips().length]).toEqual([" cd", 0]);
});

test("a chip that was deleted or copied is put back as one", () => {
  const { editor } = stage;
  const paste = { kind: "paste", label: "[Pasted 40 lines]", value: "much" } as const;
  const rows: [keys: string, text: string, chips: number[]][] = [
    ["ddp", "\nab [Pasted 40 lines] cd", [4]],
    ["yyp", "ab [Pasted 40 lines] cd\nab [Pasted 40 lines] cd", [3, 27]],
    ["yyP", "ab [Pasted 40 lines] cd\nab [Pasted 40 lines] cd", [3, 27]],
    ["wxp", "ab  [Pasted 40 lines]cd", [4]],
    ["wx2P", "ab [Pasted 40 lines][Pasted 40 lines] cd", [3, 20]],
    ["wdf4P", "ab [Pasted 40 lines] cd", [3]],
    ["DP", "ab [Pasted 40 lines] cd", [3]],
    ["wywP", "ab [Pasted 40 lines] [Pasted 40 lines] cd", [3, 21]],
  ];
  const put = rows.map(([keys]): (typeof rows)[number] => {
    editor.setText("ab  cd");
    editor.insertChip(paste, { start: 3, end: 3 });
    const vim = createVim(() => editor);
    for (const word of ["escape", "0", ...keys]) vim.key(key(word));
    return [keys, editor.text(), editor.chips().map(({ start }) => start)];
  });
  expect(put).toEqual(rows);
});

test("what is not vim's is left to others: sending, help on an empty draft, a second Escape, keys with Ctrl", () => {
  const { editor } = stage;
  editor.setText("");
  const vim = createVim(() => editor);
  expect([vim.key(key("a")), vim.key(key("enter")), vim.mode()]).toEqual([false, false, "insert"]);
  expect([vim.key(key("escape")), vim.mode()]).toEqual([true, "normal"]);
  const others = ["enter", "?", "escape", "ctrl+c", "alt+enter", "pageup", "tab"];
  expect(others.map((word) => vim.key(key(word)))).toEqual(others.map(() => false));
  vim.reset();
  expect(vim.mode()).toBe("insert");
});

test("the documents name every key, and no other", () => {
  const named = new Set(VIM_KEYS.flatMap(({ keys }) => keys));
  const done = [...Object.keys(MOTIONS), ...Object.keys(COMMANDS), "f", "F", "t", "T", "r", "d", "c", "y", "Ctrl+R"];
  expect([...named].sort()).toEqual(done.filter((one) => one !== "cw").sort());
});
