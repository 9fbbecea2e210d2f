/** The viewers over the whole screen: what they show at which size, and what their keys do. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Measure } from "../../../src/tui/layout/width.ts";
import type { DiffFile } from "../../../src/tui/ports.ts";
import { createDiffViewer } from "../../../src/tui/view/diff-viewer.ts";
import type { Area, Layer } from "../../../src/tui/view/layer.ts";
import { expectFrame, expectSound, textOf } from "../../support/frames.ts";
import { diffViewer, FILES, hunk, measure, press, shown, textViewer } from "./viewer-stage.ts";

describe("the diff viewer", () => {
  test.each([
    [140, 24],
    [110, 20],
    [60, 16],
    [10, 8],
  ])("%p×%p", (width, height) => {
    expectFrame(`diff-viewer-${width}`, diffViewer().layer.rows({ width, height }));
  });

  test("from hunk to hunk, and a request for the one that is current", () => {
    const { layer, calls } = diffViewer();
    layer.rows({ width: 80, height: 10 });
    press(layer, "n");
    expect(shown(layer, 80, 10)[2]).toBe("› lines 200–206 · function close()");
    press(layer, "y", "r");
    expect(calls.filter((call) => call !== "change")).toEqual([
      "copy @@ -200,7 +200,7 @@ function close()",
      "close",
      "request In src/session/store.ts, lines 200–206: ",
    ]);
    press(layer, "p");
    expect(shown(layer, 80, 10)[2]).toBe("› lines 10–16 · function open()");
  });

  test("from file to file, by key and by click; the first may be named", () => {
    const { layer } = diffViewer();
    press(layer, "]", "]");
    expect(shown(layer, 110, 10)[1]).toMatch(/^ logo\.png · by you +3 of 3$/);
    press(layer, "[");
    expect(shown(layer, 110, 10)[1]).toContain("2 of 3");
    layer.click?.(5, 2);
    expect(shown(layer, 110, 10)[1]).toContain("1 of 3");
    press(layer, "[");
    expect(shown(layer, 110, 10)[1]).toContain("1 of 3");
  });

  test("columns follow the width until they are chosen", () => {
    const { layer } = diffViewer();
    const isSplit = (width: number) => shown(layer, width, 12)[3]?.match(/line10/g)?.length === 2;
    expect([isSplit(140), isSplit(119)]).toEqual([true, false]);
    press(layer, "s");
    expect([isSplit(140), isSplit(119)]).toEqual([true, true]);
  });

  test("search, and what stops the turn goes through", () => {
    const { layer, calls } = diffViewer();
    layer.rows({ width: 80, height: 10 });
    press(layer, "/", ..."oldvalue(200", "enter");
    expect(shown(layer, 80, 10).join("\n")).toContain("oldValue(200)");
    expect(press(layer, "x")).toBe(true);
    expect(layer.key({ name: "c", ctrl: true, alt: false, shift: false })).toBe(false);
    press(layer, "escape");
    expect(calls).not.toContain("close");
    press(layer, "escape");
    expect(calls).toContain("close");
  });

  test("a huge diff is laid out only where it is looked at", () => {
    let measured = 0;
    const counting: Measure = (text) => {
      measured += text.length;
      return measure(text);
    };
    const diff = Array.from({ length: 20_000 }, (_, index) => hunk(1 + index * 10, `f${index}`)).join("");
    const layer = createDiffViewer({
      title: "Changes: 3 files, +3 −3",
      files: [{ path: "a.ts", diff, added: 1, removed: 1 }],
      measure: () => counting,
      copy: () => undefined,
      request: () => undefined,
      onChange: () => undefined,
      onClose: () => undefined,
    });
    shown(layer, 100, 30);
    press(layer, "G");
    expect(shown(layer, 100, 30).join("\n")).toContain("newValue(199991)");
    expect(measured).toBeLessThan(40_000);
  });
});

const MARKDOWN =
  "# Status\n\nThe session **runs** for `12m`.\n\n- model: sonnet\n- cost: $0.42\n\n```sh\nls -la # all\n```";

describe("the text viewer", () => {
  test.each([
    [100, 14],
    [30, 10],
    [10, 8],
  ])("%p×%p", (width, height) => {
    expectFrame(`text-viewer-${width}`, textViewer(MARKDOWN, "markdown").layer.rows({ width, height }));
  });

  const numbered = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n");

  test("moves by line, page and to the ends, and never beyond them", () => {
    const { layer } = textViewer(numbered, "plain");
    const first = () => shown(layer, 40, 12)[1];
    expect(first()).toBe(" line 1");
    press(layer, "k");
    expect(first()).toBe(" line 1");
    press(layer, "j", "j");
    expect(first()).toBe(" line 3");
    press(layer, "space");
    expect(first()).toBe(" line 11");
    press(layer, "G", "j", "pagedown");
    expect(shown(layer, 40, 12).slice(1, -1)).toEqual(Array.from({ length: 10 }, (_, index) => ` line ${91 + index}`));
    press(layer, "g");
    expect(first()).toBe(" line 1");
  });

  test("searches forwards and backwards, all round", () => {
    const { layer, calls } = textViewer(numbered, "plain");
    const marked = () =>
      layer
        .rows({ width: 40, height: 12 })
        .filter((line) => line.spans.some(({ tint }) => tint === "current"))
        .map((line) => textOf(line).trim());
    marked();
    press(layer, "/", ..."line 5", "enter");
    expect(marked()).toEqual(["line 5"]);
    press(layer, "n");
    expect(marked()).toEqual(["line 50"]);
    press(layer, "N", "N");
    expect(marked()).toEqual(["line 59"]);
    press(layer, "/", ..."nowhere", "enter");
    expect(shown(layer, 60, 12).at(-1)).toContain("“nowhere” is not in it");
    press(layer, "escape", "q");
    expect(calls.at(-1)).toBe("close");
  });

  test("as in the transcript, case counts when a capital is typed", () => {
    const { layer } = textViewer("one\nTwo\ntwo\nTWO", "plain");
    const marked = () => layer.rows({ width: 60, height: 12 }).flatMap(({ spans }) => spans.filter(({ tint }) => tint));
    for (const [typed = "", ...found] of [["two", "Two", "two", "TWO"], ["Two", "Two"], ["ONE"]]) {
      press(layer, "/", ...typed, "enter");
      expect(marked().map(({ text }) => text)).toEqual(found);
    }
  });

  test("while something is typed, letters do nothing else, and the cursor stands behind them", () => {
    const { layer, calls } = textViewer(numbered, "plain");
    press(layer, "/", "q", "n");
    expect(calls).not.toContain("close");
    expect(shown(layer, 40, 12).at(-1)).toBe(" /qn");
    expect(layer.cursor?.({ width: 40, height: 12 })).toEqual({ x: 4, y: 11 });
  });

  test("megabytes are laid out only where they are looked at", () => {
    let measured = 0;
    const text = `${"a line of some output, as commands print it\n".repeat(230_000)}the end`;
    const { layer } = textViewer(text, "plain", (part) => {
      measured += part.length;
      return measure(part);
    });
    shown(layer, 100, 30);
    press(layer, "G");
    expect(shown(layer, 100, 30).at(-2)).toBe(" the end");
    press(layer, "g", "/", ..."the end", "enter");
    expect(shown(layer, 100, 30).at(-2)).toBe(" the end");
    expect(measured).toBeLessThan(100_000);
  });

  test("a single line of megabytes is there to its end, and costs what is seen of it", () => {
    let measured = 0;
    const { layer } = textViewer(`${"x".repeat(3_000_000)}END`, "plain", (part) => {
      measured += part.length;
      return measure(part);
    });
    shown(layer, 100, 30);
    press(layer, "G");
    expect(shown(layer, 100, 30).at(-2)).toEndWith("xEND");
    expect(measured).toBeLessThan(100_000);
  });
});

function expectFits(layer: Layer, area: Area): void {
  const lines = layer.rows(area);
  expect(lines.length).toBeLessThanOrEqual(area.height);
  expectSound(lines, area.width);
}

test("at every size, after any keys: lines fit, and nothing commands the terminal", () => {
  const keys = fc.array(
    fc.constantFrom("j", "k", "G", "g", "n", "p", "]", "[", "s", "/", "e", "enter", "pagedown", "N"),
    {
      maxLength: 12,
    },
  );
  const size = fc.record({ width: fc.integer({ min: 1, max: 150 }), height: fc.integer({ min: 1, max: 30 }) });
  const evil = "a\u001b[31m\tb\u202ec\r\nd 漢字 👍🏽 \u009b1m e";
  const files: readonly DiffFile[] = [
    ...FILES,
    { path: evil, diff: `@@ -1,2 +1,1 @@ ${evil}\n-${evil}\n+${evil}`, added: 1, removed: 1 },
  ];
  fc.assert(
    fc.property(keys, size, size, (names, before, after) => {
      for (const { layer } of [
        diffViewer(files),
        textViewer(evil.repeat(30), "plain"),
        textViewer(evil, "markdown"),
        diffViewer([]),
      ]) {
        expectFits(layer, before);
        press(layer, ...names);
        expectFits(layer, after);
      }
    }),
    { numRuns: 150 },
  );
});
