/** Loads the configuration from every source, or says everything that must be repaired first. */

import { join } from "node:path";
import { err, ok, type Result } from "../shared/index.ts";
import { isBlank } from "./edit.ts";
import { type GrantFile, grantFile, parseGrants, projectGrantFile } from "./grant-file.ts";
import {
  type CheckedLayer,
  checkFile,
  fileLayer,
  type NamedLayer,
  SETTINGS_FLAG,
  unreadable,
  wordLayer,
} from "./layer.ts";
import { MAX_CONFIG_BYTES, readRegularFile } from "./loader.ts";
import { mergeConfig } from "./merge.ts";
import { parseJson } from "./parse.ts";
import { profileLayers, strangeProfile } from "./profiles.ts";
import { leftOut, protective } from "./safe-mode.ts";
import type { ChosenSettings, ConfigLayer, ConfigProblem, ResolvedConfig } from "./types.ts";
import { assignmentLayer, type Environment, environmentLayer, flagLayer, strangeVariables } from "./words.ts";

export interface LoadOptions {
  /** khaelor's own folder, usually `~/.khaelor`. */
  readonly home: string;
  readonly projectRoot: string;
  readonly env: Environment;
  /** What the flags said that stand for a key each; checked like a file. */
  readonly flags: ConfigLayer;
  readonly chosen?: ChosenSettings;
  /** What the program ships with. */
  readonly defaults: { readonly model: string; readonly auxModel: string };
}

export const userConfigFile = (home: string): string => join(home, "config.json");

/** Below the project's root. */
export const PROJECT_CONFIG = join(".khaelor", "config.json");

/**
 * The configuration, or every problem that must be repaired first: a file that cannot be understood may hold a deny rule, so
 * it is never left out in silence. Missing files are fine.
 */
export async function loadConfig(options: LoadOptions): Promise<Result<ResolvedConfig, readonly ConfigProblem[]>> {
  const { env, flags, chosen = {}, defaults } = options;
  const read = await readAll(options);
  const found = chosen.isSafe ? inSafeMode(read) : read;
  const typed = [...(chosen.assignments ?? []).map(assignmentLayer), flagLayer(flags)];
  const environment = environmentLayer(env);
  const own = [found.user, found.settings, environment, ...typed].filter((layer) => layer !== undefined);
  const problems = [
    ...contradictions(chosen),
    ...own.flatMap((layer) => [...layer.problems, ...layer.unknown]),
    ...(found.project?.problems ?? []),
    ...found.userGrants.problems,
    ...found.projectGrants.problems,
  ];
  const holders = [found.user, found.settings, ...typed].filter((layer) => layer !== undefined);
  const stranger = problems.length === 0 ? strangeProfile(chosen.profile, holders) : undefined;
  if (problems.length > 0 || stranger) return err(stranger ? [stranger] : problems);
  const withProfile = (layer: CheckedLayer) => profileLayers(chosen.profile, layer);
  const merged = mergeConfig({
    own: [
      wordLayer("environment", environment),
      ...(found.user ? [fileLayer("user", found.user), ...withProfile(found.user)] : []),
      grantLayer(found.userGrants),
    ],
    ...(found.project && { project: found.project }),
    projectTrusted: found.projectGrants.trusted,
    projectGrants: grantLayer(found.projectGrants),
    typed: [
      ...(found.settings ? [fileLayer("settings", found.settings), ...withProfile(found.settings)] : []),
      ...typed.flatMap((layer) => [wordLayer("flag", layer), ...withProfile(layer)]),
    ],
    defaults,
  });
  const strange = [...(found.project?.unknown ?? []), ...strangeVariables(env, merged.config.passEnv)];
  return ok({ ...merged, warnings: [...(found.warnings ?? []), ...strange, ...merged.warnings], files: read.files });
}

interface Found {
  readonly user: CheckedLayer | undefined;
  readonly project: CheckedLayer | undefined;
  readonly settings: CheckedLayer | undefined;
  readonly userGrants: OwnedGrants;
  readonly projectGrants: OwnedGrants;
  readonly files: readonly string[];
  /** Of what was left out. */
  readonly warnings?: readonly ConfigProblem[];
}

type OwnedGrants = GrantFile & { readonly path: string };

async function readAll({ home, projectRoot, chosen = {} }: LoadOptions): Promise<Found> {
  const [user, project, settings, userGrants, projectGrants] = await Promise.all([
    readConfigFile(userConfigFile(home)),
    readConfigFile(join(projectRoot, PROJECT_CONFIG)),
    chosen.file === undefined || chosen.isSafe ? undefined : readSettings(chosen.file),
    ownedGrants(grantFile(home)),
    ownedGrants(projectGrantFile(home, projectRoot), projectRoot),
  ]);
  // A project that is the user's home folder: its file is the user's own.
  const foreign = project?.realPath === user?.realPath ? undefined : project;
  const files = [user, foreign, settings].flatMap((one) => (one ? [one.path] : []));
  return { user: user?.layer, project: foreign?.layer, settings: settings?.layer, userGrants, projectGrants, files };
}

function inSafeMode(found: Found): Found {
  const { user, project, userGrants, projectGrants } = found;
  return {
    ...found,
    user: user && protective(user, ["permissions", "limits", "baseUrl"]),
    project: project && protective(project, ["permissions", "limits"]),
    userGrants: withoutAllowing(userGrants),
    projectGrants: withoutAllowing(projectGrants),
    warnings: leftOut([user, project, userGrants, projectGrants].flatMap((one) => one?.problems ?? [])),
  };
}

const withoutAllowing = (grants: OwnedGrants): OwnedGrants => ({
  ...grants,
  rules: grants.rules.filter(({ action }) => action !== "allow"),
  trusted: false,
  problems: [],
});

function contradictions({ isSafe, profile, file }: ChosenSettings): readonly ConfigProblem[] {
  if (!isSafe) return [];
  const typed = [...(profile !== undefined ? ["--profile"] : []), ...(file !== undefined ? ["--settings"] : [])];
  return typed.map((flag) => ({ file: flag, key: "", expected: "to stand without --safe-mode", got: "both" }));
}

interface ReadLayer {
  readonly path: string;
  readonly layer: CheckedLayer;
  readonly realPath: string;
}

/** `shown` is how messages call the file. Undefined when there is none. */
async function readConfigFile(path: string, shown = path): Promise<ReadLayer | undefined> {
  const file = await readRegularFile(path, MAX_CONFIG_BYTES);
  const failed = (expected: string, got: string, line?: number): CheckedLayer =>
    unreadable({ file: shown, ...(line !== undefined && { line }), key: "", expected, got });
  if (!file.ok) return { path, layer: failed("a readable file", file.error), realPath: path };
  if (file.value === undefined) return undefined;
  const { text, isUtf8, realPath, sizeBytes } = file.value;
  if (sizeBytes > MAX_CONFIG_BYTES) return { path, layer: failed("at most 1 MiB", `${sizeBytes} bytes`), realPath };
  if (!isUtf8) return { path, layer: failed("text in UTF-8", "other bytes"), realPath };
  const parsed = parseJson(isBlank(text) ? "{}" : text);
  if (parsed.ok) return { path, layer: checkFile(shown, parsed.value), realPath };
  const { line, expected, got } = parsed.error;
  return { path, layer: failed(expected, got, line), realPath };
}

async function readSettings(path: string): Promise<ReadLayer> {
  const shown = `${SETTINGS_FLAG}${path}`;
  const missing = unreadable({ file: shown, key: "", expected: "a file", got: "nothing there" });
  return (await readConfigFile(path, shown)) ?? { path, layer: missing, realPath: path };
}

async function ownedGrants(path: string, project?: string): Promise<OwnedGrants> {
  return { ...(await readGrants(path, project)), path };
}

/** Exported for `persistPermissionGrant`, which reads before it writes. */
export async function readGrants(path: string, project?: string): Promise<GrantFile> {
  const file = await readRegularFile(path, MAX_CONFIG_BYTES);
  const isText = file.ok && file.value?.isUtf8 !== false;
  if (isText) return parseGrants(path, file.value?.text, project);
  const [expected, got] = file.ok ? ["text in UTF-8", "other bytes"] : ["a readable file", file.error];
  const problem = { file: path, key: "", expected, got };
  return { rules: [], trusted: false, problems: [problem] };
}

const grantLayer = ({ path, rules }: OwnedGrants): NamedLayer => ({
  source: "grant",
  values: rules.length > 0 ? { permissions: [...rules] } : {},
  originOf: () => ({ source: "grant", file: path }),
});
