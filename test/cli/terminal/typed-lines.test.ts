/** What is typed, as lines: however it was cut on the way, with the time at which each was begun. */
import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { typedLines } from "../../../src/cli/terminal/typed-lines.ts";
import type { TypedLine } from "../../../src/tui/index.ts";

/** Each piece comes a second after the one before; the input ends behind the last. */
async function linesOf(pieces: readonly (string | Uint8Array)[]): Promise<readonly TypedLine[]> {
  const input = new PassThrough();
  let now = 0;
  const typed = typedLines(input, () => now);
  for (const piece of pieces) {
    now += 1000;
    input.write(piece);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  now += 1000;
  input.end();
  const lines: TypedLine[] = [];
  for await (const line of typed) lines.push(line);
  return lines;
}

const entered = (text: string, begunAt: number, endedAt = begunAt) => ({ text, begunAt, endedAt });

test("lines end at a line feed, whatever stands before it, and were begun with their first byte", async () => {
  expect(await linesOf(["one\ntw", "o\r\n\n", "thr", "ee"])).toEqual([
    entered("one", 1000),
    entered("two", 1000, 2000),
    entered("", 2000),
    entered("three", 3000, 5000),
  ]);
});

test("characters may be cut anywhere", async () => {
  const bytes = Buffer.from("漢字\n👩‍💻\n");
  const pieces = [...bytes].map((byte) => Uint8Array.of(byte));
  expect((await linesOf(pieces)).map((line) => "text" in line && line.text)).toEqual(["漢字", "👩‍💻"]);
});

test("a line that cannot be used is told, and the next is read", async () => {
  expect(await linesOf([Uint8Array.of(0xff, 0x0a), "x".repeat(300 * 1024), "y\nnext\n"])).toEqual([
    { problem: "the line is not UTF-8" },
    { problem: expect.stringContaining("at most 262144 are taken") },
    entered("next", 3000),
  ]);
});

test("nothing is lost of a flood that nobody has read yet", async () => {
  const count = 5000;
  const text = Array.from({ length: count }, (_, at) => `${at}\n`).join("");
  const lines = await linesOf([text.slice(0, 9000), text.slice(9000)]);
  expect(lines.map((line) => "text" in line && Number(line.text))).toEqual(
    Array.from({ length: count }, (_, at) => at),
  );
});

test("an input that fails is told, and ends", async () => {
  const input = new PassThrough();
  const typed = typedLines(input, () => 0);
  input.write("one\n");
  await new Promise((resolve) => void setImmediate(resolve));
  input.destroy(new Error("it is gone"));
  const lines: TypedLine[] = [];
  for await (const line of typed) lines.push(line);
  expect(lines).toEqual([entered("one", 0), { problem: "The input could not be read on: it is gone" }]);
});
