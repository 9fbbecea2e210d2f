import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeTime } from "ulid";
import { idSource, isUlid } from "../../src/shared/index.ts";

test("ids keep the order of the calls, whatever the clock does", () => {
  const moments = fc.array(fc.oneof(fc.constant(1_765_400_000_000), fc.nat({ max: 2 ** 42 })), {
    minLength: 2,
    maxLength: 50,
  });
  fc.assert(
    fc.property(moments, (times) => {
      let at = 0;
      const newId = idSource(() => times[at++] ?? 0);
      const ids = times.map(() => newId());
      expect(ids.every(isUlid)).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual([...ids].sort());
    }),
    { numRuns: 100, seed: 1 },
  );
});

test("an id carries the time it was made", () => {
  const times = [1_765_400_000_000, 1_765_400_000_001];
  const newId = idSource(() => times.shift() ?? 0);
  expect([decodeTime(newId()), decodeTime(newId())]).toEqual([1_765_400_000_000, 1_765_400_000_001]);
});

test("two sources do not give the same ids", () => {
  const [one, other] = [idSource(() => 5), idSource(() => 5)];
  expect(one()).not.toBe(other());
});

test.each([
  ["01J8ZQ0000EVNT000000000001", true],
  ["01J8ZQ0000EVNT00000000000", false],
  ["01J8ZQ0000EVNT000000000001\n", false],
  ["01J8ZQ0000EVNU000000000001", false],
  ["01j8zq0000evnt000000000001", false],
  ["../../etc/passwd/aaaaaaaaa", false],
  ["", false],
])("%p is an id: %p", (text, expected) => {
  expect(isUlid(text)).toBe(expected);
});
