/** The ranking is held to a naive one that tries every way to lay the letters; and to what people expect of it. */
import { describe, expect, test } from "bun:test";
import { fuzzyMatcher, fuzzyRank } from "../../src/shared/index.ts";
import { createDice } from "../support/story/dice.ts";

const ranked = (items: readonly string[], query: string) =>
  fuzzyRank(items, query, (item) => item).map(({ item }) => item);
/** The text with what matched in brackets. */
const shown = (text: string, query: string) => {
  const hits = new Set(fuzzyMatcher(query).matched(text));
  return text
    .split("")
    .map((unit, at) => (hits.has(at) ? `[${unit}]` : unit))
    .join("")
    .replaceAll("][", "");
};

describe("what is typed finds what is meant", () => {
  const files = [
    "src/tui/model/items.ts",
    "src/model.ts",
    "src/tui/app/actions.ts",
    "docs/modelling.md",
    "src/modal/open-dialog-element.ts",
    "README.md",
  ];
  test.each([
    ["model", ["src/model.ts", "docs/modelling.md", "src/tui/model/items.ts", "src/modal/open-dialog-element.ts"]],
    ["tuiact", ["src/tui/app/actions.ts"]],
    ["rdm", ["README.md", "src/modal/open-dialog-element.ts", "src/tui/model/items.ts"]],
    ["items", ["src/tui/model/items.ts"]],
    ["zz", []],
  ] as const)("%s", (query, expected) => {
    expect(ranked(files, query)).toEqual([...expected]);
  });

  test.each([
    ["src/tui/view/slash-palette.ts", "sp", "src/tui/view/[s]lash-[p]alette.ts"],
    ["src/sessionStore.ts", "ss", "src/[s]ession[S]tore.ts"],
    ["a/b/common.ts", "com", "a/b/[com]mon.ts"],
    ["xaxbxab", "ab", "xaxbx[ab]"],
    ["café.ts", "café", "[café].ts"],
  ])("in %s the letters of %s", (text, query, expected) => {
    expect(shown(text, query)).toBe(expected);
  });

  test("a capital is meant, a small letter may be either", () => {
    expect(ranked(["readme", "README", "reAdme"], "A")).toEqual(["reAdme", "README"]);
    expect(ranked(["readme", "README"], "readme")).toEqual(["readme", "README"]);
  });

  test("words are found in any order, and nothing typed keeps everything as it was", () => {
    const found = ranked(["fix the parser", "parse the fixture", "other"], "parse fix");
    expect(found.toSorted()).toEqual(["fix the parser", "parse the fixture"]);
    expect(ranked(["b", "a"], "  ")).toEqual(["b", "a"]);
  });

  test("equals keep their order", () => {
    const same = Array.from({ length: 50 }, (_, at) => `file-${at}`);
    expect(ranked(same, "file")).toEqual(same);
  });
});

test("for any text: found exactly when the letters are there in order, and the offsets are theirs", () => {
  const roll = createDice(7).below;
  const word = (length: number, letters: string) =>
    Array.from({ length }, () => letters[roll(letters.length)] ?? "").join("");
  for (let round = 0; round < 4_000; round++) {
    const text = word(roll(14), "abA/-.1é");
    const query = word(1 + roll(4), "abA1é");
    const offsets = fuzzyMatcher(query).matched(text);
    const score = fuzzyMatcher(query).score(text);
    const fits = (unit: string, typed: string) => unit === typed || unit === typed.toUpperCase();
    let letter = 0;
    for (const unit of text) if (letter < query.length && fits(unit, query[letter] ?? "")) letter++;
    expect([text, query, score !== undefined]).toEqual([text, query, letter === query.length]);
    if (score === undefined) continue;
    expect(offsets.length).toBe(query.length);
    expect(offsets.every((at, index) => fits(text[at] ?? "", query[index] ?? ""))).toBe(true);
    expect(offsets.every((at, index) => index === 0 || at > (offsets[index - 1] ?? -1))).toBe(true);
  }
});

test("of all ways to lay the letters the best one is marked", () => {
  const roll = createDice(3).below;
  for (let round = 0; round < 1_500; round++) {
    const text = Array.from({ length: 3 + roll(8) }, () => "abA/-"[roll(5)] ?? "").join("");
    const query = Array.from({ length: 1 + roll(3) }, () => "ab"[roll(2)] ?? "").join("");
    const best = fuzzyMatcher(query).score(text);
    const ways = allWays(text, query).map((way) => worth(text, way));
    expect([text, query, best]).toEqual([text, query, ways.length === 0 ? undefined : Math.max(...ways)]);
    if (best !== undefined) expect(worth(text, fuzzyMatcher(query).matched(text))).toBe(best);
  }
});

function allWays(text: string, query: string, from = 0): readonly (readonly number[])[] {
  const [first, ...rest] = query;
  if (first === undefined) return [[]];
  const ways: number[][] = [];
  for (let at = from; at < text.length; at++) {
    if (text[at] !== first && text[at] !== first.toUpperCase()) continue;
    for (const way of allWays(text, rest.join(""), at + 1)) ways.push([at, ...way]);
  }
  return ways;
}

/** The worth of one way, reckoned letter by letter. */
function worth(text: string, way: readonly number[]): number {
  const nameAt = text.slice(0, -1).lastIndexOf("/") + 1;
  const isWord = (unit: string | undefined) => unit !== undefined && /[\p{L}\p{N}]/u.test(unit);
  const start = (at: number): number => {
    if (at === nameAt) return 20;
    if (!isWord(text[at - 1])) return 10;
    return /[A-Z]/.test(text[at] ?? "") && !/[A-Z]/.test(text[at - 1] ?? "") ? 10 : 0;
  };
  const letters = way.reduce((sum, at, index) => {
    const gap = index === 0 ? 0 : at - (way[index - 1] ?? 0) - 1;
    const run = index > 0 && gap === 0 ? 12 : -gap;
    return sum + 16 + start(at) + (at >= nameAt ? 4 : 0) + run;
  }, 0);
  return letters + (isWord(text[(way.at(-1) ?? 0) + 1]) ? 0 : 6);
}

test("a very long text or query is no trouble", () => {
  const long = "a/".repeat(100_000);
  expect(fuzzyMatcher("aaaa").score(long)).toBeGreaterThan(0);
  expect(fuzzyMatcher("b").score(long)).toBeUndefined();
  expect(fuzzyMatcher("x".repeat(10_000)).score("x".repeat(600))).toBeGreaterThan(0);
});
