/** The further cases of terminals: sanitiser and layout, composer and screen, and the question in a panel and in lines. */
import { afterEach, describe, expect, test } from "bun:test";
import { sanitize } from "../../src/shared/index.ts";
import { createTextField } from "../../src/tui/input/text-field.ts";
import { safeText } from "../../src/tui/layout/plain-text.ts";
import { measureBy } from "../../src/tui/layout/width.ts";
import { wrapText } from "../../src/tui/layout/wrap.ts";
import { questionLines } from "../../src/tui/lines/question.ts";
import { panelLines } from "../../src/tui/view/permission/panel-lines.ts";
import { textOf } from "../support/frames.ts";
import { createTestScreen, type TestScreen } from "../support/screen.ts";
import { createStage } from "./screen/stage.ts";
import { ASKED, NEVER_TYPED, PASTES, SEEN, WIDTHS } from "./terminal-cases-more.ts";
import { bash } from "./view/panel-stage.ts";

const measure = measureBy("unicode");

test.each(SEEN)("seen of output: %s", (_name, output, visible) => {
  expect([sanitize(output), safeText(output)]).toEqual([visible, visible]);
});

let screen: TestScreen | undefined;
afterEach(() => screen?.close());

async function composer() {
  const stage = createStage();
  stage.frame = () => ({
    rows: [],
    composer: { x: 0, y: 0, width: 40, height: 3 },
    hasComposerCursor: true,
    layers: [],
  });
  const opened = await createTestScreen({ columns: 40, rows: 4 });
  screen = opened;
  const { editor } = await opened.open(stage.handlers);
  await opened.settled();
  return { stage, editor, opened };
}

test("in the composer each takes its cells, and a press takes one character as people see it", async () => {
  const { editor, opened } = await composer();
  for (const [text, cells, presses] of WIDTHS) {
    await opened.type(text);
    const seen = [editor.text(), opened.cursor().x, createTextField({ initial: text }).line(80, measure).cursor];
    expect(seen).toEqual([text, cells, cells]);
    for (let pressed = 1; pressed <= presses; pressed++) {
      await opened.type("\x7f");
      expect([text, pressed, editor.text() === ""]).toEqual([text, pressed, pressed === presses]);
    }
    expect(opened.cursor().x).toBe(0);
  }
});

test("wrapped at any width, none is torn and none sticks out", () => {
  const words = WIDTHS.map(([text]) => text);
  for (const glue of ["", " ", "漢"]) {
    const all = words.join(glue);
    for (let width = 2; width < 24; width++) {
      const lines = wrapText(all, { tone: "fg" }, { width, measure });
      expect(lines.every((line) => line.width <= width && measure(textOf(line)) === line.width)).toBe(true);
      expect(lines.map((line) => (line.gap ?? "") + textOf(line)).join("")).toBe(all);
    }
  }
});

describe("what a terminal sends", () => {
  test.each(PASTES)("pasted: %j", async (chunks, pasted) => {
    const { stage, editor, opened } = await composer();
    for (const chunk of chunks) await opened.type(chunk);
    expect([stage.heard.pasted, stage.heard.keys, editor.text()]).toEqual([[...pasted], [], ""]);
  });

  test("is never typed unless somebody typed it", async () => {
    const { stage, editor, opened } = await composer();
    for (const bytes of NEVER_TYPED) {
      await opened.type(bytes);
      expect([bytes, stage.heard.keys, stage.heard.pasted, editor.text()]).toEqual([bytes, [], [], ""]);
    }
  });
});

test.each(ASKED)("asked about: %j", (command, shown) => {
  const question = bash(command);
  const panel = panelLines(
    { question, waiting: 1, offset: 0, isAside: false, isElsewhere: false, measure },
    { width: 80, height: 200 },
  );
  const lines = questionLines(question, 1, { width: 80, measure, isOpen: false, isCompact: false });
  for (const rows of [panel.lines, lines]) {
    const text = rows.map(textOf).join("\n");
    expect(shown.filter((part) => !text.includes(part))).toEqual([]);
  }
});
