/** Palettes that follow the draft, on the real editor: what opens them, what a key does, and that no key waits for an answer. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLayers, type LayerStack } from "../../../src/tui/app/layers.ts";
import { createPalettes, type Palettes } from "../../../src/tui/app/palettes.ts";
import { mentionsOf } from "../../../src/tui/input/mentions.ts";
import type { FoundFile } from "../../../src/tui/ports.ts";
import { textOf } from "../../support/frames.ts";
import { type EditorStage, openEditor } from "../input/editor-stage.ts";
import { key } from "../input/keys.ts";
import { COMMANDS, keysOf, measure } from "./layer-stage.ts";

interface Asked {
  readonly text: string;
  readonly signal: AbortSignal;
  readonly answer: (paths: readonly string[]) => Promise<void>;
  readonly fail: (message: string) => Promise<void>;
}

let screen: EditorStage;
let layers: LayerStack;
let palettes: Palettes;
let asked: Asked[];
let noted: string[];
let ran: string[];
let sent: string[];
let isBusy: boolean;

beforeEach(async () => {
  [asked, noted, ran, sent, isBusy] = [[], [], [], [], false];
  screen = await openEditor(60, () => palettes.edited());
  layers = createLayers(() => undefined);
  palettes = createPalettes({
    editor: () => screen.editor,
    layers,
    commands: COMMANDS,
    queries: {
      findFiles(text, _limit, signal) {
        const { promise, resolve, reject } = Promise.withResolvers<readonly FoundFile[]>();
        asked.push({
          text,
          signal,
          async answer(paths) {
            resolve(paths.map((path) => ({ path, matched: [] })));
            await promise;
          },
          async fail(message) {
            reject(new Error(message));
            await promise.catch(() => undefined);
          },
        });
        return promise;
      },
      noteAccess: (path) => void noted.push(path),
    },
    keysOf,
    isBusy: () => isBusy,
    measure: () => measure,
    sent(text) {
      sent.push(text);
      screen.editor.setText("");
    },
    run: (command, args) => void ran.push(`${command.name}(${args})`),
    onChange: () => undefined,
  });
});
afterEach(() => screen.close());

/** Letters go to the layers first, then to the editor, as in the program. */
const type = (text: string) => {
  for (const letter of text) press(letter);
};
function press(name: string): boolean {
  const pressed = key(name);
  return layers.key(pressed) || screen.editor.key(pressed);
}
const draft = () => screen.editor.text();
const rows = (width = 80) =>
  (layers.above().at(-1)?.rows({ width, height: 8 }) ?? []).map((line) => textOf(line).trimEnd());

describe("the slash palette", () => {
  test("opens with the slash and narrows; Tab completes, Enter runs", () => {
    type("/");
    expect(layers.list().length).toBe(1);
    type("co");
    expect(
      rows().map(
        (row) =>
          row
            .trim()
            .split(" ")
            .filter((word) => word.startsWith("/"))[0],
      ),
    ).toEqual(["/cost", "/copy", "/config", "/context", "/resume"]);
    press("down");
    press("tab");
    expect([draft(), layers.list().length]).toEqual(["/copy ", 1]);
    expect(rows()[0]).toBe("    /copy [N|code|all]  to the clipboard");
    press("backspace");
    press("enter");
    expect([ran, draft(), layers.list().length]).toEqual([["copy()"], "", 0]);
  });

  test("a command that needs words is completed by Enter, and run by the composer", () => {
    type("/queu");
    expect(press("enter")).toBe(true);
    expect([draft(), ran]).toEqual(["/queue ", []]);
    type("later");
    expect(layers.key(key("enter"))).toBe(false);
  });

  test("what may follow is offered; nothing is taken that was not chosen", () => {
    type("/model so");
    expect(rows()).toEqual(["    /model [ID] [--save]  another model from here on", "    claude-sonnet-5"]);
    expect(layers.key(key("enter"))).toBe(false);
    press("tab");
    expect(draft()).toBe("/model claude-sonnet-5");
    type("x");
    press("backspace");
    press("down");
    press("enter");
    expect([ran, sent]).toEqual([["model(claude-sonnet-5)"], ["/model claude-sonnet-5"]]);
  });

  test("while a turn runs the others are dimmed and stay; they say why", () => {
    isBusy = true;
    type("/new");
    expect(rows()[0]?.trim()).toMatch(/^› \/new +a new session; the old log is kept +not while a turn runs$/);
    expect(press("enter")).toBe(true);
    expect([draft(), ran]).toEqual(["/new", []]);
    screen.editor.setText("/cost");
    screen.editor.setCursor(5);
    press("enter");
    expect(ran).toEqual(["cost()"]);
  });

  test("Escape closes it and keeps the text, until the slash is gone", () => {
    type("/he");
    expect(press("escape")).toBe(true);
    type("l");
    expect([draft(), layers.list().length]).toEqual(["/hel", 0]);
    screen.editor.setText("");
    type("/");
    expect(layers.list().length).toBe(1);
  });

  test("a path, a later line and a slash in the middle are no commands", () => {
    for (const text of ["/usr/bin", "see /help", "\n/help", "/help\nmore"]) {
      screen.editor.setText(text);
      screen.editor.setCursor(text.length);
      expect([text, layers.list().length]).toEqual([text, 0]);
    }
  });

  test("another name of a command finds it, and is said", () => {
    type("/clear");
    expect(rows()[0]).toContain("/new  ");
    expect(rows()[0]).toContain("/clear: a new session");
  });
});

describe("the mention palette", () => {
  test("keys are taken while nobody answers, and only the newest answer counts", async () => {
    type("see @st");
    expect([draft(), rows()]).toEqual(["see @st", ["    looking for files"]]);
    expect(asked.map(({ text, signal }) => [text, signal.aborted])).toEqual([
      ["", true],
      ["s", true],
      ["st", false],
    ]);
    await asked[1]?.answer(["src/old.ts"]);
    expect(rows()).toEqual(["    looking for files"]);
    await asked[2]?.answer(["src/store.ts", "src/start.ts"]);
    expect(rows()).toEqual(["  › src/store.ts", "    src/start.ts"]);
  });

  test("until the new answer comes the rows that still fit stay", async () => {
    type("@s");
    await asked.at(-1)?.answer(["src/store.ts", "src/start.ts", "test/"]);
    type("ta");
    expect(rows()).toEqual(["  › src/start.ts"]);
    await asked.at(-1)?.answer([]);
    expect(rows()).toEqual(["    no such file"]);
    expect(layers.key(key("enter"))).toBe(false);
  });

  test("Tab and Enter make a chip that is erased whole and mentions the file", async () => {
    type("fix @sto");
    await asked.at(-1)?.answer(["src/store.ts"]);
    press("tab");
    expect([draft(), noted, layers.list().length]).toEqual(["fix @src/store.ts", ["src/store.ts"], 0]);
    type("#L10-40 now");
    expect(mentionsOf(draft(), screen.editor.chips())).toEqual([
      { path: "src/store.ts", range: { start: 10, end: 40 } },
    ]);
    screen.editor.setText("");
    type("@sto");
    await asked.at(-1)?.answer(["src/store.ts"]);
    press("enter");
    type("x");
    expect(draft()).toBe("@src/store.ts x");
    for (const name of ["backspace", "backspace", "backspace"]) press(name);
    expect([draft(), screen.editor.chips()]).toEqual(["", []]);
  });

  test("a folder goes deeper with Tab, and is mentioned with Enter", async () => {
    type("a @tu b");
    screen.editor.setCursor(5);
    await asked.at(-1)?.answer(["src/tui/"]);
    press("tab");
    expect([draft(), screen.editor.cursor(), asked.at(-1)?.text]).toEqual(["a @src/tui/ b", 11, "src/tui/"]);
    await asked.at(-1)?.answer(["src/tui/"]);
    press("enter");
    expect(mentionsOf(draft(), screen.editor.chips())).toEqual([{ path: "src/tui/" }]);
  });

  test("a chip that stands behind goes along when a folder goes deeper", async () => {
    type("@sto");
    await asked.at(-1)?.answer(["src/store.ts"]);
    press("tab");
    screen.editor.setCursor(0);
    type("@tu ");
    screen.editor.setCursor(3);
    await asked.at(-1)?.answer(["src/tui/"]);
    press("tab");
    expect([draft(), screen.editor.cursor()]).toEqual(["@src/tui/ @src/store.ts", 9]);
    expect(screen.editor.chips().map(({ start, end }) => [start, end])).toEqual([[10, 23]]);
  });

  test("a range is typed behind the path, before or after it was chosen", async () => {
    type("@sto#L3-7");
    expect(asked.at(-1)?.text).toBe("sto");
    await asked.at(-1)?.answer(["src/store.ts"]);
    press("tab");
    expect([draft(), mentionsOf(draft(), screen.editor.chips())]).toEqual([
      "@src/store.ts#L3-7",
      [{ path: "src/store.ts", range: { start: 3, end: 7 } }],
    ]);
  });

  test("what names no lines stays as it was typed", async () => {
    type("@sto#L7-3");
    await asked.at(-1)?.answer(["src/store.ts"]);
    press("enter");
    type("x");
    expect([draft(), screen.editor.chips().map(({ label }) => label)]).toEqual([
      "@src/store.ts#L7-3 x",
      ["@src/store.ts"],
    ]);
  });

  test("a path that is typed out becomes a chip with the blank behind it", async () => {
    type("@a.ts");
    await asked.at(-1)?.answer(["a.ts", "src/a.ts"]);
    type(" and");
    expect([draft(), screen.editor.chips().map(({ label }) => label)]).toEqual(["@a.ts and", ["@a.ts"]]);
  });

  test("an address is no mention, nor what stands in a chip; Escape closes", async () => {
    type("me@example.org");
    expect(asked.length).toBe(0);
    screen.editor.setText("");
    type("@a");
    press("escape");
    type("b");
    expect([draft(), layers.list().length, asked.length]).toEqual(["@ab", 0, 2]);
    type(" @");
    expect([layers.list().length, asked.length]).toEqual([1, 3]);
  });

  test("what goes wrong is said in its place", async () => {
    type("@a");
    await asked.at(-1)?.fail("The files cannot be listed: no ripgrep.");
    expect(rows()).toEqual(["    The files cannot be listed: no ripgrep."]);
    await asked.at(-1)?.fail("again");
    type("b");
    expect(asked.at(-1)?.text).toBe("ab");
  });

  test("nothing is asked any more when it is over", () => {
    type("@a");
    screen.editor.setText("");
    expect(asked.every(({ signal }) => signal.aborted)).toBe(true);
  });
});
