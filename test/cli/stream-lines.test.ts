/** The input of a program that is the front: cut into lines however it comes, and each line judged by its own. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type InputLine, inputLines } from "../../src/cli/stream/input-lines.ts";
import { readCommand } from "../../src/cli/stream/read-command.ts";

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const shared = new Uint8Array(bytes.length); // as a stream that uses its buffer again
  let from = 0;
  for (const to of [...cuts, bytes.length].sort((a, b) => a - b)) {
    const piece = shared.subarray(0, to - from);
    piece.set(bytes.subarray(from, to));
    yield piece;
    piece.fill(0x21);
    from = to;
  }
}

async function linesOf(bytes: Uint8Array, cuts: readonly number[] = [], limit = 1_000): Promise<readonly InputLine[]> {
  const lines: InputLine[] = [];
  for await (const line of inputLines(pieces(bytes, cuts), limit)) lines.push(line);
  return lines;
}

test("however the bytes are split, the lines are the same", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "binary" })), fc.array(fc.nat()), async (texts, places) => {
      const written = texts.map((text) => text.replaceAll("\n", " "));
      const bytes = new TextEncoder().encode(written.map((text) => `${text}\n`).join(""));
      const lines = await linesOf(
        bytes,
        places.map((place) => place % (bytes.length + 1)),
        10_000,
      );
      const expected = written.map((text) => new TextDecoder().decode(new TextEncoder().encode(text)));
      expect(lines).toEqual(expected.map((text, at) => ({ number: at + 1, text })));
    }),
    { seed: 1, numRuns: 200 },
  ));

test("a line that is too long, not UTF-8 or not ended is told, and those around it are read", async () => {
  const bytes = Buffer.concat([
    Buffer.from(`a\n${"x".repeat(50)}\nb\n`),
    Buffer.from([0xff, 0x0a]),
    Buffer.from("c\nhalf"),
  ]);
  expect(await linesOf(bytes, [3, 20, 40], 40)).toEqual([
    { number: 1, text: "a" },
    { number: 2, problem: "the line has 50 bytes; at most 40 are taken" },
    { number: 3, text: "b" },
    { number: 4, problem: "the line is not UTF-8" },
    { number: 5, text: "c" },
    { number: 6, problem: "the input ended in the middle of this line; end each with a newline" },
  ]);
});

test("an input that breaks off is told as such", async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("a\nb");
    throw new Error("EIO");
  }
  const lines: InputLine[] = [];
  for await (const line of inputLines(broken(), 10)) lines.push(line);
  expect(lines).toEqual([
    { number: 1, text: "a" },
    { number: 2, problem: "the input could not be read on: EIO" },
  ]);
});

const REFUSED: readonly (readonly [line: string, words: string])[] = [
  ["null", "a command is a JSON object"],
  ["{}", 'a command needs its "kind": one of submit-message, steer, withdraw, interrupt'],
  ['{"kind":"interupt"}', 'unknown kind "interupt"; did you mean "interrupt"?'],
  ['{"kind":"toString"}', 'unknown kind "toString"; known are'],
  ['{"kind":"submit-message"}', 'submit-message: expected "text" to be present'],
  ['{"kind":"submit-message","text":"x","more":1}', 'submit-message: expected "more" to be absent'],
  ['{"kind":"submit-message","text":"x","mentions":[{}]}', 'expected "mentions.0.path" to be present'],
  [
    '{"kind":"submit-message","text":"x","mentions":[{"path":"a","range":{"start":3,"end":2}}]}',
    "ends before it begins",
  ],
  ['{"kind":"interrupt","__proto__":1}', 'interrupt: expected "__proto__" to be absent'],
  ['{"kind":"permission-response","requestId":"x","decision":"yes"}', '"once" or "session" or'],
  ['{"kind":"slash","command":"rewind"}', 'there is no command "rewind" without a screen; there are model, effort'],
];
for (const [line, words] of REFUSED) {
  test(`refused: ${line}`, () => {
    const read = readCommand(line);
    expect(read.ok ? "accepted" : read.error).toContain(words);
  });
}

test("what may be left out is filled in", () => {
  expect(readCommand('{"text":"x","kind":"submit-message"}')).toEqual({
    ok: true,
    value: { kind: "submit-message", text: "x", mentions: [] },
  });
});
