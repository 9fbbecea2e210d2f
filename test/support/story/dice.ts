/** Chance from a seed: the same seed gives the same course of events. */

export interface Dice {
  /** In [0, 1). */
  roll(): number;
  /** An integer in [0, end). */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** One of the list, or undefined when it is empty. */
  some<T>(list: readonly T[]): T | undefined;
  /** By weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  // mulberry32: small, and good enough to mix choices.
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(roll() * end);
  return {
    roll,
    below,
    chance: (probability) => roll() < probability,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
    some: (list) => list[below(list.length)],
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][]; // the keys of the object itself
      let left = roll() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const found = entries.find(([, weight]) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? entries[0] ?? [])[0] as keyof typeof weights;
    },
  };
}
