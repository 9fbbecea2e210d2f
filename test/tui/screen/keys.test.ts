/** Bytes as terminals send them, through the library's parser, to keys as the interface names them. */
import { expect, test } from "bun:test";
import { createTestScreen } from "../../support/screen.ts";
import { closing, createStage } from "./stage.ts";

const close = closing();

async function heard(bytes: string) {
  const stage = createStage();
  const screen = close(await createTestScreen({ columns: 40, rows: 3 }));
  const { editor } = await screen.open(stage.handlers);
  await screen.settled();
  await screen.type(bytes);
  return { keys: stage.heard.keys, text: editor.text() };
}

const cases = (rows: Readonly<Record<string, string>>) => Object.entries(rows);

test.each(
  cases({
    a: "a",
    A: "A",
    "?": "?",
    é: "é",
    漢: "漢",
    "👍": "👍",
    space: " ",
    enter: "\r",
    tab: "\t",
    escape: "\x1b",
    backspace: "\x7f",
    "ctrl+j": "\n",
    "ctrl+a": "\x01",
    "ctrl+z": "\x1a",
    "ctrl+space": "\x00",
    "ctrl+\\": "\x1c",
    "ctrl+_": "\x1f",
    "alt+a": "\x1ba",
    "alt+b": "\x1bb",
    "alt+f": "\x1bf",
    "alt+shift+f": "\x1bF",
    "alt+.": "\x1b.",
    "alt+enter": "\x1b\r",
    "alt+backspace": "\x1b\x7f",
    "alt+up": "\x1b[1;3A",
    "ctrl+right": "\x1b[1;5C",
    "shift+tab": "\x1b[Z",
    up: "\x1bOA",
    down: "\x1b[B",
    home: "\x1b[H",
    end: "\x1b[4~",
    delete: "\x1b[3~",
    insert: "\x1b[2~",
    pageup: "\x1b[5~",
    "ctrl+pagedown": "\x1b[6;5~",
    f1: "\x1bOP",
    f5: "\x1b[15~",
    f12: "\x1b[24~",
  }),
)("legacy: %s", async (name, bytes) => {
  expect((await heard(bytes)).keys).toEqual([name]);
});

test.each(
  cases({
    "shift+enter": "\x1b[13;2u",
    "ctrl+enter": "\x1b[13;5u",
    escape: "\x1b[27u",
    "ctrl+c": "\x1b[99;5u",
    "ctrl+с": "\x1b[1089;5u",
    "ctrl+shift+p": "\x1b[112;6u",
    "alt+x": "\x1b[120;3u",
    "ctrl+backspace": "\x1b[127;5u",
    "shift+backspace": "\x1b[127;2u",
    "ctrl+tab": "\x1b[9;5u",
    "ctrl+.": "\x1b[46;5u",
    "ctrl+-": "\x1b[45;5u",
    E: "\x1b[101:69;2u",
    f13: "\x1b[57376u",
    "5": "\x1b[57404u",
    "+": "\x1b[57413u",
    enter: "\x1b[57414u",
    left: "\x1b[57417u",
    "alt+delete": "\x1b[57426;3u",
    "alt+down": "\x1b[1;3:1B",
  }),
)("kitty: %s", async (name, bytes) => {
  expect((await heard(bytes)).keys).toEqual([name]);
});

test("another alphabet's Ctrl+С is the key at the place of C", async () => {
  expect((await heard("\x1b[1089::99;5u")).keys).toEqual(["ctrl+c"]);
});

test("the keypad in application mode types", async () => {
  expect(await heard("\x1bOp\x1bOk\x1bOq\x1bOM")).toEqual({ keys: ["0", "+", "1", "enter"], text: "0+1" });
});

test("Escape twice is two keys, also when both arrive at once", async () => {
  const stage = createStage();
  const screen = close(await createTestScreen());
  await screen.open(stage.handlers);
  await screen.settled();
  await screen.type("\x1b\x1b");
  expect(stage.heard.keys).toEqual(["escape", "escape"]);
});

test("a key that is let go, or only modifies, or has a modifier without a name here, is none", async () => {
  const bytes = "\x1b[97;1:3u\x1b[57441u\x1b[99;9u\x1b[57358u";
  expect(await heard(`${bytes}x`)).toEqual({ keys: ["x"], text: "x" });
});

test.each([
  "\x1b[99999~",
  "\x1b[1;2;3;4Q",
  "\x1b[?1;2c",
  "\x1b]52;c;cm0=\x07",
  "\x1bP1+r4d73\x1b\\",
  "\x1b_Gi=1;OK\x1b\\",
  "\x1b[8;30;100t",
  "\x1b[?2026;2$y",
  "\x1b[<35;10;5M",
  "\x1b[M !!",
  "\x1b[12;40R",
])("what is no key is never text: %j", async (bytes) => {
  const { keys, text } = await heard(`${bytes}x`);
  expect({ keys, text }).toEqual({ keys: ["x"], text: "x" });
});

test("a sequence that arrives in pieces is one key", async () => {
  const stage = createStage();
  const screen = close(await createTestScreen());
  await screen.open(stage.handlers);
  await screen.settled();
  for (const piece of ["\x1b[", "1;", "5", "D"]) await screen.type(piece);
  expect(stage.heard.keys).toEqual(["ctrl+left"]);
});
