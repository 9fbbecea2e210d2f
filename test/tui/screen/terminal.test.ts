/** What the screen does with a terminal beside painting: mouse, clipboard, title, giving it back. */
import { describe, expect, test } from "bun:test";
import { MAX_COPIED_BYTES } from "../../../src/tui/screen/sequences.ts";
import { openByteScreen } from "../../support/screen.ts";
import { closing, createStage, line, openOn, quiet, until } from "./stage.ts";

const close = closing();

async function open(...parts: Parameters<typeof openOn>) {
  const terminal = await openOn(...parts);
  close(terminal.screen);
  return terminal;
}

describe("the mouse", () => {
  test("is told in cells, its wheel in rows, and only its first button", async () => {
    const stage = createStage();
    const { send } = await open(stage);
    const bytes = "0;5;3M,32;6;3M,0;6;3m,64;1;1M,65;1;1M,2;9;9M,2;9;9m,35;7;7M,1;2;2M";
    for (const report of bytes.split(",")) send(`\x1b[<${report}`);
    await until(() => stage.heard.mouse.length >= 5);
    expect(stage.heard.mouse).toEqual([
      { kind: "down", x: 4, y: 2 },
      { kind: "drag", x: 5, y: 2 },
      { kind: "up", x: 5, y: 2 },
      { kind: "wheel", x: 0, y: 0, rows: -3 },
      { kind: "wheel", x: 0, y: 0, rows: 3 },
    ]);
    expect(stage.heard.keys).toEqual([]);
  });

  test("is taken without its moves, and given back and taken at any time", async () => {
    const stage = createStage();
    const { screen, take } = await open(stage);
    const opened = take();
    expect(opened).toContain("\x1b[?1002h\x1b[?1006h");
    expect(opened).not.toContain("\x1b[?1003h");
    screen.setMouse(false);
    await until(() => take().includes("\x1b[?1002l\x1b[?1000l\x1b[?1006l"));
    screen.setMouse(true);
    await until(() => take().includes("\x1b[?1000h\x1b[?1002h\x1b[?1006h"));
  });

  test("is not taken when nobody wants it", async () => {
    const { take } = await open(createStage(), { mouse: false });
    expect(take()).not.toContain("\x1b[?1000h");
  });
});

describe("beside frames", () => {
  test("copies by the terminal's own sequence, up to a size", async () => {
    const { screen, take } = await open(createStage());
    take();
    expect(screen.copy("grüße")).toBe(true);
    await quiet();
    expect(take()).toBe(`\x1b]52;c;${Buffer.from("grüße").toString("base64")}\x07`);
    expect(screen.copy("x".repeat(MAX_COPIED_BYTES + 1))).toBe(false);
    await quiet();
    expect(take()).toBe("");
  });

  test("a title is one line without controls; a notice is at least a bell", async () => {
    const { screen, take } = await open(createStage());
    take();
    screen.setTitle("khaelor\n \x1b]52;c;x\x07fix\x07");
    screen.notify("done");
    await quiet();
    expect(take()).toBe("\x1b]0;khaelor fix\x07\x07");
  });

  test("everything is painted anew when asked", async () => {
    const stage = createStage([line("one"), line("two")]);
    const { screen, take } = await open(stage);
    take();
    screen.redraw();
    let bytes = "";
    await until(() => {
      bytes += take();
      return bytes.includes("?2026l");
    });
    expect(bytes).toContain("one");
    expect(bytes).toContain("two");
    expect(bytes).not.toContain("\x1b[2J");
  });
});

/** What must be off when somebody else has the terminal. */
const OFF = ["?1049l", "?25h", "?2004l", "?1000l", "?1002l", "?1003l", "?1006l"];

describe("giving the terminal back", () => {
  test("for a while: modes off, then on again with a whole frame", async () => {
    const stage = createStage([line("one")]);
    const { screen, take, send } = await open(stage);
    take();
    await screen.suspend();
    const off = take();
    expect(OFF.filter((mode) => !off.includes(`\x1b[${mode}`))).toEqual([]);
    screen.requestFrame();
    await quiet();
    expect(take()).toBe("");
    await screen.resume();
    await quiet();
    const on = take();
    expect(["?1049h", "?2004h", "?1002h"].filter((mode) => !on.includes(`\x1b[${mode}`))).toEqual([]);
    expect(on).toContain("one");
    send("x");
    await until(() => stage.heard.keys.length === 1);
  });

  test("for a while: what is said meanwhile reaches the terminal only afterwards", async () => {
    const { screen, take } = await open(createStage());
    await screen.suspend();
    await screen.suspend();
    take();
    screen.setMouse(false);
    screen.setTitle("later");
    screen.notify("done");
    expect(screen.copy("x")).toBe(false);
    await quiet();
    expect(take()).toBe("");
    await screen.resume();
    await screen.resume();
    let bytes = "";
    await until(() => {
      bytes += take();
      return bytes.includes("\x1b]0;later\x07");
    });
    expect(bytes.lastIndexOf("?1000l")).toBeGreaterThan(bytes.lastIndexOf("?1000h"));
  });

  test("for good: once, and nothing is drawn afterwards", async () => {
    const stage = createStage([line("one")]);
    const { screen, take, send } = await open(stage);
    take();
    await Promise.all([screen.close(), screen.close()]);
    const off = take();
    expect(OFF.filter((mode) => !off.includes(`\x1b[${mode}`))).toEqual([]);
    expect(off.split("?1049l")).toHaveLength(2);
    const { draws } = stage.heard;
    screen.requestFrame();
    send("x");
    await quiet();
    expect({ bytes: take(), draws: stage.heard.draws, keys: stage.heard.keys }).toEqual({ bytes: "", draws, keys: [] });
  });

  test.each(["draw", "key", "paste"] as const)("when %s throws: restored first, then told", async (where) => {
    const stage = createStage([line("one")]);
    let atFailure = "";
    const broken = () => {
      throw new Error(`${where} broke`);
    };
    const handlers = {
      ...stage.handlers,
      failed(error: Error) {
        stage.heard.failure = error;
        atFailure = terminal.take();
      },
    };
    const terminal = await openByteScreen(handlers);
    close(terminal.screen);
    await until(() => stage.heard.draws > 0);
    if (where === "draw") stage.frame = broken;
    else handlers[where] = broken;
    terminal.send(where === "paste" ? "\x1b[200~x\x1b[201~" : "x");
    await until(() => stage.heard.failure !== undefined);
    expect(stage.heard.failure?.message).toBe(`${where} broke`);
    expect(atFailure).toContain("\x1b[?1049l");
  });
});

test("what was typed before the screen was there comes first", async () => {
  const stage = createStage();
  const early = ["fix ", "the", "\x1b[D", " bug"].map((text) => new TextEncoder().encode(text));
  const { screen, send } = await open(stage, { early });
  send("!");
  await until(() => stage.heard.keys.length === 13);
  expect(screen.editor.text()).toBe("fix th bug!e");
});

test("no listener of the library decides about exceptions", async () => {
  const count = () => ["uncaughtException", "unhandledRejection"].map((event) => process.listenerCount(event));
  const before = count();
  await open(createStage());
  expect(count()).toEqual(before);
});

test("what is torn on its way is one, and nothing of it is typed", async () => {
  const stage = createStage();
  const { send, screen } = await open(stage);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 40)); // longer than the library waits
  for (const piece of ["\x1b]11;rgb:1616/", "1515/1212", "\x07", "\x1b[20", "0~one\rtwo\x1b[201", "~\x1b[1", ";5D"]) {
    send(piece);
    await pause();
  }
  await until(() => stage.heard.keys.length > 0);
  expect({ keys: stage.heard.keys, pasted: stage.heard.pasted, text: screen.editor.text() }).toEqual({
    keys: ["ctrl+left"],
    pasted: ["one\ntwo"],
    text: "",
  });
});
