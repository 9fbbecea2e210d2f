/** A place in a viewer stays the place when its rows are laid out anew, and the hunk that is acted on is the one that is looked at. */
import { describe, expect, test } from "bun:test";
import type { Layer } from "../../../src/tui/view/layer.ts";
import { textOf } from "../../support/frames.ts";
import { diffViewer, hunk, press, shown, textViewer } from "./viewer-stage.ts";

const marked = (layer: Layer, width: number, height: number) =>
  layer
    .rows({ width, height })
    .filter((line) => line.spans.some(({ tint }) => tint === "current"))
    .map((line) => textOf(line));

const file = (diff: string) => [{ path: "a.ts", diff, added: 1, removed: 1 }];

describe("the diff viewer", () => {
  test("what was found is in the hunk that is copied and asked about", () => {
    const { layer, calls } = diffViewer();
    layer.rows({ width: 80, height: 10 });
    press(layer, "/", ..."newvalue(200", "enter", "y", "r");
    expect(calls.filter((call) => call !== "change")).toEqual([
      "copy @@ -200,7 +200,7 @@ function close()",
      "close",
      "request In src/session/store.ts, lines 200–206: ",
    ]);
    expect(shown(layer, 80, 10).join("\n")).toContain("newValue(200)");
  });

  test("the next place may be in another hunk, also one that is on the page already", () => {
    const { layer, calls } = diffViewer();
    layer.rows({ width: 80, height: 40 });
    press(layer, "/", ..."newvalue", "enter", "n", "y", "n", "y", "N", "y");
    expect(calls.filter((call) => call !== "change")).toEqual([
      "copy @@ -200,7 +200,7 @@ function close()",
      "copy @@ -10,7 +10,7 @@ function open()",
      "copy @@ -200,7 +200,7 @@ function close()",
    ]);
  });

  test("a place in the middle of a long row is shown although its hunk becomes the current one", () => {
    const long = `@@ -9 +9 @@\n+${"x".repeat(900)} needle\n`;
    const { layer, calls } = diffViewer(file(hunk(1, "a", 60) + long));
    layer.rows({ width: 40, height: 10 });
    press(layer, "/", ..."needle", "enter", "y");
    expect(calls.filter((call) => call !== "change")).toEqual(["copy @@ -9 +9 @@"]);
    expect(marked(layer, 40, 10).join()).toContain("needle");
  });

  test("in a long hunk, one column more or two columns instead of one keep the line at the top", () => {
    const { layer } = diffViewer(file(hunk(1, "long", 200)));
    const top = (width: number) => shown(layer, width, 20)[2]?.match(/line\d+/)?.[0];
    top(80);
    press(layer, ...Array.from({ length: 59 }, () => "j"));
    expect(top(80)).toBe("line59");
    expect([top(81), top(140), top(90)]).toEqual(["line59", "line59", "line59"]);
    press(layer, "s");
    expect(top(90)).toBe("line59");
  });

  test("the current hunk stays on the page when the rows above it become more", () => {
    const changed = Array.from({ length: 6 }, (_, at) => `-old ${at}`).concat(
      Array.from({ length: 6 }, (_, at) => `+new ${at}`),
    );
    const { layer } = diffViewer(file(`@@ -1,6 +1,6 @@\n${changed.join("\n")}\n@@ -90 +90 @@\n-a\n+b\n`));
    shown(layer, 140, 12);
    press(layer, "n");
    expect(shown(layer, 140, 12).join("\n")).toContain("› lines 90");
    expect(shown(layer, 80, 12).join("\n")).toContain("› lines 90");
  });

  test("what was found stays found in two columns, and the next place is the one behind it", () => {
    const names = ["alpha", "beta", "gamma"];
    const rows = names.map((name) => `-const ${name} = 1;\n+const ${name} = 2;`).join("\n a\n");
    const { layer } = diffViewer(file(`@@ -1,5 +1,5 @@\n${rows}\n`));
    marked(layer, 100, 20);
    press(layer, "/", ..."const", "enter", "n", "n", "n");
    expect(marked(layer, 100, 20).join()).toContain("beta = 2");
    press(layer, "s");
    expect(marked(layer, 100, 20).join()).toContain("beta = 2");
    press(layer, "n");
    expect(marked(layer, 100, 20).join()).toContain("gamma");
    press(layer, "N", "s");
    expect(marked(layer, 100, 20).join()).toContain("beta");
  });
});

describe("the text viewer", () => {
  const prose = Array.from({ length: 60 }, (_, at) => `Paragraph ${at + 1} ${"goes on and on ".repeat(12)}`).join(
    "\n\n",
  );
  const paragraph = (layer: Layer, width: number) =>
    Number(/Paragraph (\d+)/.exec(shown(layer, width, 30).join("\n"))?.[1]);

  test("markdown at half the width shows about what it showed", () => {
    const { layer } = textViewer(prose, "markdown");
    paragraph(layer, 100);
    press(layer, ...Array.from({ length: 29 }, () => ["j", "j", "j"]).flat());
    const before = paragraph(layer, 100);
    expect(before).toBeGreaterThan(20);
    expect(Math.abs(paragraph(layer, 50) - before)).toBeLessThan(3);
    expect(Math.abs(paragraph(layer, 100) - before)).toBeLessThan(3);
  });

  test("what was found in it stays found", () => {
    const { layer } = textViewer(prose, "markdown");
    paragraph(layer, 100);
    press(layer, "/", ..."paragraph 3", "enter", "n", "n", "n");
    expect(marked(layer, 100, 30).join()).toContain("Paragraph 32");
    shown(layer, 50, 30);
    press(layer, "n");
    expect(marked(layer, 50, 30).join()).toContain("Paragraph 33");
  });

  test("a single line of many rows stays where it was read", () => {
    const words = Array.from({ length: 400 }, (_, at) => `w${at}`).join(" ");
    const { layer } = textViewer(words, "plain");
    const first = (width: number) => Number(/w(\d+)/.exec(shown(layer, width, 10)[1] ?? "")?.[1]);
    first(60);
    press(layer, ...Array.from({ length: 15 }, () => "j"));
    const before = first(60);
    expect(before).toBeGreaterThan(100);
    expect(Math.abs(first(30) - before)).toBeLessThan(20);
  });
});
