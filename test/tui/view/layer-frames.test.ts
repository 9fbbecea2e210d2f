/** Every palette, picker and question as a person sees it, at the three sizes; and what their keys do. */
import { expect, test } from "bun:test";
import { createKeymap } from "../../../src/tui/input/key-dispatch.ts";
import type { FoundFile, SessionFacts } from "../../../src/tui/ports.ts";
import { createAskLine } from "../../../src/tui/view/ask-line.ts";
import { createChoose } from "../../../src/tui/view/choose.ts";
import { createCommandPalette } from "../../../src/tui/view/command-palette.ts";
import { createHelp } from "../../../src/tui/view/help.ts";
import { createMentionPalette } from "../../../src/tui/view/mention-palette.ts";
import { createMissingKey } from "../../../src/tui/view/missing-key.ts";
import { createSlashPalette } from "../../../src/tui/view/slash-palette.ts";
import { welcomeLines } from "../../../src/tui/view/welcome.ts";
import { textOf } from "../../support/frames.ts";
import { answered, COMMANDS, expectScreens, keysOf, measure, press, screenWith, shown, type } from "./layer-stage.ts";

const nothing = () => undefined;
const base = { measure: () => measure, onChange: nothing, onClose: nothing };
const keymap = createKeymap();

const slash = (draft: string, isBusy = false) => {
  const parts = { commands: COMMANDS, keysOf, isBusy: () => isBusy, complete: nothing, run: nothing };
  const palette = createSlashPalette({ ...base, ...parts });
  palette.update(draft, draft.length);
  return screenWith(palette, draft);
};

test("the slash palette", () => {
  expectScreens("palette-slash", slash("/"));
  expectScreens("palette-slash-typed", slash("/co"));
  expectScreens("palette-slash-busy", slash("/re", true));
  expectScreens("palette-slash-arguments", slash("/model "));
});

test("the mention palette", async () => {
  const paths = ["src/session/store.ts", "src/session/", "src/session/store/blob-store.ts", "src/a\u001bb.ts"];
  const many = Array.from({ length: 12 }, (_, at) => `packages/interface/src/some/rather/deep/folder/store-${at}.ts`);
  const found: readonly FoundFile[] = [...paths, ...many].map((path) => {
    const at = path.lastIndexOf("s");
    return { path, matched: path.slice(at, at + 2) === "st" ? [at, at + 1] : [] };
  });
  const queries = { findFiles: async () => found, noteAccess: nothing };
  const editor = () => ({
    text: () => "",
    chips: () => [],
    setText: nothing,
    setCursor: nothing,
    insert: nothing,
    insertChip: nothing,
  });
  const palette = createMentionPalette({ ...base, queries, editor });
  palette.update({ start: 8, query: "st", range: "" });
  await answered();
  expectScreens("palette-mention", screenWith(palette, "look at @st"));
});

function commandPalette(heard: string[] = []) {
  const shownKeys = (action: Parameters<typeof keymap.shown>[0]) =>
    keymap.shown(action, { hasKittyKeyboard: false })[0];
  return createCommandPalette({
    ...base,
    ...{ commands: COMMANDS, bindings: keymap.bindings, shownKeys, keysOf, isBusy: () => false },
    run: ({ name }) => heard.push(`run ${name}`),
    act: (action) => heard.push(`act ${action}`),
    onClose: () => heard.push("closed"),
  });
}

test("the command palette", () => {
  expectScreens("palette-commands", screenWith(commandPalette()));
  const typed = commandPalette();
  type(typed, "mouse");
  expectScreens("palette-commands-typed", screenWith(typed));
  const heard: string[] = [];
  const palette = commandPalette(heard);
  expect(type(palette, "cost")).toEqual([true, true, true, true]);
  press(palette, "enter");
  type(palette, "x");
  const other = commandPalette(heard);
  type(other, "fold all");
  press(other, "enter");
  press(other, "escape");
  expect(heard).toEqual(["closed", "run cost", "closed", "act fold-all", "closed"]);
});

test("a question with rows", () => {
  const rows = ["claude-opus-5", "claude-sonnet-5", "claude-haiku-4-5"].map((id) => ({
    value: id,
    label: id,
    detail: "200K window",
  }));
  const question = {
    title: "Which model? Another one reads the 31K tokens so far anew.",
    rows,
    current: "claude-sonnet-5",
  };
  const answers: (string | undefined)[] = [];
  const ask = (isFiltered: boolean) =>
    createChoose({ ...base, question: { ...question, isFiltered }, onDone: (value) => answers.push(value) });
  expectScreens("choose", screenWith(ask(false)));
  expectScreens("choose-filtered", screenWith(ask(true)));
  const many = Array.from({ length: 40 }, (_, at) => ({ value: `${at}`, label: `choice ${at}` }));
  expectScreens(
    "choose-many",
    screenWith(
      createChoose({
        ...base,
        question: { title: "Which one?", rows: many, isFiltered: true, current: "7" },
        onDone: nothing,
      }),
    ),
  );
  const list = ask(true);
  type(list, "hai");
  press(list, "enter");
  press(ask(false), "up", "enter");
  press(ask(false), "ctrl+c");
  expect(answers).toEqual(["claude-haiku-4-5", "claude-opus-5", undefined]);
});

test("one asked line, and a secret one", () => {
  const answers: (string | undefined)[] = [];
  const ask = (isSecret: boolean) =>
    createAskLine({
      ...base,
      label: isSecret ? "Your API key" : "What is the session called?",
      isSecret,
      onDone: (text) => answers.push(text),
    });
  const open = ask(false);
  type(open, "torn tails");
  expectScreens("ask", screenWith(open));
  const secret = ask(true);
  secret.paste?.("sk-ant-secret\n");
  expectScreens("ask-secret", screenWith(secret));
  press(open, "enter");
  press(secret, "enter");
  press(ask(false), "escape");
  expect(answers).toEqual(["torn tails", "sk-ant-secret", undefined]);
  expect(shown(secret).join("")).not.toContain("sk-");
});

test("help is the tables, and finds", () => {
  const help = (first: "commands" | "keys" = "commands") =>
    createHelp({
      ...base,
      commands: COMMANDS,
      bindings: keymap.bindings,
      hasKittyKeyboard: false,
      first,
      onCommand: nothing,
    });
  expectScreens("help", screenWith(help()));
  expectScreens("help-keys", screenWith(help("keys")));
  const searched = help();
  type(searched, "model");
  expectScreens("help-search", screenWith(searched));
  expect(shown(help("keys"), 100, 200).join("\n")).not.toContain("Shift+Enter");
});

const FACTS: SessionFacts = {
  ...{ title: "", folder: "~/khaelor", branch: "fix/torn-tail", changedFiles: 2, model: "claude-sonnet-5" },
  ...{ thinking: "auto", effort: undefined, permissionMode: "ask", contextTokens: undefined, contextWindow: 200_000 },
  ...{ costUsd: 0, processes: 0 },
};

test("an empty session says where one is and how to begin", () => {
  const draw = (facts: SessionFacts | undefined) => (size: { width: number; height: number }) =>
    welcomeLines({ facts, helpKey: "F1", measure }, size).map((line) => textOf(line).trimEnd());
  expectScreens("welcome", draw(FACTS));
  expect(draw(undefined)({ width: 100, height: 30 })).toEqual([
    "   @   mentions a file",
    "   /   lists the commands",
    "   F1  explains the keys",
    "",
  ]);
  expect(draw(FACTS)({ width: 100, height: 0 })).toEqual([]);
});

test("without a key the screen helps, takes one, and says what goes wrong", async () => {
  const kept: string[] = [];
  let problem: string | undefined = "this is too short to be a key";
  const heard: string[] = [];
  const layer = createMissingKey({
    ...base,
    message: 'no API key: run "khaelor login" or set ANTHROPIC_API_KEY. "khaelor demo" needs none.',
    async storeKey(text) {
      if (problem !== undefined) throw new Error(problem);
      kept.push(text);
    },
    reopen: async () => void heard.push("reopened"),
    onQuit: () => heard.push("quit"),
  });
  expectScreens("missing-key", screenWith(layer));
  layer.paste?.("sk-ant");
  expect(shown(layer).join("\n")).toContain("••••••");
  press(layer, "enter");
  await answered();
  expectScreens("missing-key-failed", screenWith(layer));
  problem = undefined;
  layer.paste?.("sk-ant-api03-good");
  press(layer, "enter");
  await answered();
  press(layer, "ctrl+c");
  expect([kept, heard]).toEqual([["sk-ant-api03-good"], ["reopened", "quit"]]);
  expect(shown(layer).join("\n")).not.toContain("sk-");
  const message = "~/.khaelor/credentials.json holds no key.";
  const other = createMissingKey({ ...base, message, storeKey: async () => {}, reopen: async () => {}, onQuit() {} });
  expect(shown(other).join("\n")).toContain(message);
});
