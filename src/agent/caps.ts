/**
 * Caps on the money of a turn, a session and a day: what stands against the next request, and in which words. What was spent is
 * read from the folds, so a cap holds over restarts and in every front alike.
 */
import type { SessionState, UsageTotals } from "../session/index.ts";
import { moneyText, type Payload } from "../shared/index.ts";
import { certainCost, type PriceOf } from "./next-cost.ts";

export const CAP_SCOPES = ["turn", "session", "day"] as const;
export type CapScope = (typeof CAP_SCOPES)[number];

/** Each is asked anew before each request. Amounts are US dollars. */
export interface Caps {
  /** Undefined: as much as it takes. */
  readonly capOf: (scope: CapScope, state: SessionState) => number | undefined;
  /** On the user's present day, by all sessions, as far as it is known. */
  readonly spentToday: (state: SessionState) => number;
  readonly price: PriceOf;
  /** What had been used when the session was opened. */
  readonly before: UsageTotals;
  /** How the user goes on with another cap, as the end of a sentence; undefined: without any. */
  readonly wayOn: (scope: CapScope, usd: number | undefined) => string;
}

type Failure = Payload<"task.failed">;

/** US dollars, at least: cut streams count, and whatever has no known price does not. A fork's session begins with the fork. */
export function spentIn(scope: CapScope, state: SessionState, { spentToday }: Pick<Caps, "spentToday">): number {
  const { usage, meta } = state;
  if (scope === "turn") return usage.turnUsd;
  return scope === "session" ? usage.spentUsd - (meta.forkedFrom?.spentUsd ?? 0) : spentToday(state);
}

/** Answers and cut streams of which no price is known, so that a cap could not be kept. */
export const unpricedIn = (scope: CapScope, { usage, meta }: SessionState, { before }: Pick<Caps, "before">): number =>
  usage.unpriced - (scope === "session" ? (meta.forkedFrom?.unpriced ?? 0) : before.unpriced);

/** Why no further request may go out. */
export function overCap(
  state: SessionState,
  caps: Caps,
  scopes: readonly CapScope[] = CAP_SCOPES,
): Failure | undefined {
  for (const scope of scopes) {
    const usd = caps.capOf(scope, state);
    const why = usd === undefined ? undefined : stopped(scope, usd, { state, caps });
    if (why !== undefined) return { reason: "budget", detail: why };
  }
  return undefined;
}

interface Judged {
  readonly state: SessionState;
  readonly caps: Caps;
}

function stopped(scope: CapScope, usd: number, { state, caps }: Judged): string | undefined {
  if (unpricedIn(scope, state, caps) > 0) {
    return (
      `The cap of ${moneyText(usd)} for the ${scope} cannot be kept: an answer came from a model whose price is not known. ` +
      `Say it under "prices" in the configuration and go on with --resume, or ${caps.wayOn(scope, undefined)}.`
    );
  }
  const spent = spentIn(scope, state, caps);
  const certain = spent >= usd ? 0 : certainCost(state, caps.price);
  if (spent < usd && spent + certain <= usd) return undefined;
  const used = `${OF[scope]} has cost ${spent >= usd ? "at least " : ""}${moneyText(spent)} of ${moneyText(usd)}`;
  const next = spent >= usd ? "" : `, and the next request would cost at least ${moneyText(certain)}`;
  return `The cap for the ${scope} is used up: ${used}${next}. To go on, ${caps.wayOn(scope, higher(usd, spent + certain))}.`;
}

const OF: Readonly<Record<CapScope, string>> = {
  turn: "this turn",
  session: "this session",
  day: "this day",
};

/** Twice the cap, or where that is spent already twice as much as that; two digits of it. */
function higher(usd: number, needed: number): number {
  const wanted = 2 * Math.max(usd, needed > 2 * usd ? needed : 0);
  return Number(wanted.toPrecision(2));
}
