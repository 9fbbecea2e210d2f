/** The example of docs/HEADLESS.md is run as it stands there, so that it cannot rot; and every line that the page shows fits. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { whyNotHeadless } from "../../src/cli/slash/headless.ts";
import { readCommand } from "../../src/cli/stream/read-command.ts";
import { COMMAND_FIELDS } from "../../src/shared/index.ts";
import { sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const page = readFileSync(join(import.meta.dir, "../../docs/HEADLESS.md"), "utf8");
const text = (words: string) => ({ content: [{ type: "text", text: words }] }) as const;
const bash = (command: string) => ({ content: [{ type: "tool_use", name: "bash", input: { command } }] }) as const;

test("the example drives a whole session", () => {
  const [, example = ""] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
  const script = sequence([bash("touch made"), text("Made it."), bash("sleep 311"), text("I made a file.")]);
  return withModel({ script }, async (served) => {
    const file = join(served.root, "front.cjs");
    writeFileSync(file, example);
    const shell = `export KHAELOR; exec '${process.execPath}' '${file}'`;
    const { code, stdout, stderr } = await served.ask([], { shell });
    expect([code, stderr, stdout.split("\n")]).toEqual([
      0,
      "",
      [
        "asked: Run `touch made`",
        "turn 1: completed (0) Made it.",
        "turn 2: interrupted (130) ",
        "turn 3: completed (0) I made a file.",
        "exit code 0",
        "",
      ],
    ]);
    expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
    expect(served.simulator.refusals).toEqual([]);
  });
});

test("the page tells of every slash command that needs no screen", () => {
  const [, told = ""] = /^(Of the slash commands [\s\S]+?Other commands are refused\.)$/m.exec(page) ?? [];
  const known = whyNotHeadless("none of them")?.split("; there are ")[1]?.split(", ") ?? [];
  const named = known.filter((name) => told.includes(`\`${name}\``) || told.includes(`"command":"${name}"`));
  expect([known.length > 5, named]).toEqual([true, known]);
});

test("the page's table has every command, and its lines are accepted", () => {
  const shown = [...page.matchAll(/^\| `(\{"kind".*?\})` \|/gm)].map(([, line = ""]) =>
    line
      .replaceAll(/\b(?:T|C|ID)\b(?=[,}])/g, '"x"')
      .replace(/:D\b/, ':"deny"')
      .replace("[…]", "[]"),
  );
  expect(shown.map((line) => readCommand(line)).filter(({ ok }) => !ok)).toEqual([]);
  const kinds = shown.map((line) => (JSON.parse(line) as { readonly kind: string }).kind);
  expect([...kinds, "slash"].sort()).toEqual(Object.keys(COMMAND_FIELDS).sort());
});
