/** How the user wants the terminal: files and flags, and keys that do not exist are told with their place. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { parseArguments } from "../../src/cli/args.ts";
import { flagLayer } from "../../src/cli/settings.ts";
import { terminalSettings } from "../../src/cli/terminal/settings.ts";
import { openWorkshop, type Workshop } from "../config/workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

function settings(words: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const parsed = parseArguments(words);
  if (!parsed.ok) throw new Error(parsed.error);
  const { home, userHome, projectRoot: cwd } = shop;
  return terminalSettings({
    places: { home, userHome, cwd },
    env,
    flags: flagLayer(parsed.value),
    log: { verbose: false },
  });
}

test("flags come before the file, and the file before the environment", async () => {
  shop.write("home/.khaelor/config.json", { theme: "light", keybindings: { diff: ["f6"] }, terminal: { vim: true } });
  expect(await settings()).toMatchObject({
    theme: "light",
    vim: true,
    mouse: true,
    screenReader: false,
    keybindings: { diff: ["f6"] },
  });
  expect(
    await settings(["--theme", "dark", "--no-mouse", "--no-alt-screen", "--screen-reader"], { KHAELOR_THEME: "auto" }),
  ).toMatchObject({ theme: "dark", vim: true, mouse: false, alternateScreen: false, screenReader: true });
});

test("a project has no say in it", async () => {
  shop.write("project/.khaelor/config.json", {
    theme: "light",
    keybindings: { send: ["f1"] },
    terminal: { mouse: false },
  });
  expect(await settings()).toMatchObject({ theme: "auto", keybindings: {}, mouse: true });
});

test("keys and actions that do not exist are refused with their lines", async () => {
  const path = shop.write(
    "home/.khaelor/config.json",
    '{\n "keybindings": {\n  "dif": ["f6"],\n  "send": ["ctrl+entr"]\n } }',
  );
  await expect(settings()).rejects.toThrow(
    `the keys have to be repaired first:\n${path}:3: keybindings.dif: expected an action (did you mean diff?), got an unknown one\n` +
      `${path}:4: keybindings.send.0: expected a known key (did you mean enter?), got "ctrl+entr"`,
  );
});

test("a configuration that cannot be used is not this one's to tell", async () => {
  shop.write("home/.khaelor/config.json", "oops");
  expect(await settings(["--theme", "dark"])).toMatchObject({ theme: "dark", mouse: true, keybindings: {} });
});
