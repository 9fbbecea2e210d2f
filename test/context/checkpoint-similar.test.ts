/** Two lines that say the same in other words are told apart from two that only look alike. */
import { describe, expect, test } from "bun:test";
import { isNearlySame, unsaid } from "../../src/context/checkpoint/similar.ts";

describe("what says the same", () => {
  const PAIRS: readonly (readonly [one: string, other: string, same: boolean])[] = [
    ["bash: npm test → exit code 1", "`bash`: npm test → exit code 1.", true],
    ["Tried to fix the parser by hand", "tried to fix the parser by hand again", true],
    ["edit: src/a.ts → not edited (ambiguous)", "edit: src/b.ts → not edited (ambiguous)", false],
    ["npm test fails with 1 error", "npm test fails with 2 errors", false],
    ["Use a map", "Delete the cache", false],
    ["", "x", false],
    ["", " ", true],
  ];
  test.each(PAIRS)("%j and %j: %p", (one, other, same) => {
    expect([isNearlySame(one, other), isNearlySame(other, one)]).toEqual([same, same]);
  });
  test("is said once", () => {
    expect(unsaid(["a b c", "d", "A b, c.", "e"], ["e"])).toEqual(["a b c", "d"]);
  });
});
