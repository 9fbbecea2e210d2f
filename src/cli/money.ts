/** The money of one engine: the caps that hold for its session, what was spent of them, and when others' spending is looked at. */
import type { Caps, ToolRuntime } from "../agent/index.ts";
import type { Price, SessionHandle, SessionStore } from "../session/index.ts";
import { type BudgetControl, createBudgetControl } from "./budget-control.ts";
import { capOf, recordCaps, typedCaps, waysOn } from "./caps.ts";
import { createDaySpend, localDayStart } from "./day-spend.ts";
import type { EngineOptions } from "./engine.ts";
import type { Ground } from "./services.ts";
import { openStore } from "./state.ts";

export interface Money {
  readonly price: Price;
  readonly caps: Caps;
  /** To be awaited before a turn's first request; undefined when there is nothing to wait for. */
  readonly beforeTurn: () => Promise<void> | undefined;
  /** The same tools; what others have spent meanwhile is known when a batch is done. */
  readonly watched: (tools: ToolRuntime) => ToolRuntime;
  readonly control: (parts: Pick<Parameters<typeof createBudgetControl>[0], "agent" | "policy">) => BudgetControl;
}

/** What was typed of caps is recorded with this call. */
export async function moneyFor(ground: Ground, session: SessionHandle): Promise<Money> {
  const { options, config, origins, newId, price, logger } = ground;
  recordCaps(session, typedCaps(config.limits, origins), newId);
  const day = createDaySpend({
    store: commonStore(options, ground.store),
    sessionId: session.id,
    now: ground.clock.now,
    dayStart: localDayStart,
    logger,
  });
  const caps: Caps = {
    capOf: (scope, { grants }) => capOf(scope, config.limits, grants.budget),
    spentToday: ({ usage }) => day.total(usage),
    price,
    before: session.state().usage,
    wayOn: waysOn({
      sessionId: session.id,
      isTerminal: options.hasNoDeadline ?? false,
      isThrownAway: options.places.sessionHome !== undefined,
    }),
  };
  const isDayCapped = () => caps.capOf("day", session.state()) !== undefined;
  if (isDayCapped()) await day.look(); // a resume asks at once
  return {
    price,
    caps,
    beforeTurn() {
      // Where a question is open, calls come first, and what others have spent is looked at behind them.
      const hasQuestion = session.state().turn.permissions.length > 0;
      return isDayCapped() && !hasQuestion ? day.look() : undefined;
    },
    watched: (tools) => ({
      ...tools,
      async executeBatch(signal) {
        await tools.executeBatch(signal);
        if (isDayCapped()) await day.lookIfOld();
      },
    }),
    control: (parts) => createBudgetControl({ ...parts, session, caps, day, config, origins, newId }),
  };
}

/** A run whose session is thrown away still counts what the others spent. `own` is the store of the session itself. */
export function commonStore({ places, log }: Pick<EngineOptions, "places" | "log">, own: SessionStore): SessionStore {
  const { sessionHome, ...common } = places;
  return sessionHome === undefined ? own : openStore(common, log).store;
}
