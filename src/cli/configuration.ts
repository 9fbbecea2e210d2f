/** The resolved configuration and the user's key, or a message that says what to repair. */
import { defaultModels } from "../anthropic/index.ts";
import {
  type ConfigLayer,
  credentialFile,
  type KhaelorConfig,
  loadConfig,
  problemLines,
  type ResolvedConfig,
  readCredential,
} from "../config/index.ts";
import { EXIT, UserError } from "../shared/index.ts";
import { refuseCertificatesOfProject } from "./certificates.ts";
import { isTyped } from "./config-rows.ts";
import type { Connection, EngineOptions } from "./engine.ts";

interface Configuration {
  readonly config: KhaelorConfig;
  readonly notices: readonly string[];
  /** Of the keys that stand for themselves those that the command line says, by whatever flag. */
  readonly typed: ConfigLayer;
  readonly origins: ResolvedConfig["origins"];
}

type Wanted = Pick<EngineOptions, "places" | "env" | "flags">;

export function loadFor({ places, env, flags }: Wanted, projectRoot: string): ReturnType<typeof loadConfig> {
  const { home, chosen } = places;
  const defaults = { model: defaultModels.model, auxModel: defaultModels.auxiliary };
  return loadConfig({ home, projectRoot, env, flags, defaults, ...(chosen && { chosen }) });
}

export async function configurationFor(wanted: Wanted, projectRoot: string): Promise<Configuration> {
  const loaded = await loadFor(wanted, projectRoot);
  if (!loaded.ok) {
    throw new UserError(
      `the configuration has to be repaired first:\n${problemLines(loaded.error).join("\n")}`,
      EXIT.usage,
    );
  }
  const { config, warnings, origins } = loaded.value;
  return { config, notices: problemLines(warnings), typed: typedOf(config, origins), origins };
}

const typedOf = (config: KhaelorConfig, origins: ResolvedConfig["origins"]): ConfigLayer =>
  Object.fromEntries(Object.entries(config).filter(([key]) => isTyped(origins[key])));

/** The user's own. Without a key nothing is begun: a session that cannot ask anything would only be in the way. */
export async function userConnection(
  { places, env }: Pick<EngineOptions, "places" | "env">,
  { baseUrl }: KhaelorConfig,
): Promise<Connection> {
  const found = await readCredential(places.home, env);
  if (!found.ok) throw new UserError(found.error, EXIT.auth);
  if (!found.value) {
    const ways = `run "khaelor login", which keeps it in ${credentialFile(places.home)}, or set ANTHROPIC_API_KEY`;
    throw new UserError(`no API key: ${ways}. "khaelor demo" needs none.`, EXIT.auth);
  }
  refuseCertificatesOfProject(env, places.cwd);
  const { kind, value } = found.value;
  return { auth: { kind, value }, ...(baseUrl !== undefined && { baseURL: baseUrl }) };
}
