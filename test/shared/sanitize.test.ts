/** Foreign text cannot steer a terminal, however it is cut into chunks; what is text stays. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { collapseCarriageReturns, createSanitizer, sanitize } from "../../src/shared/index.ts";
import { foreignText } from "../support/generators.ts";

/** Cleans a text that arrives in these chunks. */
function stream(chunks: readonly string[]): string {
  const sanitizer = createSanitizer();
  return chunks.map((chunk) => sanitizer.push(chunk)).join("") + sanitizer.end();
}

/** Each with "a" before and "z" behind it: exactly "az" may be left. */
const SEQUENCES = {
  colour: "\u001b[1;38;5;196m",
  "cursor and screen": "\u001b[2J\u001b[H\u001b[?1049l\u001b[?25h",
  "cursor report": "\u001b[6n",
  "paste marker": "\u001b[200~",
  "intermediate bytes": "\u001b[0 q\u001b[!p",
  "8-bit CSI": "\u009b31m",
  "title, ended by BEL": "\u001b]0;title\u0007",
  "title, ended by ST": "\u001b]0;title\u001b\\",
  "clipboard, ended by 8-bit ST": "\u001b]52;c;cm0gLXJm\u009c",
  "8-bit OSC": "\u009d0;title\u009c",
  hyperlink: "\u001b]8;;http://example.org\u001b\\\u001b]8;;\u001b\\",
  "DCS with data": "\u001bP1;2|data [31m\u001b\\",
  "8-bit DCS": "\u0090data\u009c",
  "APC, PM and SOS": "\u001b_Gf=24;AAAA\u001b\\\u001b^private\u001b\\\u001bXstring\u001b\\",
  "character set and reset": "\u001b(0\u001b)B\u001bc\u001b=\u001b7",
  "sets of two bytes and coding systems": "\u001b$B\u001b$(C\u001b%/G\u001b!@\u001b F\u001b#8",
  "a sequence in 8 bits behind an escape": "\u001b\u009b31m\u001b(\u009d0;title\u0007",
  "escape after escape": "\u001b\u001b[31m",
  "bare controls": "\u0000\u0007\u0008\u000b\u000c\u000e\u001f\u007f\u0085",
  "direction overrides and a BOM": "\u202e\u202a\u2066\u2069\ufeff",
} as const;

const BROKEN_OFF = {
  "a string broken off by a new sequence": "\u001b]0;title\u001b[31m",
  "a string cancelled": "\u001b]0;title\u0018\u001bPdata\u001a",
} as const;

function expectGone(sequence: string): void {
  const whole = `a${sequence}z`;
  const cuts = Array.from({ length: whole.length + 1 }, (_, at) => [whole.slice(0, at), whole.slice(at)]);
  expect(cuts.map(stream)).toEqual(cuts.map(() => "az"));
  expect([stream([...whole]), sanitize(whole)]).toEqual(["az", "az"]);
}

describe("a sequence goes with its payload, wherever it is cut in two", () => {
  test.each(Object.entries(SEQUENCES))("%s", (_name, sequence) => expectGone(sequence));
  for (const [name, sequence] of Object.entries(BROKEN_OFF)) test(name, () => expectGone(sequence));
});

/** Controls and direction overrides but for tab, line feed and carriage return. */
const CONTROL = /^(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]$/u;

test("whatever comes, no control character but tab, line feed and carriage return is left, and chunks do not matter", () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...Object.values({ ...SEQUENCES, ...BROKEN_OFF }), "\u001b", "\u001b]", "\u009b"),
      foreignText,
    ),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(pieces, fc.array(fc.nat({ max: 40 }), { maxLength: 5 }), (parts, lengths) => {
      const characters = [...parts.join("").toWellFormed()];
      const chunks = [...lengths.map((length) => characters.splice(0, length).join("")), characters.join("")];
      const clean = stream(chunks);
      expect([...clean].filter((char) => CONTROL.test(char))).toEqual([]);
      expect([clean.isWellFormed(), clean]).toEqual([true, stream([chunks.join("")])]);
      expect(stream([clean])).toBe(clean);
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("text without controls is left as it is", () => {
  const plain = "tab\t, line\n, 中文 é 👩‍👩‍👧‍👦 [31m ]0; \u2028 end";
  expect([sanitize(plain), stream([...plain])]).toEqual([plain, plain]);
});

test("an unfinished string hides its own line at most", () => {
  for (const opener of ["\u001b]0;", "\u001bP1;2|", "\u001b_", "\u009d", "\u001b[3"]) {
    expect(
      stream([`before${opener}never closed\nnext line\nlast`])
        .split("\n")
        .slice(1),
    ).toEqual(["next line", "last"]);
  }
});

test("text behind a broken sequence is not taken for a part of it", () => {
  expect(stream(["a\u001b[3日本語m"])).toBe("a日本語m");
  expect(stream(["a\u001b日\u001b\n\u001b(\tz"])).toBe("a日\n\tz");
});

describe("a carriage return", () => {
  test.each([
    ["keeps the last state of a line", "10%\r50%\r100%\ndone", "100%\ndone"],
    ["at the end of a line changes nothing", "100%\r\nnext\r", "100%\nnext"],
    ["repeated before a line feed changes nothing", "100%\r\r\nnext", "100%\nnext"],
    ["alone leaves an empty line", "\r\n\r", "\n"],
  ])("%s", (_name, given, left) => {
    expect([collapseCarriageReturns(given), sanitize(given)]).toEqual([left, left]);
  });
});

describe("the escape-injection cases", () => {
  interface Case {
    readonly id: string;
    readonly topic: string;
    readonly input: string;
    readonly expect: { readonly visible?: string; readonly visible_contains?: readonly string[] };
  }
  const path = join(import.meta.dir, "../cases/terminal.json");
  const { cases } = JSON.parse(readFileSync(path, "utf8")) as { cases: readonly Case[] };
  const injections = cases.filter(({ topic }) => topic === "escape-injection");

  for (const { id, input, expect: wanted } of injections) {
    test(id, () => {
      const seen = sanitize(input);
      expect(seen).not.toContain("\u001b");
      if (wanted.visible !== undefined) expect(seen).toBe(wanted.visible);
      for (const part of wanted.visible_contains ?? []) expect(seen).toContain(part);
    });
  }
});
