/** Money in words: amounts in US dollars, and the caps that a user sets on what may be spent. */
import type { Payload } from "./events/catalog.ts";

/** Cents, and for less than ten of them as many digits as say something. */
export const moneyText = (usd: number): string =>
  `$${usd >= 0.1 || usd === 0 ? usd.toFixed(2) : Number(usd.toPrecision(2))}`;

type Budget = NonNullable<Payload<"permission.granted">["budget"]>;

const SCOPES = [
  ["turnUsd", "turn"],
  ["sessionUsd", "session"],
  ["dayUsd", "day"],
] as const;

/** As in `$5.00 for the session, no cap for the day`. */
export const budgetText = (budget: Budget): string =>
  SCOPES.flatMap(([key, scope]) => {
    const usd = budget[key];
    return usd === undefined ? [] : [`${usd === null ? "no cap" : moneyText(usd)} for the ${scope}`];
  }).join(", ");
