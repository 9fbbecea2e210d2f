import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileLogger, silentLogger } from "../../src/shared/index.ts";

const QUIET = { verbose: false };
const LOUD = { verbose: true };
const ROTATION_BYTES = 4 * 1024 * 1024;

let home = "";
let file = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "khaelor-logging-"));
  file = join(home, "logs/khaelor.log");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const records = (path = file) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("a record is one line of JSON, in a file that only its owner can read", () => {
  fileLogger(home, () => 7, QUIET).warn("two\nlines", { path: "a\u2028b", count: 2 });
  expect(records()).toEqual([{ ts: 7, level: "warn", message: "two\nlines", path: "a\u2028b", count: 2 }]);
  expect([mode(file), mode(join(home, "logs"))]).toEqual(["600", "700"]);
});

test("debug records are written only when asked for", () => {
  fileLogger(home, () => 1, QUIET).debug("quiet");
  expect(existsSync(file)).toBe(false);
  fileLogger(home, () => 2, LOUD).debug("loud");
  expect(records()).toEqual([{ ts: 2, level: "debug", message: "loud" }]);
});

test("a filter keeps of the debug records those that name it, and a reader is shown what is kept", () => {
  const shown: string[] = [];
  const logger = fileLogger(home, () => 1, { verbose: true, filter: "Retry", show: (line) => void shown.push(line) });
  logger.debug("model request failed", { verdict: "retry" });
  logger.debug("something else");
  logger.warn("a warning");
  expect(records().map(({ message }) => message)).toEqual(["model request failed", "a warning"]);
  expect(shown.map((line) => JSON.parse(line))).toEqual(records());
});

test("what cannot be written is dropped and counted, and never fails the run", () => {
  const logger = fileLogger(home, () => 1, LOUD);
  mkdirSync(file, { recursive: true });
  logger.warn("lost");
  logger.debug("lost too");
  const loop: Record<string, unknown> = {};
  loop.itself = loop;
  rmSync(file, { recursive: true });
  logger.warn("found", { big: "x" });
  logger.warn("next");
  expect(records()).toEqual([
    { ts: 1, level: "warn", message: "found", big: "x", dropped: 2 },
    { ts: 1, level: "warn", message: "next" },
  ]);
});

test("details that JSON cannot hold are dropped, too", () => {
  const logger = fileLogger(home, () => 1, QUIET);
  const loop: Record<string, unknown> = {};
  loop.itself = loop;
  expect(() => logger.warn("loop", loop)).not.toThrow();
  logger.warn("next");
  expect(records()).toEqual([{ ts: 1, level: "warn", message: "next", dropped: 1 }]);
});

test("a full log makes room: one older file is kept", () => {
  const logger = fileLogger(home, () => 1, QUIET);
  mkdirSync(join(home, "logs"));
  writeFileSync(`${file}.1`, "oldest");
  writeFileSync(file, "x".repeat(ROTATION_BYTES + 1));
  logger.warn("fresh");
  logger.warn("still fresh");
  expect(records().map(({ message }) => message)).toEqual(["fresh", "still fresh"]);
  expect([statSync(`${file}.1`).size, mode(file), existsSync(`${file}.2`)]).toEqual([ROTATION_BYTES + 1, "600", false]);
});

test("the silent logger writes nothing and fails on nothing", () => {
  expect([silentLogger.warn("a"), silentLogger.debug("b", { c: 1 })]).toEqual([undefined, undefined]);
  expect(existsSync(join(home, "logs"))).toBe(false);
});
