/** What is shown of foreign text: a bounded line without secrets. */
import { expect, test } from "bun:test";
import { presentable } from "../../src/anthropic/redact.ts";

test("the values in use are hidden, in any case and however they look", () => {
  expect(presentable("token a+b(c)d*e and A+B(C)D*E, twice", ["a+b(c)d*e"])).toBe(
    "token [redacted] and [redacted], twice",
  );
});

test("what looks like a key is hidden, even if it is not ours", () => {
  expect(presentable("got sk-ant-api03-AbC_9-x, sent Authorization: Bearer abcdefgh12345678.", [])).toBe(
    "got [redacted], sent Authorization: [redacted]",
  );
  expect(presentable("x-api-key: 0123456789", [])).toBe("[redacted]");
});

test("a value too short to be a secret does not eat the words around it", () => {
  expect(presentable("a test of the rest", ["test", ""])).toBe("a test of the rest");
});

test("blanks become one, and a long text ends in an ellipsis", () => {
  expect(presentable(" a\n\n b\t", [])).toBe("a b");
  expect(presentable("é".repeat(1000), [])).toBe(`${"é".repeat(300)}…`);
});
