/** What the screen writes to a terminal: frames, colours, the cursor. */
import { describe, expect, test } from "bun:test";
import xterm from "@xterm/headless";
import type { ColorDepth } from "../../../src/tui/view/theme.ts";
import { createTestScreen } from "../../support/screen.ts";
import { SGR } from "../../support/terminal-bytes.ts";
import { closing, createStage, line, openOn, quiet, until } from "./stage.ts";

const close = closing();

async function open(...parts: Parameters<typeof openOn>) {
  const terminal = await openOn(...parts);
  close(terminal.screen);
  return terminal;
}

const sgr = (bytes: string): readonly string[] => [
  ...new Set([...bytes.matchAll(SGR)].map(([, codes]) => codes ?? "")),
];
const colored = (bytes: string) => sgr(bytes).filter((codes) => /^(3[0-8]|4[0-8]|9\d|10\d)/.test(codes));

describe("frames", () => {
  test("many requests give one, and each is drawn once", async () => {
    const stage = createStage([line("one")]);
    const { screen, take } = await open(stage);
    const before = stage.heard.draws;
    take();
    stage.lines = [line("two")];
    for (let count = 0; count < 100; count++) screen.requestFrame();
    await quiet();
    expect(stage.heard.draws - before).toBe(1);
    expect(take()).toContain("two");
  });

  test("without a reason none is painted, and nothing is written", async () => {
    const stage = createStage([line("one")]);
    const { screen, take } = await open(stage);
    take();
    const before = stage.heard.draws;
    await quiet();
    expect({ bytes: take(), draws: stage.heard.draws - before }).toEqual({ bytes: "", draws: 0 });
    screen.requestFrame();
    await quiet();
    expect(take()).toBe("");
  });

  test("what the user does never waits for the pace; what comes by itself does", async () => {
    const stage = createStage([line("one")]);
    const { screen, take, send } = await open(stage, { maxFps: 0.001 });
    take();
    stage.lines = [line("two")];
    screen.requestFrame();
    await quiet();
    expect(take()).toBe("");
    stage.taken = new Set(["x"]);
    send("x");
    await until(() => stage.heard.draws > 1);
    await quiet();
    expect(take()).toContain("two");
  });

  test("what a terminal shows is what was drawn: clipped, tinted, wide letters whole", async () => {
    const stage = createStage([line("日本語日本語"), line("x".repeat(50)), line("added", "ok", "added"), line("")]);
    const { take } = await open(stage, { columns: 9, rows: 6 });
    const terminal = new xterm.Terminal({ cols: 9, rows: 6, allowProposedApi: true });
    await new Promise<void>((resolve) => terminal.write(take(), resolve));
    const rows = [0, 1, 2, 3].map((y) => terminal.buffer.active.getLine(y)?.translateToString(true));
    expect(rows[0]?.trimEnd()).toBe("日本語日");
    expect(rows.slice(1)).toEqual(["xxxxxxxxx", "added    ", "         "]);
    const cells = [0, 8].map((x) => terminal.buffer.active.getLine(2)?.getCell(x)?.getBgColor());
    expect(cells).toEqual([0x1f2e22, 0x1f2e22]);
    expect(terminal.buffer.active.type).toBe("alternate");
  });

  test("the screen is never cleared as a whole", async () => {
    const stage = createStage([line("one")]);
    const { take } = await open(stage);
    expect(take()).not.toContain("\x1b[2J");
  });

  test("a new size is told, and drawn at that size", async () => {
    const stage = createStage([line("one")]);
    const screen = close(await createTestScreen({ columns: 30, rows: 5 }));
    await screen.open(stage.handlers);
    await screen.settled();
    for (const [width, height] of [
      [50, 8],
      [1, 1],
      [2, 1],
      [30, 5],
    ] as const) {
      await screen.resize(width, height);
      expect(stage.heard.other.at(-1)).toBe(`${width}x${height}`);
    }
    expect(screen.frame()).toBe("one");
    expect(screen.cursor()).toEqual({ x: 2, y: 4, isVisible: true });
  });

  test.each([
    [0, 0, "80x24"],
    [65_535, 65_535, "2000x500"],
  ])("a terminal that says %dx%d is drawn on as %s", async (columns, rows, drawn) => {
    const stage = createStage([line("one")]);
    const sizes = new Set<string>();
    const { frame } = stage;
    stage.frame = (size) => {
      sizes.add(`${size.width}x${size.height}`);
      return frame(size);
    };
    const { take } = await open(stage, { columns, rows });
    expect([[...sizes], take().includes("one")]).toEqual([[drawn], true]);
  });

  test("the composer stands where the same frame says", async () => {
    const stage = createStage();
    const screen = close(await createTestScreen({ columns: 30, rows: 6 }));
    const { editor } = await screen.open(stage.handlers);
    stage.frame = ({ height }) => {
      const { count } = editor.rows(28);
      const composer = { x: 2, y: height - count, width: 28, height: count };
      return {
        rows: Array.from({ length: height }, (_, y) => line(`${y}`)),
        composer,
        hasComposerCursor: true,
        layers: [],
      };
    };
    await screen.type("a");
    editor.insert("\nb\nc");
    await screen.settled();
    expect(screen.frame()).toBe("0\n1\n2\n3 a\n4 b\n5 c");
    expect(screen.cursor()).toEqual({ x: 3, y: 5, isVisible: true });
    stage.frame = () => ({ rows: [line("all")], hasComposerCursor: false, layers: [] });
    await screen.type("x");
    expect(screen.frame()).toBe("all");
    expect(screen.cursor().isVisible).toBe(false);
  });
});

describe("colours", () => {
  const lines = [
    line("text"),
    line("quiet", "muted"),
    line("accent", "accent"),
    line("added", "fg", "added"),
    line("chosen", "fg", "selected"),
  ];
  const written = async (depth: ColorDepth, mode: "dark" | "light" = "dark") => {
    const stage = createStage(lines);
    const { take, send } = await open(stage, { depth, mode });
    send("typed");
    await until(() => stage.heard.keys.length === 5);
    await quiet();
    return take();
  };

  test("none: no colour, but attributes", async () => {
    const bytes = await written("none");
    expect(colored(bytes)).toEqual([]);
    expect(sgr(bytes)).toEqual(expect.arrayContaining(["1", "2", "7"]));
  });

  test("16: of the palette only, the text in the terminal's own", async () => {
    const bytes = await written("16");
    expect([...colored(bytes)].sort()).toEqual(["38;5;2", "38;5;3", "38;5;8"]);
    expect(sgr(bytes)).toEqual(expect.arrayContaining(["39", "7"]));
  });

  test.each([
    ["dark", ["38;5;179", "38;5;245", "38;5;252", "48;5;22", "48;5;236"]],
    ["light", ["38;5;130", "38;5;235", "38;5;242", "48;5;194", "48;5;255"]],
  ] as const)("256, %s: the table's, not the nearest", async (mode, expected) => {
    expect([...colored(await written("256", mode))].sort()).toEqual([...expected]);
  });

  test("all: as the theme says", async () => {
    expect([...colored(await written("full"))].sort()).toEqual([
      "38;2;143;136;124",
      "38;2;217;212;203",
      "38;2;224;169;109",
      "48;2;31;46;34",
      "48;2;42;39;35",
    ]);
  });

  test("the cursor keeps the terminal's colour", async () => {
    const bytes = await written("full");
    expect(bytes.lastIndexOf("\x1b]112\x07")).toBeGreaterThan(bytes.lastIndexOf("\x1b]12;"));
  });

  test("another theme repaints at once", async () => {
    const stage = createStage(lines);
    const { screen, take } = await open(stage);
    take();
    screen.setTheme("light");
    await quiet();
    expect([...colored(take())].sort()).toEqual(
      ["38;2;109;102;93", "38;2;154;91;19", "38;2;43;41;38", "48;2;227;240;224", "48;2;239;232;219"].sort(),
    );
  });

  test("the terminal says whether it is dark, also later", async () => {
    const stage = createStage();
    const { send } = await open(stage);
    send("\x1b]11;rgb:fafa/f8f8/f4f4\x07");
    send("\x1b]11;rgb:1616/1515/1212\x1b\\");
    await until(() => stage.heard.other.length === 2);
    expect(stage.heard.other).toEqual(["light", "dark"]);
    expect(stage.heard.keys).toEqual([]);
  });
});

describe("the cursor", () => {
  test("stands in the composer, else where the frame says, else nowhere", async () => {
    const stage = createStage();
    const { screen, take } = await open(stage);
    expect(take()).toContain("\x1b[10;3H\x1b[?25h");
    const { frame } = stage;
    stage.frame = (size) => ({ ...frame(size), hasComposerCursor: false, cursor: { x: 4, y: 2 } });
    screen.requestFrame();
    await until(() => stage.heard.draws > 1);
    await quiet();
    expect(take()).toContain("\x1b[3;5H\x1b[?25h");
    stage.frame = () => ({ rows: [], hasComposerCursor: false, layers: [] });
    screen.requestFrame();
    await until(() => stage.heard.draws > 2);
    await quiet();
    expect(take()).toEndWith("\x1b[?25l\x1b[?2026l");
    stage.frame = frame;
    screen.requestFrame();
    await until(() => stage.heard.draws > 3);
    await quiet();
    expect(take()).toContain("\x1b[10;3H\x1b[?25h");
  });
});
