import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  byteLength,
  bytePrefix,
  byteSuffix,
  estimateTokens,
  isSameJson,
  sha256,
  sortedJson,
  toBytes,
  wellFormed,
} from "../../src/shared/index.ts";
import { foreignText, json, text } from "../support/generators.ts";

const settings = { numRuns: 300, seed: 1 };

describe("a prefix and a suffix of bounded bytes", () => {
  const property = (cut: (text: string, limit: number) => string, isPart: (whole: string, part: string) => boolean) =>
    fc.property(text, fc.nat({ max: 64 }), (whole, limit) => {
      const part = cut(whole, limit);
      expect({ isPart: isPart(whole, part), wellFormed: part.isWellFormed() }).toEqual({
        isPart: true,
        wellFormed: true,
      });
      expect(byteLength(part)).toBeLessThanOrEqual(limit);
      // The longest one: it misses the limit by less than one character.
      if (part !== whole) expect(byteLength(part)).toBeGreaterThan(limit - 4);
    });

  test("are the longest that split no character", () => {
    fc.assert(
      property(bytePrefix, (whole, part) => whole.startsWith(part)),
      settings,
    );
    fc.assert(
      property(byteSuffix, (whole, part) => whole.endsWith(part)),
      settings,
    );
  });

  test("the property would notice a cut through a character", () => {
    const careless = (whole: string, limit: number) => Buffer.from(whole).toString("utf8", 0, limit);
    expect(
      fc.check(
        property(careless, (whole, part) => whole.startsWith(part)),
        settings,
      ).failed,
    ).toBe(true);
  });

  test("at the edges", () => {
    expect([
      bytePrefix("aé", 2),
      bytePrefix("aé", 3),
      bytePrefix("é", 0),
      byteSuffix("éa", 2),
      byteSuffix("é", 0),
    ]).toEqual(["a", "aé", "", "a", ""]);
  });
});

test("text becomes well-formed, and well-formed text stays as it is", () => {
  fc.assert(
    fc.property(foreignText, (given) => {
      const made = wellFormed(given);
      expect([made.isWellFormed(), made.length]).toEqual([true, given.length]);
      expect(wellFormed(made)).toBe(made);
    }),
    settings,
  );
  expect(wellFormed("a\ud83d\ude00\ud83d")).toBe("a\ud83d\ude00\ufffd");
});

test("bytes are UTF-8, counted without making them", () => {
  fc.assert(
    fc.property(text, (given) => {
      expect([new TextDecoder("utf8", { ignoreBOM: true }).decode(toBytes(given)), toBytes(given).length]).toEqual([
        given,
        byteLength(given),
      ]);
    }),
    settings,
  );
});

test("a hash is the hex SHA-256 of the UTF-8 bytes", () => {
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256("é")).toBe(sha256(new Uint8Array([0xc3, 0xa9])));
});

test("an estimate counts four bytes a token", () => {
  expect([estimateTokens(""), estimateTokens("a"), estimateTokens("abcd"), estimateTokens("éé!")]).toEqual([
    0, 1, 1, 2,
  ]);
});

test("sorted JSON does not depend on the order of keys, and says the same", () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, inner]) => [key, reversed(inner)] as const)
        .reverse(),
    );
  };
  fc.assert(
    fc.property(json(), (value) => {
      expect(sortedJson(reversed(value))).toBe(sortedJson(value));
      expect(JSON.parse(sortedJson(value))).toEqual(value);
    }),
    settings,
  );
  expect(sortedJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
});

test("two values are the same JSON exactly when they are once their keys are sorted", () => {
  const twins = fc.oneof(
    fc.tuple(json(), json()),
    json().map((value) => [value, JSON.parse(sortedJson(value))] as const),
  );
  fc.assert(
    fc.property(twins, ([a, b]) => {
      expect(isSameJson(a, b)).toBe(sortedJson(a) === sortedJson(b));
    }),
    settings,
  );
  const near = [{ a: 1 }, { b: 1 }, { a: 1, b: 1 }, [1], [], {}, { 0: 1 }, null, "", 0, [{ a: 1 }, {}], [{}, { a: 1 }]];
  const same = near.flatMap((a, at) => near.flatMap((b, to) => (isSameJson(a, b) ? [[at, to]] : [])));
  expect(same).toEqual(near.map((_value, at) => [at, at]));
});
