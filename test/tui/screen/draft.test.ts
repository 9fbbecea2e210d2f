/** Drafts: chips are one thing, characters are what people see, words are words. */
import { describe, expect, test } from "bun:test";
import { type Draft, draftOf, placeCursor, replaceRange } from "../../../src/tui/screen/draft.ts";
import { createEditHistory } from "../../../src/tui/screen/edit-history.ts";
import { EDITS, type PureAction, typed } from "../../../src/tui/screen/edits.ts";
import { changedLines } from "../../../src/tui/screen/lines.ts";
import type { PlacedChip } from "../../../src/tui/screen/port.ts";

const chip = (text: string, label: string): PlacedChip => {
  const start = text.indexOf(label);
  return { kind: "mention", label, value: label, start, end: start + label.length };
};

/** `|` is the cursor, `[` and `]` hold a chip. */
function read(drawn: string): Draft {
  const text = drawn.replaceAll("|", "");
  const chips = [...text.matchAll(/\[[^\]]*\]/g)].map(([label]) => chip(text, label));
  const cursor = drawn.indexOf("|");
  return { ...draftOf(text, chips), cursor: cursor === -1 ? text.length : cursor };
}

function drawn({ text, chips, cursor }: Draft): string {
  for (const { start, end, label } of chips) expect(text.slice(start, end)).toBe(label);
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

const after = (before: string, ...actions: readonly PureAction[]): string =>
  drawn(actions.reduce((draft, action) => EDITS[action](draft), read(before)));

describe("a chip", () => {
  test.each([
    ["see [a.ts]| now", "backspace", "see | now"],
    ["see |[a.ts] now", "delete", "see | now"],
    ["see [a.ts]| now", "move-left", "see |[a.ts] now"],
    ["see |[a.ts] now", "move-right", "see [a.ts]| now"],
    ["see [a.ts] now|", "line-home", "|see [a.ts] now"],
    ["see [a.ts]| now", "delete-word-backward", "see | now"],
    ["see |[a.ts] now", "delete-word-forward", "see | now"],
    ["see [a.ts] |now", "word-backward", "see |[a.ts] now"],
    ["see| [a.ts] now", "word-forward", "see [a.ts]| now"],
    ["[a][b]|", "backspace", "[a]|"],
    ["[a]|[b]", "backspace", "|[b]"],
    ["see [a.ts] now|", "delete-to-line-start", "|"],
  ] as const)("%s, %s: %s", (before, action, expected) => {
    expect(after(before, action)).toBe(expected);
  });

  test("goes whole when a range cuts into it, and keeps its place when text goes before it", () => {
    const draft = read("ab [one] cd [two] ef");
    expect(drawn(replaceRange(draft, { start: 0, end: 5 }, ""))).toBe("| cd [two] ef");
    expect(replaceRange(draft, { start: 0, end: 3 }, "x").chips.map(({ start, label }) => [start, label])).toEqual([
      [1, "[one]"],
      [10, "[two]"],
    ]);
  });

  test("takes no text inside, and no cursor", () => {
    const draft = read("ab [one] cd");
    expect(drawn(placeCursor(draft, 4))).toBe("ab |[one] cd");
    expect(drawn(placeCursor(draft, 7))).toBe("ab [one]| cd");
    expect(drawn(replaceRange(draft, { start: 5, end: 5 }, "x"))).toBe("ab [one]x| cd");
  });

  test("that does not stand where it says is none", () => {
    const text = "see a.ts";
    const placed = { kind: "mention", label: "a.ts", value: "a.ts" } as const;
    expect(draftOf(text, [{ ...placed, start: 3, end: 7 }]).chips).toEqual([]);
    expect(draftOf(text, [{ ...placed, start: 4, end: 8 }]).chips).toHaveLength(1);
    const twice = { ...placed, start: 4, end: 8 };
    expect(draftOf(text, [twice, twice]).chips).toHaveLength(1);
  });
});

describe("characters are what people see", () => {
  test.each(["abc", "，", "한글", "👨‍👩‍👧", "🇫🇷🇩🇪", "👍🏽", "e\u0301", "नि", "\u200b", "❤️"])("%s", (text) => {
    const graphemes = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].length;
    let draft = draftOf(text);
    let presses = 0;
    for (; draft.text !== "" && presses < 20; presses++) draft = EDITS.backspace(draft);
    expect(presses).toBe(graphemes);
    const moved = Array.from({ length: graphemes }).reduce<Draft>((now) => EDITS["move-left"](now), draftOf(text));
    expect(moved.cursor).toBe(0);
  });

  test("a cursor never stands inside one", () => {
    const text = "a👨‍👩‍👧b";
    const places = Array.from({ length: text.length + 1 }, (_, at) => placeCursor(draftOf(text), at).cursor);
    expect(new Set(places)).toEqual(new Set([0, 1, 9, 10]));
  });

  test("what joins the character before it is joined", () => {
    expect(typed(draftOf("e"), "\u0301")).toMatchObject({ text: "e\u0301", cursor: 2 });
    expect(typed(placeCursor(draftOf("👧"), 0), "👩\u200d")).toMatchObject({ text: "👩\u200d👧", cursor: 5 });
  });
});

describe("lines and words", () => {
  test.each([
    ["one two|", "word-backward", "one |two"],
    ["one, (two)|", "word-backward", "one, (|two)"],
    ["|  one two", "word-forward", "  one| two"],
    ["one 漢字|", "delete-word-backward", "one |"],
    ["one\ntwo|", "delete-to-line-start", "one\n|"],
    ["one\n|two", "delete-to-line-start", "one|two"],
    ["one|\ntwo", "delete-to-line-end", "one|two"],
    ["o|ne\ntwo", "delete-to-line-end", "o|\ntwo"],
    ["a\nbb|", "line-home", "a\n|bb"],
    ["a\n|bb\nc", "line-end", "a\nbb|\nc"],
    ["a\nb|", "buffer-home", "|a\nb"],
    ["|", "backspace", "|"],
    ["|", "delete-word-forward", "|"],
  ] as const)("%j, %s: %j", (before, action, expected) => {
    expect(after(before, action)).toBe(expected);
  });

  test("what is selected is replaced, or erased, or left at its edge", () => {
    expect(after("one\ntwo|", "select-all", "backspace")).toBe("|");
    expect(after("one\ntwo|", "select-all", "move-left")).toBe("|one\ntwo");
    expect(drawn(typed(EDITS["select-all"](read("one|")), "x"))).toBe("x|");
  });
});

describe("undo", () => {
  const type = (draft: Draft, text: string, history: ReturnType<typeof createEditHistory>) =>
    [...text].reduce((now, letter) => {
      const next = typed(now, letter);
      history.record(now, next, "type");
      return next;
    }, draft);

  test("goes back by words, and forward again", () => {
    const history = createEditHistory();
    let draft = type(draftOf(""), "one two", history);
    draft = history.undo(draft) ?? draft;
    expect(draft.text).toBe("one ");
    draft = history.undo(draft) ?? draft;
    expect(draft.text).toBe("");
    expect(history.undo(draft)).toBeUndefined();
    draft = history.redo(draft) ?? draft;
    expect(history.redo(draft)?.text).toBe("one two");
    expect(history.redo(draft)).toBeUndefined();
  });

  test("forgets what was undone as soon as something else is written", () => {
    const history = createEditHistory();
    const draft = history.undo(type(draftOf(""), "ab", history)) ?? draftOf("");
    history.record(draft, typed(draft, "x"), "type");
    expect(history.redo(typed(draft, "x"))).toBeUndefined();
  });

  test("keeps a bounded number of steps", () => {
    const history = createEditHistory();
    let draft = draftOf("");
    for (let step = 0; step < 1200; step++) {
      const next = typed(draft, "x");
      history.record(draft, next, "other");
      draft = next;
    }
    let steps = 0;
    for (let past = history.undo(draft); past; past = history.undo(past)) steps++;
    expect(steps).toBe(500);
  });
});

test("what changed between two texts is told in whole lines", () => {
  expect(changedLines("a\nbb\nc", "a\nbxb\nc")).toEqual({ row: 1, old: "bb", next: "bxb" });
  expect(changedLines("a\nb", "a\nb\nc")).toEqual({ row: 1, old: "b", next: "b\nc" });
  expect(changedLines("aa", "a")).toEqual({ row: 0, old: "aa", next: "a" });
  expect(changedLines("x\nx\nx", "x\nx")).toEqual({ row: 1, old: "x\nx", next: "x" });
  expect(changedLines("a", "a")).toBeUndefined();
});
