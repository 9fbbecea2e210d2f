/**
 * Another model or effort for a session that is open. It is a fact of the log; the next request reads it there. Only between
 * turns: a switch takes the earlier thinking out of the conversation, and that of an open loop has to stay.
 */
import { loopClosed } from "../agent/index.ts";
import { isLoopOpen, type SessionHandle, type SessionState } from "../session/index.ts";
import { err, NO_USAGE, nearest, ok, type Payload, type Result } from "../shared/index.ts";
import { unpricedModel } from "./caps.ts";
import type { Engine } from "./engine.ts";
import { contextTokens } from "./terminal/session-facts.ts";

export interface ModelWish {
  readonly model?: string;
  /** One of the model's own levels, or AUTO. */
  readonly effort?: string;
}

/** No level: the model takes its own. The fold of the turn's state knows the word. */
export const AUTO = "auto";

type Changed = Payload<"session.model-changed">;
type Known = Pick<Engine, "session" | "agent" | "models" | "config">;

/** What is recorded, or in words why nothing is changed. Undefined: it is so already. */
export function switchModel(engine: Known, wish: ModelWish): Result<Changed | undefined, string> {
  const planned = plannedSwitch(engine, wish);
  if (planned.ok && planned.value) publishSwitch(engine.session, planned.value);
  return planned;
}

/** What a model has left half-done because its window is full is handed to the next one as plain text. */
export function publishSwitch(session: SessionHandle, payload: Changed): void {
  for (const input of loopClosed(session.state())) session.publish(input);
  session.publish({ type: "session.model-changed", payload });
}

/** Whether no switch can be made now: the loop of a turn goes on with the model that began it, unless its window is full. */
export const isHeldByLoop = ({ turn, conversation }: SessionState, to: string): boolean =>
  isLoopOpen(conversation) && !(turn.tooLarge && to !== turn.model);

/** The same, and nothing is recorded yet. */
export function plannedSwitch(engine: Known, wish: ModelWish): Result<Changed | undefined, string> {
  const { session, agent } = engine;
  const state = session.state();
  const { turn } = state;
  const { model: to = turn.model, effort } = wish;
  const isSameEffort = effort === undefined || effort === (turn.effort ?? AUTO);
  if (to === turn.model && isSameEffort) return ok(undefined);
  const isAtWork = turn.request !== undefined || agent.isCompacting() || (agent.isBusy() && turn.phase === "open");
  if (isAtWork || isHeldByLoop(state, to)) return err(BUSY);
  const problem = refused(engine, to, effort);
  if (problem !== undefined) return err(problem);
  const payload: Changed = { from: turn.model, to, reason: "user", ...(effort !== undefined && { effort }) };
  return ok(payload);
}

const BUSY =
  "The model cannot change in the middle of its work, for what it thought belongs to it. Stop the turn, or wait until it has answered.";

/** An id that nobody knows may be a new model's or a gateway's: it is only refused when it looks like a slip. */
function refused({ session, models, config }: Known, to: string, effort: string | undefined): string | undefined {
  if (!/^[\w.:@/-]{1,200}$/.test(to)) return `"${to}" is no id of a model.`;
  const meant = models.known.includes(to) ? undefined : nearest(to, models.known);
  if (meant !== undefined) return `There is no model ${to}; did you mean ${meant}?`;
  const { efforts } = models.facts(to);
  if (effort !== undefined && efforts.length > 0 && ![AUTO, ...efforts].includes(effort)) {
    return `${to} has no effort "${effort}"; it has ${efforts.join(", ")}, and ${AUTO}.`;
  }
  if (effort !== undefined && efforts.length === 0) return `${to} has no levels of effort.`;
  const { budget: chosen } = session.state().grants;
  const unknown = unpricedModel([to], config.limits, { chosen, price: models.price });
  return unknown && `${unknown.charAt(0).toUpperCase()}${unknown.slice(1)}.`;
}

/** What the conversation so far is, and what sending it anew costs; each undefined where it is not known. */
export interface Reread {
  readonly tokens: number | undefined;
  /** US dollars. */
  readonly usd: number | undefined;
}

/** Another model reads nothing from the cache: all of the last prompt is written to it once more. */
export function rereadBy({ models }: Pick<Engine, "models">, state: SessionState, model: string): Reread {
  const tokens = contextTokens(state);
  if (tokens === undefined) return { tokens, usd: undefined };
  return { tokens, usd: models.price(model, { ...NO_USAGE, cacheWriteTokens: tokens }) ?? undefined };
}
