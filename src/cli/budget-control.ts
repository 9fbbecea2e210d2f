/** The caps of one session as its user sees and changes them. Each change is recorded before it counts. */
import {
  type Agent,
  CAP_SCOPES,
  type CapScope,
  type Caps,
  overCap,
  spentIn,
  type TurnPolicy,
  unpricedIn,
} from "../agent/index.ts";
import type { ConfigOrigin, KhaelorConfig, ResolvedConfig } from "../config/index.ts";
import type { SessionHandle } from "../session/index.ts";
import { err, moneyText, type NewId, ok, type Result } from "../shared/index.ts";
import { capSource, choice, modelsOf, recordCaps, unpricedModel } from "./caps.ts";
import { originText } from "./config-rows.ts";
import type { DaySpend } from "./day-spend.ts";

export interface CapReport {
  readonly scope: CapScope;
  /** US dollars. */
  readonly spentUsd: number;
  /** Something has no known price, or was not read: more than that may have been spent. */
  readonly isAtLeast: boolean;
  /** Of the day: so many of its sessions could not be read whole, and what they cost is not all in it. */
  readonly unread?: number;
  /** US dollars; undefined: no cap. */
  readonly capUsd: number | undefined;
  /** Who said so, in a few words; empty when nobody did. */
  readonly saidBy: string;
}

export interface CapChange {
  /** So much is spent already that the next request will be stopped. US dollars. */
  readonly usedUp: number | undefined;
  /** The turn had been stopped by a cap, and no limit stands against it any more: `agent.resume()` goes on with it. */
  readonly mayGoOn: boolean;
}

export interface BudgetControl {
  /** Looks at the other sessions of the day. */
  report(): Promise<readonly CapReport[]>;
  /** US dollars; null takes the cap away. In words why not. Throws StoreError. */
  set(scope: CapScope, usd: number | null): Promise<Result<CapChange, string>>;
}

interface BudgetParts {
  readonly session: SessionHandle;
  readonly caps: Caps;
  readonly day: DaySpend;
  readonly agent: Pick<Agent, "isBusy">;
  readonly policy: Pick<TurnPolicy, "exceeded">;
  readonly config: KhaelorConfig;
  readonly origins: ResolvedConfig["origins"];
  readonly newId: NewId;
}

export function createBudgetControl(parts: BudgetParts): BudgetControl {
  const { session, caps, day, agent, policy, config, origins, newId } = parts;

  function reportOf(scope: CapScope): CapReport {
    const state = session.state();
    const source = capSource(scope, { limits: config.limits, origins }, state.grants.budget);
    const unread = scope === "day" ? day.unread() : 0;
    return {
      scope,
      spentUsd: spentIn(scope, state, caps),
      isAtLeast: unread > 0 || unpricedIn(scope, state, caps) > 0,
      ...(scope === "day" && { unread }),
      capUsd: caps.capOf(scope, state),
      saidBy: source === "session" ? "this session" : source ? saidIn(source) : "",
    };
  }

  return {
    async report() {
      await day.look();
      return CAP_SCOPES.map(reportOf);
    },
    async set(scope, usd) {
      const problem = usd === null ? undefined : unkeepable(scope, usd, parts);
      if (problem !== undefined) return err(problem);
      if (scope === "day") await day.look();
      const before = session.state();
      const stopped =
        before.turn.limited && before.turn.phase === "idle" && !agent.isBusy() && overCap(before, caps) !== undefined;
      recordCaps(session, choice(scope, usd), newId);
      const state = session.state();
      const spent = spentIn(scope, state, caps);
      return ok({
        usedUp: usd !== null && spent >= usd ? spent : undefined,
        mayGoOn: stopped === true && policy.exceeded(state) === undefined,
      });
    },
  };
}

const saidIn = (origin: ConfigOrigin): string =>
  origin.source === "flag" ? (origin.name ?? "command line") : originText(origin);

function unkeepable(scope: CapScope, usd: number, { session, caps, config }: BudgetParts): string | undefined {
  const state = session.state();
  const models = modelsOf(config, state.turn.model);
  const unknown = unpricedModel(models, config.limits, { chosen: choice(scope, usd), price: caps.price });
  if (unknown !== undefined) return `${unknown}. ${PRICES}`;
  return unpricedIn(scope, state, caps) === 0
    ? undefined
    : `the cap of ${moneyText(usd)} for the ${scope} cannot be kept: an answer came from a model whose price is not known. ${PRICES}`;
}

const PRICES = 'Say it under "prices" in the configuration, and open the session again.';
