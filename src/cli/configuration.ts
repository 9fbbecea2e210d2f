/** The resolved configuration and the user's key, or a message that says what to repair. */
import { defaultModels } from "../anthropic/index.ts";
import { type KhaelorConfig, loadConfig, problemText, readCredential } from "../config/index.ts";
import { EXIT, UserError } from "../shared/index.ts";
import type { Connection, EngineOptions } from "./engine.ts";

export async function configurationFor(
  { places, env, flags }: Pick<EngineOptions, "places" | "env" | "flags">,
  projectRoot: string,
): Promise<{ readonly config: KhaelorConfig; readonly notices: readonly string[] }> {
  const { home, chosen } = places;
  const defaults = { model: defaultModels.model, auxModel: defaultModels.auxiliary };
  const loaded = await loadConfig({ home, projectRoot, env, flags, defaults, ...(chosen && { chosen }) });
  if (!loaded.ok) {
    throw new UserError(
      `the configuration has to be repaired first:\n${loaded.error.map(problemText).join("\n")}`,
      EXIT.usage,
    );
  }
  const { config, warnings } = loaded.value;
  return { config, notices: warnings.map(problemText) };
}

/** The user's own. Without a key nothing is begun: a session that cannot ask anything would only be in the way. */
export async function userConnection(
  { places, env }: Pick<EngineOptions, "places" | "env">,
  { baseUrl }: KhaelorConfig,
): Promise<Connection> {
  const found = await readCredential(places.home, env);
  if (!found.ok) throw new UserError(found.error, EXIT.auth);
  if (!found.value) {
    const ways = 'run "khaelor login", or set ANTHROPIC_API_KEY';
    throw new UserError(`no API key: ${ways}. "khaelor demo" needs none.`, EXIT.auth);
  }
  const { kind, value } = found.value;
  return { auth: { kind, value }, ...(baseUrl !== undefined && { baseURL: baseUrl }) };
}
