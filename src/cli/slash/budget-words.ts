/** What may be said behind `/budget`, in every front: a scope, and an amount in US dollars or `off`. */
import { CAP_SCOPES, type CapScope } from "../../agent/index.ts";
import { err, nearest, ok, type Result } from "../../shared/index.ts";
import { firstWord } from "./define.ts";

export interface BudgetWish {
  /** Undefined: all of them. */
  readonly scope?: CapScope;
  /** US dollars; null: no cap; undefined: only look. */
  readonly usd?: number | null;
}

const WAYS = `say /budget ${CAP_SCOPES.join("|")} and an amount as in 5 or 0.50, or off`;

/** In words what is wrong. */
export function readBudget(args: string): Result<BudgetWish, string> {
  const [word, rest] = firstWord(args);
  if (word === "") return ok({});
  const scope = CAP_SCOPES.find((known) => known === word.toLowerCase());
  if (scope === undefined) return err(unknownScope(word));
  if (rest === "") return ok({ scope });
  if (rest.toLowerCase() === "off") return ok({ scope, usd: null });
  const usd = dollarsIn(rest);
  if (usd === undefined) return err(`"${rest}" is no amount: ${WAYS}.`);
  return usd > 0 ? ok({ scope, usd }) : err(`A cap is more than nothing; /budget ${scope} off takes it away.`);
}

function unknownScope(word: string): string {
  if (dollarsIn(word) !== undefined)
    return `For what? There is a cap for each turn, for the session and for the day: ${WAYS}.`;
  const meant = nearest(word.toLowerCase(), CAP_SCOPES);
  return `There is no cap for "${word}"${meant === undefined ? "." : `; did you mean ${meant}?`} To set one, ${WAYS}.`;
}

/** `5`, `$5`, `0.50`, `.5`. */
function dollarsIn(text: string): number | undefined {
  return /^\$?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})$/.test(text) ? Number(text.replace("$", "")) : undefined;
}
