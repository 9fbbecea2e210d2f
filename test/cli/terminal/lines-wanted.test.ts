/** The look at the user's settings before anything is drawn. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mayWantLines } from "../../../src/cli/terminal/lines-wanted.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "khaelor-lines-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const wants = () => mayWantLines({ KHAELOR_HOME: home });

test("lines are wanted where the settings say so", () => {
  expect(wants()).toBe(false);
  writeFileSync(join(home, "config.json"), '{ "terminal": { "screenReader": false } }');
  expect(wants()).toBe(false);
  writeFileSync(join(home, "config.json"), '{ "terminal": { "screenReader": true } }');
  expect(wants()).toBe(true);
});

test("what is no file is not waited for", () => {
  const path = join(home, "config.json");
  mkdirSync(path);
  expect(wants()).toBe(false);
  rmSync(path, { recursive: true });
  Bun.spawnSync(["mkfifo", path]);
  expect(wants()).toBe(false);
});
