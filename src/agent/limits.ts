/**
 * What one run may use: requests, money, time. Requests are counted for one message, money and time from the beginning of the
 * run, all of them from the fold. The words say how to go on, for the turn can be resumed.
 */
import type { SessionState, UsageTotals } from "../session/index.ts";
import { moneyText, type Payload } from "../shared/index.ts";
import type { TurnPolicy } from "./actions.ts";
import { CAP_SCOPES, type CapScope, type Caps, overCap } from "./caps.ts";
import type { Deadline } from "./deadline.ts";
import { certainCost, type PriceOf } from "./next-cost.ts";

export interface RunLimits {
  readonly maxTurns: number;
  readonly budget?: RunBudget;
  /** Of the turn, the session and the day; they outlast the run. */
  readonly caps?: Caps;
  readonly deadline?: Deadline;
}

interface RunBudget {
  /** US dollars. */
  readonly usd: number;
  /** What had been used when the run began. */
  readonly before: UsageTotals;
  readonly price: PriceOf;
}

type Failure = Payload<"task.failed">;

export function limitPolicy({
  maxTurns,
  budget,
  caps,
  deadline,
}: RunLimits): Pick<TurnPolicy, "exceeded" | "outOfMoney" | "overdue"> {
  const money = (state: SessionState, scopes?: readonly CapScope[]) =>
    (budget && outOfMoney(state, budget)) ?? (caps && overCap(state, caps, scopes));
  return {
    exceeded: (state) => money(state) ?? outOfTurns(state, maxTurns),
    outOfMoney: (state) => money(state, state.turn.phase === "open" ? CAP_SCOPES : BETWEEN_TURNS),
    overdue: () => (deadline?.reached() ? outOfTime(deadline) : undefined),
  };
}

/** What is asked for there, such as a summary, is no part of the last turn. */
const BETWEEN_TURNS = CAP_SCOPES.filter((scope) => scope !== "turn");

function outOfTurns({ turn }: SessionState, maxTurns: number): Failure | undefined {
  if (turn.iterations < maxTurns) return undefined;
  const used = maxTurns === 1 ? "the one request" : `the ${maxTurns} requests`;
  return {
    reason: "iteration-budget-exhausted",
    detail: `The turn used ${used} that a message may cost, without finishing. Go on with --resume and a higher --max-turns.`,
  };
}

function outOfMoney(state: SessionState, { usd, before, price }: RunBudget): Failure | undefined {
  const { usage } = state;
  if (usage.unpriced > before.unpriced) {
    return { reason: "budget", detail: UNKNOWN_PRICE };
  }
  const spent = usage.spentUsd - before.spentUsd;
  if (spent >= usd) return overBudget(`this run has cost at least ${moneyText(spent)} of ${moneyText(usd)}`);
  const certain = certainCost(state, price);
  if (spent + certain <= usd) return undefined;
  return overBudget(
    `this run has cost ${moneyText(spent)} of ${moneyText(usd)}, and the next request would cost at least ${moneyText(certain)}`,
  );
}

const UNKNOWN_PRICE =
  "The budget cannot be kept: an answer came from a model whose price is not known. " +
  'Say it under "prices" in the configuration and go on with --resume.';

const overBudget = (why: string): Failure => ({
  reason: "budget",
  detail: `The budget is used up: ${why}. Go on with --resume and a higher --max-budget-usd.`,
});

export const outOfTime = ({ ms }: Deadline): Failure => ({
  reason: "budget",
  detail: `The time limit of ${ms / 1000} s was reached. Go on with --resume, if need be with a higher --timeout.`,
});
