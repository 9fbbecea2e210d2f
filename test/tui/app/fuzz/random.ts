/** Chance that a seed repeats. */

export interface Chance {
  /** From 0 up to, not including, `below`. */
  int(below: number): number;
  is(probability: number): boolean;
  of<T>(values: readonly T[]): T;
  /** One of them, by its weight. */
  weighted<T>(values: readonly (readonly [weight: number, value: T])[]): T;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const int = (below: number) => Math.floor(next() * below);
  function of<T>(values: readonly T[]): T {
    const value = values[int(values.length)];
    if (value === undefined) throw new Error("there is nothing to choose from");
    return value;
  }
  return {
    int,
    of,
    is: (probability) => next() < probability,
    weighted(values) {
      let left = next() * values.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of values) {
        left -= weight;
        if (left < 0) return value;
      }
      return of(values)[1];
    },
  };
}
