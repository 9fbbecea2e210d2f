/**
 * The caps that hold for a session: what was chosen in it, and that is recorded there, else what the configuration says. What is
 * typed at a start is recorded too, and so it holds at the next one.
 */
import { CAP_SCOPES, type CapScope, type Caps } from "../agent/index.ts";
import type { ConfigOrigin, KhaelorConfig, ResolvedConfig } from "../config/index.ts";
import type { Price, SessionHandle } from "../session/index.ts";
import { moneyText, type NewId, NO_USAGE, type Payload } from "../shared/index.ts";
import { isTyped } from "./config-rows.ts";

type Chosen = NonNullable<Payload<"permission.granted">["budget"]>;
type Limits = KhaelorConfig["limits"];
type Origins = ResolvedConfig["origins"];

const KEYS = {
  turn: { limit: "maxTurnUsd", chosen: "turnUsd" },
  session: { limit: "maxSessionUsd", chosen: "sessionUsd" },
  day: { limit: "maxDayUsd", chosen: "dayUsd" },
} as const satisfies Readonly<Record<CapScope, { limit: keyof Limits; chosen: keyof Chosen }>>;

/** US dollars; undefined: no cap. That there is to be none can be chosen too. */
export function capOf(scope: CapScope, limits: Limits, chosen: Chosen = {}): number | undefined {
  const { limit, chosen: key } = KEYS[scope];
  const said = chosen[key];
  return said === undefined ? limits[limit] : (said ?? undefined);
}

export const choice = (scope: CapScope, usd: number | null): Chosen => ({ [KEYS[scope].chosen]: usd });
const configKey = (scope: CapScope): string => `limits.${KEYS[scope].limit}`;

/** What the command line says of caps, by whatever flag. */
export const typedCaps = (limits: Limits, origins: Origins): Chosen =>
  Object.fromEntries(
    CAP_SCOPES.flatMap((scope) => {
      const usd = limits[KEYS[scope].limit];
      return usd !== undefined && isTyped(origins[configKey(scope)]) ? [[KEYS[scope].chosen, usd]] : [];
    }),
  );

/** For the rest of the session. Throws StoreError. */
export function recordCaps(session: SessionHandle, budget: Chosen, newId: NewId): void {
  const before = session.state().grants.budget ?? {};
  const news = Object.entries(budget).filter(([key, usd]) => before[key as keyof Chosen] !== usd); // as: its own keys
  if (news.length === 0) return;
  const payload = { permissionRequestId: newId(), scope: "session", budget: Object.fromEntries(news) } as const;
  session.publish({ type: "permission.granted", payload });
}

/** Where the cap in force was said, in a few words. */
export function capSource(
  scope: CapScope,
  { limits, origins }: { readonly limits: Limits; readonly origins: Origins },
  chosen: Chosen = {},
): ConfigOrigin | "session" | undefined {
  const origin = origins[configKey(scope)];
  const said = chosen[KEYS[scope].chosen];
  if (said === undefined) return origin;
  return isTyped(origin) && said === limits[KEYS[scope].limit] ? origin : "session";
}

/** In words, why a model cannot be used while these caps stand; undefined: it can. */
export function unpricedModel(
  models: readonly string[],
  { maxBudgetUsd, ...limits }: Limits,
  { chosen, price }: { readonly chosen: Chosen | undefined; readonly price: Price },
): string | undefined {
  const capped = CAP_SCOPES.find((scope) => capOf(scope, limits, chosen) !== undefined);
  const usd = maxBudgetUsd ?? (capped && capOf(capped, limits, chosen));
  if (usd === undefined) return undefined;
  const unknown = models.find((id) => price(id, NO_USAGE) === null);
  if (unknown === undefined) return undefined;
  const budget =
    maxBudgetUsd === undefined ? `the cap of ${moneyText(usd)} for the ${capped}` : `a budget of $${maxBudgetUsd}`;
  return `${budget} cannot be kept: the price of ${unknown} is not known`;
}

interface Front {
  readonly sessionId: string;
  /** Somebody is there who can type a command. */
  readonly isTerminal: boolean;
  /** The session is gone when the run is over. */
  readonly isThrownAway: boolean;
}

/** How to go on at a cap, for the front at hand. */
export const waysOn =
  ({ sessionId, isTerminal, isThrownAway }: Front): Caps["wayOn"] =>
  (scope, usd) => {
    if (usd === undefined) return `take the cap away: /budget ${scope} off`;
    const more = `--config ${configKey(scope)}=${usd}`;
    const again = isThrownAway ? `run it again with ${more}` : `run khaelor -p --resume ${sessionId} ${more}`;
    const way = isTerminal ? `say /budget ${scope} ${usd}` : again;
    return scope === "day" ? `${way}, or wait until tomorrow` : way;
  };

/** Models that may be asked in a session. */
export const modelsOf = ({ auxModel, fallbackModel }: KhaelorConfig, model: string): readonly string[] =>
  [model, auxModel, fallbackModel].filter((id) => id !== undefined);
