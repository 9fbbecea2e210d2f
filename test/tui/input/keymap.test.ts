/** What keys mean: the tables, where a key goes, sequences, and what users may change. */
import { expect, test } from "bun:test";
import { bindingProblems, createKeymap, type Resolution } from "../../../src/tui/input/key-dispatch.ts";
import { canBeSent, keysOf, shortKeys, shownKeys } from "../../../src/tui/input/key-names.ts";
import { BINDINGS, FIXED_KEYS, type KeyContext } from "../../../src/tui/input/keymap.ts";

const COMPOSER: readonly KeyContext[] = ["composer", "global"];
const TRANSCRIPT: readonly KeyContext[] = ["transcript", "global"];
const actions = (...names: string[]) => ({ kind: "actions", actions: names }) as unknown as Resolution;

test("the table is sound: every key is written as the dispatch reads it, every action has one name and one sentence", () => {
  const names = BINDINGS.map(({ action }) => action);
  expect(new Set(names).size).toBe(names.length);
  for (const { keys, about } of [...BINDINGS, ...FIXED_KEYS]) {
    expect(keys.map(keysOf)).toEqual(keys.map((value) => ({ ok: true, value })));
    expect(about).toMatch(/^[A-Z].*\.$/);
  }
});

test("a key that begins a sequence means nothing else anywhere", () => {
  const all = BINDINGS.flatMap(({ keys }): readonly string[] => keys);
  const begins = all.filter((keys) => keys.includes(" ")).map((keys) => keys.slice(0, keys.lastIndexOf(" ")));
  expect(all.filter((keys) => begins.includes(keys))).toEqual([]);
});

test("a key goes to what is on top first, and gives all that know it in order", () => {
  const { resolve } = createKeymap();
  expect(resolve("tab", { contexts: COMPOSER })).toEqual(actions("queue", "focus-transcript"));
  expect(resolve("alt+enter", { contexts: COMPOSER })).toEqual(actions("queue", "newline"));
  expect(resolve("end", { contexts: COMPOSER })).toEqual(actions("line-end", "follow"));
  expect(resolve("escape", { contexts: TRANSCRIPT })).toEqual(actions("leave-transcript", "interrupt"));
  expect(resolve("escape", { contexts: COMPOSER })).toEqual(actions("interrupt"));
  expect(resolve("n", { contexts: COMPOSER })).toBeUndefined();
  expect(resolve("n", { contexts: TRANSCRIPT })).toEqual(actions("find-next"));
  expect(resolve("G", { contexts: TRANSCRIPT })).toEqual(actions("bottom"));
});

test("a sequence waits for its next key, forgives case and a held Ctrl, and ends with Escape", () => {
  const { resolve } = createKeymap();
  const first = resolve("ctrl+x", { contexts: COMPOSER });
  expect(first).toEqual({ kind: "pending", pending: "ctrl+x" });
  const next = (key: string, contexts = COMPOSER) => resolve(key, { contexts, pending: "ctrl+x" });
  expect([next("d"), next("D"), next("ctrl+d")]).toEqual([actions("diff"), actions("diff"), actions("diff")]);
  expect(next("k")).toEqual(actions("delete-to-line-end"));
  expect(next("k", TRANSCRIPT)).toEqual({ kind: "unknown", keys: "Ctrl+X K" });
  expect(next("escape")).toEqual(actions());
  expect(next("ctrl+x")).toEqual({ kind: "unknown", keys: "Ctrl+X Ctrl+X" });
});

test("a binding of the user's replaces all keys of its action, and what it takes from others is told", () => {
  const { resolve, notices, bindings } = createKeymap({ diff: ["Ctrl+T"], send: ["ctrl+x S"] });
  expect(resolve("ctrl+t", { contexts: COMPOSER })).toEqual(actions("diff"));
  expect(resolve("d", { contexts: COMPOSER, pending: "ctrl+x" })?.kind).toBe("unknown");
  expect(resolve("enter", { contexts: COMPOSER })).toBeUndefined();
  expect(resolve("s", { contexts: COMPOSER, pending: "ctrl+x" })).toEqual(actions("send", "sessions"));
  expect(resolve("ctrl+s", { contexts: COMPOSER, pending: "ctrl+x" })).toEqual(actions("send", "sessions"));
  expect(bindings.find(({ action }) => action === "diff")?.isUsers).toBe(true);
  expect(notices).toEqual(["keybindings: Ctrl+T is diff now; thinking has no key left"]);
});

test("a key of the draft that is bound for everywhere works there, and a default that is said again changes nothing", () => {
  const { resolve, notices } = createKeymap({ find: ["ctrl+r"], follow: ["end"] });
  expect(resolve("ctrl+r", { contexts: COMPOSER })).toEqual(actions("find"));
  expect(notices).toEqual(["keybindings: Ctrl+R is find now; history-search has no key left"]);
  expect(resolve("end", { contexts: COMPOSER })).toEqual(actions("line-end", "follow"));
});

test("a key in place of the leader takes every sequence behind it", () => {
  const { resolve, notices } = createKeymap({ help: ["ctrl+x"] });
  expect(resolve("ctrl+x", { contexts: COMPOSER })).toEqual(actions("help"));
  expect(notices).toContain("keybindings: Ctrl+X D is help now; diff has no key left");
  expect(notices).toContain("keybindings: Ctrl+X U is help now; undo keeps Ctrl+-, Ctrl+_");
});

test("bindings that cannot be meant are named with what was probably meant", () => {
  expect(
    bindingProblems({
      dif: ["ctrl+t"],
      send: ["ctrl+entr", "x", "ctrl+x d e f", ""],
      "find-next": ["m"],
      thinking: ["ctrl+y"],
      redraw: ["ctrl+y", "ctrl+q"],
      palette: ["ctrl+q p"],
    }),
  ).toEqual([
    { action: "dif", expected: "an action (did you mean diff?)", got: "an unknown one" },
    { action: "send", at: 0, expected: "a known key (did you mean enter?)", got: '"ctrl+entr"' },
    { action: "send", at: 1, expected: "a key that types nothing, for the draft has to get it", got: '"x"' },
    { action: "send", at: 2, expected: "at most 3 keys, one behind the other", got: '"ctrl+x d e f"' },
    { action: "send", at: 3, expected: "a key such as ctrl+t", got: '""' },
    { action: "redraw", at: 0, expected: "another key, for thinking has Ctrl+Y", got: '"ctrl+y"' },
    { action: "palette", at: 0, expected: "another key, for redraw has Ctrl+Q", got: '"ctrl+q p"' },
  ]);
});

test("keys are read however people write them", () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Ctrl+T", "ctrl+t"],
    ["control-t", "ctrl+t"],
    ["shift+alt+ctrl+F5", "ctrl+alt+shift+f5"],
    ["Meta+Return", "alt+enter"],
    ["esc", "escape"],
    ["PgUp", "pageup"],
    ["shift+g", "G"],
    ["G", "G"],
    ["ctrl+G", "ctrl+g"],
    ["ctrl++", "ctrl++"],
    ["ctrl+x  d", "ctrl+x d"],
    ["space", "space"],
    ["ctrl+", undefined],
    ["bogus", undefined],
    ["d d", undefined],
  ];
  expect(rows.map(([typed]) => keysOf(typed)).map((read) => (read.ok ? read.value : undefined))).toEqual(
    rows.map(([, keys]) => keys),
  );
});

test("only keys that the terminal can send are shown", () => {
  const { shown } = createKeymap();
  expect(shown("newline", { hasKittyKeyboard: true })).toEqual(["Shift+Enter", "Alt+Enter", "Ctrl+J"]);
  expect(shown("newline", { hasKittyKeyboard: false })).toEqual(["Alt+Enter", "Ctrl+J"]);
  expect(shown("previous-item", { hasKittyKeyboard: false })).toEqual(["Ctrl+↑"]);
  const never = [
    "ctrl+enter",
    "ctrl+i",
    "ctrl+shift+t",
    "ctrl+.",
    "ctrl+1",
    "shift+space",
    "ctrl+x ctrl+m",
    "ctrl+h",
    "ctrl+alt+h",
  ];
  expect(never.filter((keys) => canBeSent(keys, false))).toEqual([]);
  expect(never.filter((keys) => !canBeSent(keys, true))).toEqual([]);
  const always = [
    "shift+tab",
    "alt+enter",
    "ctrl+space",
    "ctrl+_",
    "ctrl+shift+left",
    "f12",
    "ctrl+x d",
    "alt+shift+b",
  ];
  expect(always.filter((keys) => !canBeSent(keys, false))).toEqual([]);
});

test("keys are shown as people say them", () => {
  const rows = ["ctrl+x d", "escape", "alt+pageup", "G", "y", "ctrl+-", "shift+tab", "/", "f1"];
  expect(rows.map(shownKeys)).toEqual(["Ctrl+X D", "Esc", "Alt+PgUp", "G", "y", "Ctrl+-", "Shift+Tab", "/", "F1"]);
  expect(["ctrl+k", "ctrl+x d", "alt+enter"].map(shortKeys)).toEqual(["^K", "^X D", "Alt+Enter"]);
});
