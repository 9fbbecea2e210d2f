/** What one run may use, put together from the configuration: the kernel's policy, and the moment at which the run has to end. */
import {
  answerFits,
  type Caps,
  createDeadline,
  type Deadline,
  fallbackTo,
  limitPolicy,
  type RunLimits,
  type TurnPolicy,
} from "../agent/index.ts";
import type { KhaelorConfig } from "../config/index.ts";
import { type Clock, EXIT, UserError } from "../shared/index.ts";
import { modelsOf, unpricedModel } from "./caps.ts";
import type { Opened } from "./opening.ts";
import type { State } from "./state.ts";

type Limiting = "exceeded" | "outOfMoney" | "overdue" | "fallback" | "answerProblem";

export interface RunPolicy extends Pick<TurnPolicy, Limiting> {
  readonly deadline?: Deadline;
}

/** The run begins with this call: its time runs, and what the session has used until now is not on its bill. */
export function policyFor(
  { limits, fallbackModel }: KhaelorConfig,
  { session, prefix }: Opened,
  { price, caps, clock }: { readonly price: State["price"]; readonly caps: Caps; readonly clock: Clock },
): RunPolicy {
  const { maxTurns, maxBudgetUsd, maxSeconds } = limits;
  const deadline = maxSeconds === undefined ? undefined : createDeadline(clock, maxSeconds * 1000);
  const run: RunLimits = {
    maxTurns,
    caps,
    ...(maxBudgetUsd !== undefined && {
      budget: { usd: maxBudgetUsd, before: session.state().usage, price },
    }),
    ...(deadline && { deadline }),
  };
  return {
    ...limitPolicy(run),
    ...(fallbackModel !== undefined && { fallback: fallbackTo(fallbackModel) }),
    ...(prefix.outputSchema && { answerProblem: answerFits(prefix.outputSchema.wanted) }),
    ...(deadline && { deadline }),
  };
}

/** A budget for a model whose price nobody knows could not be kept; that is said before anything is begun. */
export function refuseUnknownPrices(
  config: KhaelorConfig,
  model: string,
  money: Parameters<typeof unpricedModel>[2],
): void {
  const problem = unpricedModel(modelsOf(config, model), config.limits, money);
  if (problem === undefined) return;
  throw new UserError(
    `${problem}. Say it under "prices" in the configuration, name another model, or leave the budget out.`,
    EXIT.usage,
  );
}
