/** What everything that happens by chance has in common: one session, one agent, one pair of dice. */
import type { Agent } from "../../../src/agent/index.ts";
import type { ModelRequest } from "../../../src/anthropic/index.ts";
import type { Mention } from "../../../src/shared/index.ts";
import type { Dice } from "./dice.ts";
import type { MemoryLog, MemorySession } from "./memory-session.ts";

export interface World {
  readonly dice: Dice;
  readonly log: MemoryLog;
  /** The requests that went out, in their order. */
  readonly sent: Sent[];
  readonly wishes: Wishes;
  /** Of the process that runs now. */
  session: MemorySession;
  agent: Agent;
  /** A number that was not used before. */
  count(): number;
}

export interface Sent {
  /** Of its `model.request-started`. */
  readonly seq: number;
  readonly request: ModelRequest;
}

/** What the policy is asked for and the dice have decided beforehand, so that asking twice changes nothing. */
interface Wishes {
  prune: boolean;
  compactions: number;
}

/** The server refused a request: the story ends where a session would be dead. */
export class Refused extends Error {}

export const said = ({ dice, count }: World): string =>
  `said ${count()}${dice.pick(["", "\n\n", " 👩‍👩‍👧", "\udc4d", "\u0000", '"\\', "\u2029x"])}`;

/** Mostly nothing. */
export function mentioned({ dice, count }: World): readonly Mention[] {
  const one = (): Mention => ({ path: `m${count()}`, ...(dice.chance(0.3) && { range: { start: 1, end: 2 } }) });
  return dice.pick([[], [], [], [], [one()], [one(), one()]]);
}

export function steer(world: World): void {
  const { agent, dice, session } = world;
  const deliver = dice.pick<"now" | "next-turn">(["now", "now", "next-turn"]);
  agent.dispatch({ kind: "steer", text: said(world), deliver, mentions: mentioned(world) });
  const [oldest, , third] = session.handle.state().turn.queued;
  if (oldest && third) agent.dispatch({ kind: "withdraw", queuedEventId: oldest.eventId });
}

/** The user stops the turn; who stops one often means to leave, and the process ends before anything else is written. */
export function interrupt({ agent, session, dice }: World): void {
  agent.dispatch({ kind: "interrupt" });
  if (dice.chance(0.12)) session.dieAfter(0);
}

/** Small things that may happen at any moment and that no fold may stumble over. */
export function noise(world: World): void {
  const { dice, session, agent } = world;
  const kind = dice.weighted({ nothing: 60, unknown: 3, doubled: 3, renamed: 1, steer: agent.isBusy() ? 2 : 0 });
  if (kind === "unknown") session.writeUnknown();
  if (kind === "doubled") endAgain(world);
  if (kind === "renamed") session.handle.publish({ type: "session.renamed", payload: { title: said(world) } });
  if (kind === "steer") steer(world);
}

/** A second terminal event for a call that has one: the first counts. */
function endAgain({ dice, log, session }: World): void {
  const toolUseId = dice.some([...log.ended]);
  if (toolUseId === undefined) return;
  session.handle.publish({
    type: "tool.failed",
    payload: { toolUseId, modelText: "too late", errorKind: "internal", durationMs: 0 },
  });
}
