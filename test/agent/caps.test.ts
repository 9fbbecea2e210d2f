/** Caps of money for a turn, a session and a day: what is counted of which, when a request is stopped, and what is said. */
import { describe, expect, test } from "bun:test";
import { type CapScope, type Caps, limitPolicy } from "../../src/agent/index.ts";
import { type ModelUsage, NO_USAGE } from "../../src/shared/index.ts";
import { openTurn, stateWith } from "./states.ts";

/** A tenth of a dollar for a token read from the cache. */
const price = (_model: string, { cacheReadTokens }: ModelUsage) => cacheReadTokens / 10;
const wayOn: Caps["wayOn"] = (scope, usd) => (usd === undefined ? `take ${scope} away` : `say ${scope} ${usd}`);

const EMPTY = stateWith(openTurn());

interface Spent {
  readonly session?: number;
  readonly turn?: number;
  readonly last?: number;
  readonly unpriced?: number;
  readonly fork?: { readonly spentUsd: number; readonly unpriced: number };
}

function state({ session = 0, turn = 0, last = 0, unpriced = 0, fork }: Spent) {
  const usage = { ...EMPTY.usage, spentUsd: session, turnUsd: turn, unpriced };
  return {
    ...EMPTY,
    usage: { ...usage, last: { ...NO_USAGE, cacheReadTokens: last } },
    meta: {
      ...EMPTY.meta,
      ...(fork && { forkedFrom: { sessionId: "s", seq: 1, usage: NO_USAGE, costUsd: 0, ...fork } }),
    },
  };
}

function policy(caps: Partial<Record<CapScope, number>>, today = 0, before = 0) {
  return limitPolicy({
    maxTurns: 9,
    caps: {
      capOf: (scope) => caps[scope],
      spentToday: () => today,
      price,
      before: { ...EMPTY.usage, unpriced: before },
      wayOn,
    },
  });
}

describe("a cap", () => {
  test("stops the request that would come after it is used up, and says what would let it go on", () => {
    expect(policy({}).exceeded(state({ session: 1e9, turn: 1e9 }))).toBeUndefined();
    expect(policy({ session: 5 }).exceeded(state({ session: 4.99, turn: 4.99 }))).toBeUndefined();
    expect(policy({ session: 5 }).exceeded(state({ session: 5.02 }))).toEqual({
      reason: "budget",
      detail:
        "The cap for the session is used up: this session has cost at least $5.02 of $5.00. To go on, say session 10.",
    });
    expect(policy({ turn: 0.002 }).exceeded(state({ session: 9, turn: 0.0034 }))?.detail).toBe(
      "The cap for the turn is used up: this turn has cost at least $0.0034 of $0.002. To go on, say turn 0.004.",
    );
    expect(policy({ day: 20 }, 70).exceeded(state({}))?.detail).toBe(
      "The cap for the day is used up: this day has cost at least $70.00 of $20.00. To go on, say day 140.",
    );
  });

  test("counts what the next request costs in any case, and stops a further attempt too", () => {
    const { exceeded, outOfMoney } = policy({ session: 5 });
    const near = state({ session: 4.5, last: 6 });
    expect([exceeded(state({ session: 4.5, last: 5 })), outOfMoney?.(state({ session: 4.5, last: 5 }))]).toEqual([
      undefined,
      undefined,
    ]);
    expect([exceeded(near)?.detail, outOfMoney?.(near) !== undefined]).toEqual([
      "The cap for the session is used up: this session has cost $4.50 of $5.00, and the next request would cost at least $0.60. To go on, say session 10.",
      true,
    ]);
  });

  test("of a session does not count what a fork took over", () => {
    const fork = { spentUsd: 5, unpriced: 2 };
    expect(policy({ session: 5 }).exceeded(state({ session: 9, unpriced: 2, fork }))).toBeUndefined();
    expect(policy({ session: 5 }).exceeded(state({ session: 10, unpriced: 2, fork }))?.detail).toContain(
      "$5.00 of $5.00",
    );
  });

  test("that cannot be kept, for a price is not known, stops as well: of a session whenever that was", () => {
    const said = policy({ session: 5 }, 0, 1).exceeded(state({ unpriced: 1 }))?.detail;
    expect(said).toBe(
      "The cap of $5.00 for the session cannot be kept: an answer came from a model whose price is not known. " +
        'Say it under "prices" in the configuration and go on with --resume, or take session away.',
    );
    for (const scope of ["turn", "day"] as const) {
      expect(policy({ [scope]: 5 }, 0, 1).exceeded(state({ unpriced: 1 }))).toBeUndefined();
      expect(policy({ [scope]: 5 }, 0, 1).exceeded(state({ unpriced: 2 }))?.reason).toBe("budget");
    }
  });
});
