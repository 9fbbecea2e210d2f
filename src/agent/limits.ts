/**
 * What one run may use: requests, money, time. Requests are counted for one message, money and time from the beginning of the
 * run, all of them from the fold. The words say how to go on, for the turn can be resumed.
 */
import type { SessionState, UsageTotals } from "../session/index.ts";
import type { ModelUsage, Payload } from "../shared/index.ts";
import type { TurnPolicy } from "./actions.ts";
import type { Deadline } from "./deadline.ts";

export interface RunLimits {
  readonly maxTurns: number;
  readonly budget?: RunBudget;
  readonly deadline?: Deadline;
}

interface RunBudget {
  /** US dollars. */
  readonly usd: number;
  /** What had been used when the run began. */
  readonly before: UsageTotals;
  /** US dollars, or null for a model without a known price. */
  readonly price: (model: string, usage: ModelUsage) => number | null;
}

type Failure = Payload<"task.failed">;

export function limitPolicy({
  maxTurns,
  budget,
  deadline,
}: RunLimits): Pick<TurnPolicy, "exceeded" | "isSpent" | "overdue"> {
  return {
    exceeded: (state) => outOfTurns(state, maxTurns) ?? (budget && outOfMoney(state, budget)),
    isSpent: (state) => budget !== undefined && outOfMoney(state, budget) !== undefined,
    overdue: () => (deadline?.reached() ? outOfTime(deadline) : undefined),
  };
}

function outOfTurns({ turn }: SessionState, maxTurns: number): Failure | undefined {
  if (turn.iterations < maxTurns) return undefined;
  const used = maxTurns === 1 ? "the one request" : `the ${maxTurns} requests`;
  return {
    reason: "iteration-budget-exhausted",
    detail: `The turn used ${used} that a message may cost, without finishing. Go on with --resume and a higher --max-turns.`,
  };
}

function outOfMoney(state: SessionState, { usd, before, price }: RunBudget): Failure | undefined {
  const { usage, turn } = state;
  if (usage.unpriced > before.unpriced) {
    return { reason: "budget", detail: UNKNOWN_PRICE };
  }
  const spent = usage.spentUsd - before.spentUsd;
  if (spent >= usd) return overBudget(`this run has cost at least ${money(spent)} of ${money(usd)}`);
  const certain = price(turn.model, surely(usage.last)) ?? 0;
  if (spent + certain <= usd) return undefined;
  return overBudget(
    `this run has cost ${money(spent)} of ${money(usd)}, and the next request would cost at least ${money(certain)}`,
  );
}

const UNKNOWN_PRICE =
  "The budget cannot be kept: an answer came from a model whose price is not known. " +
  'Say it under "prices" in the configuration and go on with --resume.';

const overBudget = (why: string): Failure => ({
  reason: "budget",
  detail: `The budget is used up: ${why}. Go on with --resume and a higher --max-budget-usd.`,
});

/** What the next request costs at least: all that the last one held, read from the cache. */
function surely(last: ModelUsage | undefined): ModelUsage {
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = last ?? {};
  const known = inputTokens + cacheReadTokens + cacheWriteTokens;
  return { inputTokens: 0, outputTokens: 0, cacheReadTokens: known, cacheWriteTokens: 0 };
}

export const outOfTime = ({ ms }: Deadline): Failure => ({
  reason: "budget",
  detail: `The time limit of ${ms / 1000} s was reached. Go on with --resume, if need be with a higher --timeout.`,
});

/** Cents, and for less than ten of them as many digits as say something. */
const money = (usd: number): string => `$${usd >= 0.1 || usd === 0 ? usd.toFixed(2) : Number(usd.toPrecision(2))}`;
