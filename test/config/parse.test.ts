import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseJson } from "../../src/config/parse.ts";

const meaning = (text: string) => {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value.value : parsed.error;
};

test("every JSON text means what JSON.parse says", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(meaning(text)).toEqual(JSON.parse(text));
    }),
    { seed: 3, numRuns: 300 },
  );
});

test("no text makes it throw or hang", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    "1",
    "-",
    "//",
    "/*",
    "*/",
    "\n",
    "tru",
    "\\",
    "\uFEFF",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      expect(typeof parseJson(pieces.join("")).ok).toBe("boolean");
    }),
    { seed: 3, numRuns: 500 },
  );
});

test("comments, trailing commas and a byte order mark are no obstacle", () => {
  const text = '\uFEFF// first\n{ /* in\nside */ "a": [1, 2,], // after\n "u": "http://x/*y*/", }\n// end';
  expect(meaning(text)).toEqual({ a: [1, 2], u: "http://x/*y*/" });
});

test("keys named like parts of the language are plain keys", () => {
  const value = meaning('{"__proto__": {"model": "x"}, "constructor": 1}') as object;
  expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
  expect("model" in value).toBe(false);
});

describe("a problem names its line and what stands there", () => {
  const cases: readonly (readonly [text: string, line: number, expected: string, got: string])[] = [
    ["", 1, "a value", "the end of the file"],
    ['{"a": 1', 1, '"," or "}"', "the end of the file"],
    ['{\n"a": 1\n"b": 2}', 3, '"," or "}"', '"\\""'],
    ["{\n\na: 1}", 3, 'a key in double quotes, or "}"', '"a"'],
    ['{"a"\n1}', 2, '":" after the key', '"1"'],
    ['{"a": 1e999}', 1, "a smaller number", '"1"'],
    ["[1 2]", 1, '"," or "]"', '"2"'],
    ["[01]", 1, '"," or "]"', '"1"'],
    ["{} x", 1, "nothing after the closing bracket", '"x"'],
    ["[,]", 1, "a value", '","'],
    ['["\\x"]', 1, "a string with valid escapes", '"\\""'],
    ["[/* no end", 1, "a value", '"/"'],
    ["[".repeat(40), 1, "at most 32 levels", '"["'],
  ];
  for (const [text, line, expected, got] of cases) {
    test(JSON.stringify(text.slice(0, 20)), () => {
      expect(meaning(text)).toEqual({ line, expected, got });
    });
  }
});

test("the line of any value is known, and of the nearest part where there is none", () => {
  const parsed = parseJson('{\n  "a": [\n    1,\n    {"b": 2}\n  ]\n}');
  if (!parsed.ok) throw new Error(parsed.error.expected);
  const { lineOf } = parsed.value;
  expect([lineOf([]), lineOf(["a"]), lineOf(["a", 1, "b"]), lineOf(["a", 1, "x", "y"])]).toEqual([1, 2, 4, 4]);
});

test("a large file of blanks and comments is read", () => {
  const text = `${" ".repeat(400_000)}/*${"*".repeat(300_000)}*/${"// x\n".repeat(40_000)}{}`;
  expect(meaning(text)).toEqual({});
});

test("every key that is given twice is named, with both lines", () => {
  const parsed = parseJson('{"a": 1,\n"b": [{"c": 1,\n\n"c": 2}],\n"a": {"a": 3}}');
  expect(parsed.ok && parsed.value.duplicates).toEqual([
    { path: ["b", 0, "c"], line: 4, firstLine: 2 },
    { path: ["a"], line: 5, firstLine: 1 },
  ]);
});
