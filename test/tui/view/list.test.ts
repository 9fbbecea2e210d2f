/** The list keeps what is selected in sight, moves no more than it must, and says how much of it is seen. */
import { expect, test } from "bun:test";
import { type ListState, listLines, listOf, moved, rowAt } from "../../../src/tui/view/list.ts";
import type { ListRow } from "../../../src/tui/view/list-row.ts";
import { CONTROL, textOf } from "../../support/frames.ts";
import { measure } from "./layer-stage.ts";

const rows = (count: number, parts: (at: number) => Partial<ListRow> = () => ({})): readonly ListRow[] =>
  Array.from({ length: count }, (_, at) => ({ value: `${at}`, label: `row ${at}`, ...parts(at) }));
const room = { width: 40, height: 5, measure };
const drawn = (state: ListState, more: object = {}) =>
  listLines(state, { ...room, ...more }).map((line) => textOf(line).trimEnd());
const press = (state: ListState, ...keys: readonly string[]) =>
  keys.reduce((now, key) => moved(now, key, room.height) ?? now, state);

test("the window scrolls no more than it must", () => {
  let state = listOf(rows(20));
  expect(drawn(state)).toEqual(["  › row 0", "    row 1", "    row 2", "    row 3", "    row 4"]);
  state = press(state, ...Array(6).fill("down"));
  expect(drawn(state)).toEqual(["    row 2", "    row 3", "    row 4", "    row 5", "  › row 6"]);
  state = press(state, "up", "up");
  expect(drawn(state)[2]).toBe("  › row 4");
});

test("the keys of lists", () => {
  const at = (...keys: readonly string[]) => press(listOf(rows(20)), ...keys).selected;
  expect([at("ctrl+n"), at("up"), at("end"), at("end", "home"), at("end", "down")]).toEqual([1, 19, 19, 0, 0]);
  expect([at("pagedown"), at("pagedown", "pageup"), at("end", "pagedown"), at("ctrl+n", "ctrl+p")]).toEqual([
    4, 0, 19, 0,
  ]);
  expect(moved(listOf(rows(2)), "x", 5)).toBeUndefined();
  expect(press(listOf([]), "down", "up", "end").selected).toBe(-1);
});

test("a heading stands above the first of its group, and in sight with it", () => {
  const state = listOf(rows(6, (at) => ({ group: at < 3 ? "one" : "two" })));
  expect(drawn(state)).toEqual(["  one", "  › row 0", "    row 1", "    row 2", "  two"]);
  expect(drawn(press(state, "down", "down", "down"))).toEqual([
    "    row 0",
    "    row 1",
    "    row 2",
    "  two",
    "  › row 3",
  ]);
});

test("how many there are is said when not all are seen", () => {
  expect(
    drawn(listOf(rows(20), { total: 1340 }), { showsCount: true })
      .at(-1)
      ?.trim(),
  ).toBe("1 of 1,340");
  expect(drawn(listOf(rows(5)), { showsCount: true }).at(-1)).toBe("    row 4");
});

test("what is selected is in sight at every height, wherever it is", () => {
  for (let height = 1; height < 9; height++) {
    for (let selected = 0; selected < 12; selected++) {
      const state = { ...listOf(rows(12, (at) => ({ group: `${at >> 2}` }))), selected };
      const lines = listLines(state, { ...room, height, showsCount: true }).map(textOf);
      expect(lines.length).toBeLessThanOrEqual(height);
      expect([height, selected, lines.some((line) => line.includes(`› row ${selected}`))]).toEqual([
        height,
        selected,
        true,
      ]);
    }
  }
});

test("a row is found where it was drawn", () => {
  const state = press(listOf(rows(20, (at) => ({ group: at < 2 ? "a" : "b" }))), ...Array(9).fill("down"));
  const shown = drawn(state, { showsCount: true });
  for (const [y, line] of shown.entries()) {
    const label = /row (\d+)/.exec(line)?.[1];
    expect(rowAt(state, y, { height: room.height, showsCount: true })).toBe(
      label === undefined ? undefined : Number(label),
    );
  }
});

test("no row is wider than the screen, whatever stands in it", () => {
  const label = "日本語のとても長い名前 👩‍👩‍👧 \u001b[31mred\u202e and more words than there is room for";
  for (let width = 1; width < 70; width++) {
    const list = listOf([
      {
        value: "x",
        label,
        about: label,
        detail: "12 of 14",
        group: label,
        suffix: label,
        below: { text: label, matched: [1] },
      },
    ]);
    for (const line of listLines(list, { ...room, width })) {
      expect(line.width).toBeLessThanOrEqual(width);
      expect(line.width).toBe(line.spans.reduce((sum, span) => sum + measure(span.text), 0));
      expect(textOf(line)).not.toMatch(CONTROL);
    }
  }
});

test("what matched is in the accent, also where the label is cut at its beginning", () => {
  const path = "packages/core/src/session/store.ts";
  const list = listOf([{ value: "x", label: path, matched: [26, 27, 28] }]);
  const [line] = listLines(list, { ...room, width: 20, cutAt: "start" });
  expect(line?.spans.filter(({ tone, text }) => tone === "accent" && text !== "› ").map(({ text }) => text)).toEqual([
    "sto",
  ]);
  expect(line && textOf(line)).toBe("› …session/store.ts");
});
