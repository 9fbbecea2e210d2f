/** Where the drafts of a run lie, and which keys must not be in them. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readCredential } from "../../config/index.ts";
import { projectHash, storePaths } from "../../session/index.ts";
import { projectRootOf } from "../project-root.ts";
import type { DraftPlace } from "./drafts.ts";
import type { Surroundings } from "./surroundings.ts";

export async function draftPlace({ places, env }: Pick<Surroundings, "places" | "env">): Promise<DraftPlace> {
  const { home, cwd, sessionHome } = places;
  if (sessionHome !== undefined && sessionHome !== home) return { folder: undefined, secrets: [] };
  const [root, credential] = await Promise.all([projectRootOf(cwd, env), readCredential(home, env)]);
  const kept = credential.ok ? credential.value?.value : undefined;
  const secrets = [kept, env.ANTHROPIC_API_KEY, env.ANTHROPIC_AUTH_TOKEN].filter((secret) => secret !== undefined);
  const project = projectHash(root);
  const { sessions, log } = storePaths(home);
  /** Also of another project's session: by its id it is opened from anywhere. */
  const hasLog = (id: string) =>
    existsSync(log(project, id)) || names(sessions).some((one) => existsSync(log(one, id)));
  return { folder: join(home, "drafts", project), hasLog, secrets: [...new Set(secrets)] };
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there is no session yet
  }
}
