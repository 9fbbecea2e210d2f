/** Finished sessions in the state folder of a stage, written by the store itself, for commands that read them. */
import { createSessionStore, projectHash, type SessionStore } from "../../src/session/index.ts";
import { idSource, type Payload, silentLogger } from "../../src/shared/index.ts";
import { openStage, type Stage } from "./stage.ts";

/** Each moment is later than the one before it, so that the order of sessions is known. */
let now = 1_765_500_000_000;

/** From here on sessions are written today. */
export function today(): void {
  now = Date.now();
}

export const storeIn = ({ state }: Pick<Stage, "state">): SessionStore =>
  createSessionStore({
    home: state,
    now: () => now++,
    newId: idSource(() => now++),
    price: () => 0,
    logger: silentLogger,
  });

export const startedIn = (project: string): Payload<"session.started"> => ({
  title: "",
  projectHash: projectHash(project),
  workingDirectory: project,
  gitBranch: null,
  model: "claude-opus-5-5",
  auxModel: "claude-haiku-5-5",
  khaelorVersion: "0",
});

/** A finished session in which these words were said, a message each. */
export async function session(where: Pick<Stage, "state" | "project">, ...said: readonly string[]): Promise<string> {
  const made = await storeIn(where).create(startedIn(where.project));
  for (const text of said) made.publish({ type: "user.message-created", payload: { text, mentions: [] } });
  await made.close();
  return made.id;
}

/** A stage that nobody else uses, for the time of `work`. */
export async function own(work: (stage: Stage) => Promise<void>): Promise<void> {
  const alone = await openStage();
  try {
    await work(alone);
  } finally {
    alone.close();
  }
}
