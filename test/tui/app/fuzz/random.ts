/** Chance that a seed repeats. */
import { createDice } from "../../../support/story/dice.ts";

export interface Chance {
  /** From 0 up to, not including, `below`. */
  int(below: number): number;
  is(probability: number): boolean;
  of<T>(values: readonly T[]): T;
  /** One of them, by its weight. */
  weighted<T>(values: readonly (readonly [weight: number, value: T])[]): T;
}

export function chanceOf(seed: number): Chance {
  const { roll, below: int, chance } = createDice(seed);
  function of<T>(values: readonly T[]): T {
    const value = values[int(values.length)];
    if (value === undefined) throw new Error("there is nothing to choose from");
    return value;
  }
  return {
    int,
    of,
    is: chance,
    weighted(values) {
      let left = roll() * values.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of values) {
        left -= weight;
        if (left < 0) return value;
      }
      return of(values)[1];
    },
  };
}
