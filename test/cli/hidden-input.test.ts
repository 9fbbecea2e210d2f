/** What becomes of keys that are typed unseen. */
import { expect, test } from "bun:test";
import { afterKeys, type Line } from "../../src/cli/hidden-input.ts";

const after = (...chunks: readonly string[]): Line =>
  chunks.reduce<Line>((line, keys) => (line.end ? line : afterKeys(line.typed, keys)), { typed: "" });

test("a line is what was typed before Enter, in however many pieces it comes", () => {
  expect(after("sk-", "key", "\r", "more")).toEqual({ typed: "sk-key", end: "entered" });
  expect(after("sk-key\nmore")).toEqual({ typed: "sk-key", end: "entered" });
  expect(after("sk-")).toEqual({ typed: "sk-" });
});

test("mistakes are taken back, one by one or all at once", () => {
  expect(after("abé\u007f\u007fc\r")).toEqual({ typed: "ac", end: "entered" });
  expect(after("wrong\u0015right\r")).toEqual({ typed: "right", end: "entered" });
  expect(after("\u007f\u007fa\r")).toEqual({ typed: "a", end: "entered" });
});

test("what a terminal puts around pasted text, and its other keys, are no part of it", () => {
  expect(after("\u001b[200~sk-key\u001b[201~\u001b[A\u001bOP\r")).toEqual({ typed: "sk-key", end: "entered" });
});

test("whoever gives up has typed nothing", () => {
  expect([after("sk-key\u0003"), after("sk-key\u0004")]).toEqual([
    { typed: "", end: "given-up" },
    { typed: "", end: "given-up" },
  ]);
});

test("no line grows without a bound", () => {
  expect(after("x".repeat(100_000), "y".repeat(100_000)).typed.length).toBe(64 * 1024);
});
