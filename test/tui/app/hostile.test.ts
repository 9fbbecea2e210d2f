/**
 * Text from elsewhere, hostile by every way it can take, at every door of the interface: nothing of it reaches the terminal, the
 * pager or the clipboard as anything but text.
 */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedBlock, ScriptedTurn } from "../../../src/simulator/index.ts";
import { isHarmless, strangers } from "../../support/terminal-bytes.ts";
import { type HostileStage, openHostileStage } from "./hostile-stage.ts";

setDefaultTimeout(60_000);

const ESCAPES = [
  ...["\x1b[31337mA", "\x1b[2J\x1b[31337;1HB", "\x1b]31337;EVIL\x07C", "\x1b]0;EVIL\x07D", "\x1b]52;c;RVZJTA==\x07E"],
  ...[
    "\x1b]8;;http://evil\x07F\x1b]8;;\x1b\\",
    "\x1bP31337q\x1b\\G",
    "\x1b_31337\x1b\\H",
    "\x1bcI",
    "\x1b#8J",
    "\x1b[?31337hK",
  ],
  ...[
    "\u009b31337mL\u009d31337;EVIL\u009cM",
    "\u009031337\u009cN",
    "\u202eO\u2066P",
    "\u200bQ\ufeff\u2060R",
    "S\ud800T\udc00",
  ],
  ...["hidden\rshown", "\x07\b\x7fU", "\x0e\x0fV", "W\u0085X\u2028Y", "\x1b]31337;never closed"],
];
const EVIL = ESCAPES.join(" ");
/** In one line of a message, where a null is no text of a shell or a path. */
const TYPED = EVIL.replaceAll("\0", "");

let stage: HostileStage;
beforeEach(async () => {
  stage = await openHostileStage(EVIL);
});
afterEach(() => stage.close());

const text = (words: string): ScriptedBlock => ({ type: "text", text: words });
const calls = (...blocks: readonly (readonly [name: string, input: Record<string, unknown>])[]): ScriptedTurn => ({
  content: blocks.map(([name, input]) => ({ type: "tool_use", name, input })),
});

const markdown = (evil: string): string =>
  [
    `# ${evil}\n\n- ${evil}\n1. **${evil}**\n\n| ${evil} | b |\n| --- | --- |\n| ${evil} | \`${evil}\` |`,
    `\`\`\`${evil}\n${evil}\n\`\`\`\n\n[${evil}](http://x/${evil}) ![${evil}](y) <http://${evil}>\n\n> ${evil}\n\n${evil}`,
  ].join("\n\n");

test("what the model says and thinks, however it is cut into pieces", async () => {
  for (const evil of ESCAPES) {
    const content = [{ type: "thinking", thinking: `${evil}\n${evil}` } as const, text(markdown(evil))];
    await stage.say("go", { content, stream: { deltaChars: 3 } });
  }
  stage.terminal.send("\x14");
  await stage.terminal.screen.settled();
  expect(stage.wrong()).toEqual([]);
});

test("calls, what they are about and what they print; questions, notices and outcomes", async () => {
  const asking = () => stage.shown.core.view().activity.kind === "asking";
  await stage.say(TYPED, calls(["bash", { command: `printf '%s' '${EVIL}'; rm x`, description: EVIL }]));
  expect([asking(), stage.frame()]).toEqual([true, expect.stringContaining("\\e[31337mA")]);
  const input = { [EVIL]: EVIL };
  const path = `w${EVIL}`;
  await stage.until(() => {
    if (asking()) stage.terminal.send("\x1b[27u");
    return !asking();
  });
  const all = calls(
    [`no${EVIL}`, input],
    ["read", { file_path: path }],
    ["grep", { pattern: EVIL, path }],
    ["glob", { pattern: EVIL }],
    ["process", { action: EVIL, id: EVIL }],
  );
  await stage.say("all", all);
  await stage.say(`!printf '\\033]0;EVIL\\007 \\2331337m \\033[31337m\\r x'; printf '\\033]31337;open'`);
  await stage.say(`!${TYPED.replaceAll("'", "")}`);
  const failed = (error: object): ScriptedTurn => ({
    content: [text("x")],
    fault: { kind: "http", status: 400, body: { type: "error", error: { type: "invalid_request_error", ...error } } },
  });
  await stage.say("fail", failed({ message: EVIL }));
  stage.shown.handlers.focused(false);
  await stage.say("end", { content: [text(EVIL)] });
  expect(stage.wrong()).toEqual([]);
});

const COMMANDS: readonly string[] = [
  ...["/rename", "/search", "/help", "/config", "/permissions allow", "/stop", "/queue", "/model", "/effort", "/theme"],
  ...["/resume", "/diff", "/export", "/copy", "/log", "/context", "/", "/status", "/sessions", "/permissions deny"],
];
const WITHOUT = [
  "/log tail",
  "/status",
  "/config",
  "/context all",
  "/search EVIL",
  "/diff all",
  "/copy all",
  "/raw",
  "/editor",
];

test("commands and what they are given, files, history, pastes, drafts, the pager and the clipboard", async () => {
  const { terminal, house, left } = stage;
  const { editor } = terminal.screen;
  await stage.say(TYPED, { content: [text(markdown(EVIL))] });
  const files = [`f\n\x1b[31337m\u202e\u200b.txt`, "f\x1b]0;EVIL\x07", "f\u009b31337m", "-rf", "--yolo"];
  mkdirSync(join(house.cwd, "f\r\x1b[2J"));
  for (const name of files) writeFileSync(join(house.cwd, name), EVIL);
  const pressed = async (bytes: string) => {
    terminal.send(bytes);
    await Bun.sleep(12);
    await terminal.screen.settled();
  };
  for (const line of [...COMMANDS.map((name) => `${name} ${TYPED}`), ...WITHOUT]) {
    editor.setText(line);
    for (const key of ["\x1b[27u", "\r", "\x1b[27u", "\x1b[27u"]) await pressed(key);
    await stage.until(() => stage.shown.core.feed.session()?.isBusy() === false);
  }
  editor.setText("");
  await pressed(`\x1b[200~${TYPED}\x1b[201~`);
  expect(isHarmless(editor.text())).toBe(true);
  editor.setText("");
  await pressed("@f");
  await stage.until(() => stage.frame().includes("\\e[31337m"));
  await pressed("\t");
  for (const keys of ["\x15", "\x12", "EVIL", "\r", "\x15", "\x18t"]) await pressed(keys);
  await stage.until(() => left.paged.length >= 2);
  await stage.shown.core.feed.open({ resume: stage.shown.core.feed.session()?.id ?? "" });
  await terminal.screen.settled();
  expect(stage.wrong()).toEqual([]);
  expect(left.paged.flatMap((paged) => [...strangers(paged)])).toEqual([]);
  expect(left.copied.filter((copied) => !isHarmless(copied))).toEqual([]);
  expect(left.copied.length).toBeGreaterThan(0);
});
