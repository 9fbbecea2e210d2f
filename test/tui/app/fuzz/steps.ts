/** What a user, a terminal and a model may do to the interface, one step after the other, by chance. */
import { BINDINGS } from "../../../../src/tui/input/keymap.ts";
import { keyBytes } from "../../../support/terminal-keys.ts";
import type { Chance } from "./random.ts";

export type Step =
  | { readonly kind: "type"; readonly bytes: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "resize"; readonly columns: number; readonly rows: number }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "theme"; readonly mode: "dark" | "light" }
  /** What the model does is written in it; it is put in place of the draft and sent. */
  | { readonly kind: "say"; readonly text: string };

export interface Circumstances {
  readonly columns: number;
  readonly rows: number;
  readonly commands: readonly string[];
}

type Make = (chance: Chance, now: Circumstances) => Step;

const type = (bytes: string): Step => ({ kind: "type", bytes });

const TYPED = [
  ..."abcdefghij  .,:-?/@!#\\'\"()[]{}<>0123456789yYnNaAdDqQoO",
  "é",
  "漢",
  "👩‍💻",
  "🇩🇪",
  "e\u0301",
  "ﷺ",
  "\u200d",
];
const NAMED = [
  ...["enter", "enter", "enter", "escape", "escape", "tab", "space", "backspace", "backspace"],
  ...["up", "down", "left", "right", "home", "end", "pageup", "pagedown", "delete", "f1", "f12", "insert"],
  ...[
    "ctrl+up",
    "ctrl+down",
    "alt+up",
    "alt+down",
    "shift+tab",
    "alt+enter",
    "ctrl+home",
    "ctrl+end",
    "alt+pageup",
    "alt+pagedown",
  ],
  ...["ctrl+left", "ctrl+right", "alt+backspace", "shift+left", "shift+enter"],
];
/** Ctrl+Z is the shell's. */
const HELD = [..."abcdefgjklmnopqrstuvwxy\\_"].map((key) => `ctrl+${key}`);
const LEADERS = BINDINGS.flatMap(({ keys }) => keys.filter((one) => one.includes(" "))).map((keys) => keys.split(" "));

const MODEL = [
  "say hello",
  "think about it\nsay done",
  "text 2",
  "text 8\nslow 4000",
  "run echo one; echo two >&2",
  "run for n in 1 2 3; do echo $n; sleep 0.02; done",
  "run false",
  "run yes | head -c 200000",
  "read README.md",
  "read none.md",
  "write a.txt new text",
  "edit README.md small => tiny",
  "edit README.md tiny => small",
  "run echo x > b.txt\nwrite c.txt y\nread c.txt",
  "fault cut\ntext 1",
  "fault 429\nsay after all",
  "fault 529\nthink twice\nsay after all",
  "fault error\ntext 1",
  "fault long\nsay shorter now",
  "fault silence\ntext 1",
  "fault refused",
  "fault 401",
];

const ARGUMENTS = [
  "",
  "",
  "",
  "x",
  "README.md",
  "all",
  "--stat",
  "light",
  "mode ask",
  "mode bypass",
  "some words",
  "漢字",
  "1",
  "@1",
];

/** Pieces of sequences, but none that ends an answer to a query: the library's renderer of tests takes none. */
const garbage = (chance: Chance): string =>
  Array.from({ length: 1 + chance.int(12) }, () =>
    chance.of([
      "\u001b[",
      "\u001bO",
      "\u001b",
      ";",
      "1",
      "99999",
      "<",
      "M",
      "m",
      "~",
      "\u0000",
      "\u007f",
      "\ufffd",
      "\u001b\\",
      "200~",
    ]),
  ).join("");

const PASTES = [
  (chance: Chance) => "pasted ".repeat(1 + chance.int(20)),
  (chance: Chance) => "line\n".repeat(1 + chance.int(40)),
  () => "/tmp/a picture.png",
  () => "\u001b[31mred\u001b[0m\u0007\u0000\t\r\nend",
  () => "🇩🇪👩‍👩‍👧‍👦".repeat(300),
  () => "x".repeat(5000),
];

function mouse(chance: Chance, { columns, rows }: Circumstances): Step {
  const at = () => `${1 + chance.int(columns + 2)};${1 + chance.int(rows + 2)}`;
  const [from, to] = [at(), at()];
  return type(
    chance.of([
      `\u001b[<0;${from}M\u001b[<0;${from}m`,
      `\u001b[<0;${from}M\u001b[<32;${to}M\u001b[<0;${to}m`,
      `\u001b[<0;${from}M`,
      `\u001b[<32;${to}M`,
      `\u001b[<0;${to}m`,
      `\u001b[<64;${from}M`.repeat(1 + chance.int(8)),
      `\u001b[<65;${from}M`.repeat(1 + chance.int(8)),
      `\u001b[<2;${from}M\u001b[<2;${from}m`,
      `\u001b[<0;${from}M\u001b[<0;${from}m`.repeat(3),
    ]),
  );
}

const MAKERS: readonly (readonly [weight: number, make: Make])[] = [
  [30, (chance) => type(chance.of(TYPED))],
  [25, (chance) => type(keyBytes(chance.of(NAMED)))],
  [12, (chance) => type(keyBytes(chance.of(HELD)))],
  [8, (chance) => type(chance.of(LEADERS).map(keyBytes).join(""))],
  [
    6,
    (chance, { commands }) =>
      type(`/${chance.of(commands)} ${chance.of(ARGUMENTS)}`.trimEnd() + chance.of(["\r", "\t", "", " "])),
  ],
  [3, (chance) => type(`@${chance.of(["", "R", "READ", "src/", "漢"])}${chance.of(["\t", "\r", " ", ""])}`)],
  [2, (chance) => type(`!${chance.of(["ls", "echo hi", "false", "sleep 0.05"])}\r`)],
  [4, (chance) => ({ kind: "paste", text: chance.of(PASTES)(chance) })],
  [10, mouse],
  [4, (chance) => ({ kind: "resize", columns: 1 + chance.int(250), rows: 1 + chance.int(80) })],
  [2, (chance) => ({ kind: "resize", columns: 1 + chance.int(24), rows: 1 + chance.int(9) })],
  [2, (chance) => type(chance.of(["\u001b[I", "\u001b[O"]))],
  [1, (chance) => ({ kind: "theme", mode: chance.of(["dark", "light"]) })],
  [1, (chance) => type(garbage(chance))],
  [8, (chance) => ({ kind: "say", text: chance.of(MODEL) })],
  [1, (chance) => ({ kind: "say", text: chance.of(["/new", "/resume", "/new named"]) })],
  [6, (chance) => ({ kind: "wait", ms: chance.int(60) })],
];

export const randomStep = (chance: Chance, now: Circumstances): Step => chance.weighted(MAKERS)(chance, now);
