/** The kept list of models: replaced in one step, and whatever is wrong with it counts as not there. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readModelsCache, writeModelsCache } from "../../src/cli/models-cache.ts";

const home = mkdtempSync(join(tmpdir(), "khaelor-models-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const cache = { fetchedAt: 1_000, models: [{ id: "a", contextWindow: 2048, thinking: ["adaptive" as const] }] };
const file = join(home, "cache", "models.json");

test("what was written is read again, for the address it came from", () => {
  expect(readModelsCache(home)).toBeUndefined();
  expect(writeModelsCache(home, cache)).toBeUndefined();
  expect(readModelsCache(home)).toMatchObject(cache);
  expect(readModelsCache(home, "https://gateway.example")).toBeUndefined();
  expect([readdirSync(join(home, "cache")), statSync(file).mode & 0o777]).toEqual([["models.json"], 0o600]);
});

test("damage, another version and values that make no sense count as not there, and the next list replaces them", () => {
  const whole = { version: 1, from: "api.anthropic.com", ...cache };
  const odd: readonly unknown[] = [
    "",
    "{",
    "null",
    JSON.stringify({ ...whole, version: 2 }),
    JSON.stringify({ ...whole, models: [{ id: "a", contextWindow: 5 }] }),
    JSON.stringify({ ...whole, models: [{}] }),
    JSON.stringify({ ...whole, fetchedAt: "now" }),
  ];
  for (const text of odd) {
    writeFileSync(file, String(text));
    expect(readModelsCache(home)).toBeUndefined();
  }
  expect(writeModelsCache(home, cache)).toBeUndefined();
  expect(readModelsCache(home)?.models).toEqual(cache.models);
});

test("a folder that is none is said, and leaves nothing behind", () => {
  const other = join(home, "other");
  mkdirSync(other);
  writeFileSync(join(other, "cache"), "a file");
  expect(writeModelsCache(other, cache)).toContain(join(other, "cache", "models.json"));
  expect(readdirSync(other)).toEqual(["cache"]);
});
