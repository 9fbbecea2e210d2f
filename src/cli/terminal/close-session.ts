/** The end of a session on the terminal: its turn stopped, everything released, and nothing left of one in which nothing was said. */
import { existsSync } from "node:fs";
import { removeUnnamed, type SessionState } from "../../session/index.ts";
import type { Engine } from "../engine.ts";
import type { Places } from "../settings.ts";
import type { HeldSession } from "./open-session.ts";
import { isUnsaid } from "./unsaid.ts";

interface Closing {
  readonly engine: Engine;
  readonly session: HeldSession;
  readonly isNew: boolean;
}

/**
 * Returns how to go on with it, in a line; undefined when there is nothing to go on with. Rejects when the log could not be
 * closed properly, unless the interface knows already that the engine died.
 */
export async function closeSession({ engine, session, isNew }: Closing, places: Places): Promise<string | undefined> {
  session.dispatch({ kind: "quit" });
  await engine.agent.settled().catch(() => undefined); // `died` has told
  session.release();
  const state = engine.session.state();
  await engine.close().catch((error: unknown) => {
    if (!session.isDead()) throw error;
  });
  const isThrownAway = places.sessionHome !== undefined;
  if (isUnsaid(state)) {
    if (isNew && !isThrownAway && !session.isDead()) await removeUnnamed(engine.session.path);
    return undefined;
  }
  const isGone = isThrownAway || !existsSync(engine.session.path); // such as with a state folder that was removed
  return isGone ? undefined : farewell(engine.session.id, state);
}

const OUTCOMES: Readonly<Record<string, string>> = {
  completed: "the last turn was finished",
  failed: "the last turn failed",
  interrupted: "the last turn was stopped",
};

/** How the newest turn ended is said only where there was one. */
function farewell(id: string, { meta }: SessionState): string {
  const open = meta.pendingApprovals > 0 ? "a question waits for you" : OUTCOMES[meta.lastOutcome];
  return `khaelor --resume ${id}${open === undefined ? "" : `   (${open})`}`;
}
