/** `khaelor config list|get|set|path`: what is configured and where it was said, and changes to the user's own file. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type ConfigProblem,
  credentialFile,
  findKey,
  grantFile,
  PROJECT_CONFIG,
  problemText,
  projectGrantFile,
  type ResolvedConfig,
  setConfigValue,
  strangeKey,
  userConfigFile,
} from "../../config/index.ts";
import { EXIT, type ExitCode, nearest, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { type ConfigRow, configRows, originText, rowJson, valueAt } from "../config-rows.ts";
import { loadFor } from "../configuration.ts";
import type { Output } from "../output.ts";
import { projectRootOf } from "../project-root.ts";
import { flagLayer, type Places, placesOf } from "../settings.ts";
import { CONFIG_VERBS } from "../subcommands.ts";
import { plainWord } from "../words.ts";

export async function config(typed: Arguments, output: Output): Promise<ExitCode> {
  const [verb = "list", ...operands] = typed.operands;
  const places = placesOf(typed, process.env);
  switch (CONFIG_VERBS.find((known) => known === verb)) {
    case "list":
      return list(await loaded(typed, places, output), typed, output);
    case "get":
      return get(operands, typed, { places, output });
    case "set":
      return set(operands, typed, { places, output });
    case "path":
      return path(typed, places, output);
    default: {
      const guess = nearest(verb, CONFIG_VERBS);
      throw new UserError(`unknown: config ${verb}${guess ? `; did you mean ${guess}?` : ""}`, EXIT.usage);
    }
  }
}

interface Surroundings {
  readonly places: Places;
  readonly output: Output;
}

const rootOf = ({ cwd }: Places): Promise<string> => projectRootOf(cwd, process.env);

/** With everything that was left out said on stderr. Throws UserError, with full explanations, when nothing can be loaded. */
async function loaded(typed: Arguments, places: Places, output: Output): Promise<ResolvedConfig> {
  const options = { places, env: process.env, flags: flagLayer(typed) };
  const found = await loadFor(options, await rootOf(places));
  if (!found.ok) throw new UserError(await explained(found.error), EXIT.usage);
  for (const warning of found.value.warnings) output.err(`khaelor: ${problemText(warning)}\n`);
  return found.value;
}

async function explained(problems: readonly ConfigProblem[]): Promise<string> {
  const lines: string[] = [];
  for (const problem of problems.slice(0, MAX_EXPLAINED)) {
    const more = await problem.explain?.();
    lines.push(problemText(problem), ...(more ? [`    ${more.replaceAll("\n", "\n    ")}`] : []));
  }
  const left = problems.length - MAX_EXPLAINED;
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join("\n");
}

const MAX_EXPLAINED = 40;

function list(resolved: ResolvedConfig, { json }: Arguments, output: Output): ExitCode {
  const rows = configRows(resolved);
  const width = Math.max(...rows.map(({ key }) => key.length));
  for (const row of rows) {
    if (json) output.out(`${rowJson(row)}\n`);
    else output.show(`${plainWord(row.key).padEnd(width)}  ${valueText(row)}  (${originText(row.origin)})\n`);
  }
  return EXIT.done;
}

const valueText = ({ value }: ConfigRow): string => (value === undefined ? "not set" : plainWord(shown(value)));

/** A word stands as it is, everything else as JSON. */
const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

async function get([key, ...rest]: readonly string[], typed: Arguments, { places, output }: Surroundings) {
  if (key === undefined || rest.length > 0) throw new UserError("Which key? khaelor config get KEY", EXIT.usage);
  const found = findKey(key);
  if (!found) throw new UserError(problemText({ file: "config get", key, ...strangeKey(key) }), EXIT.usage);
  const resolved = await loaded(typed, places, output);
  const value = valueAt(resolved.config, found.path);
  if (typed.json) output.out(`${JSON.stringify({ key, value: value ?? null, ...sources(resolved, found.path) })}\n`);
  else if (value !== undefined) output.show(`${shown(value)}\n`);
  else output.err(`khaelor: ${key} is not set\n`);
  return EXIT.done;
}

/** Of the key itself, or of that which holds it; else of each that it holds. */
function sources({ origins }: ResolvedConfig, path: readonly string[]): object {
  const own = origins[path.join(".")] ?? origins[path.slice(0, 2).join(".")];
  if (own) return own;
  const inner = Object.entries(origins).filter(([key]) => key.startsWith(`${path.join(".")}.`));
  return inner.length > 0 ? { sources: Object.fromEntries(inner) } : { source: "default" };
}

async function set([key, value, ...rest]: readonly string[], typed: Arguments, { places, output }: Surroundings) {
  if (key === undefined || value === undefined || rest.length > 0) {
    throw new UserError("What is to be set? khaelor config set KEY VALUE (with blanks: in quotes)", EXIT.usage);
  }
  const changed = await setConfigValue(places.home, key, value);
  if (!changed.ok) throw new UserError(await explained(changed.error), EXIT.usage);
  output.show(`${key} = ${shown(changed.value.value)} in ${changed.value.path}\n`);
  await sayStronger(key, typed, { places, output });
  return EXIT.done;
}

/** A value that something stronger covers would be a riddle. */
async function sayStronger(key: string, typed: Arguments, { places, output }: Surroundings): Promise<void> {
  const options = { places, env: process.env, flags: flagLayer(typed) };
  const found = await loadFor(options, await rootOf(places));
  const origin = found.ok ? found.value.origins[key] : undefined;
  if (!origin || origin.source === "user") return;
  output.err(`khaelor: here something stronger says otherwise: ${originText(origin)}\n`);
}

async function path({ json }: Arguments, places: Places, output: Output): Promise<ExitCode> {
  const root = await rootOf(places);
  const files = [
    ["user", userConfigFile(places.home)],
    ["project", join(root, PROJECT_CONFIG)],
    ...(places.chosen?.file === undefined ? [] : [["settings", places.chosen.file] as const]),
    ["grants", grantFile(places.home)],
    ["project grants", projectGrantFile(places.home, root)],
    ["credentials", credentialFile(places.home)],
  ] as const;
  for (const [name, file] of files) {
    const exists = existsSync(file);
    if (json) output.out(`${JSON.stringify({ name, path: file, exists })}\n`);
    else output.show(`${name.padEnd(14)}  ${file}${exists ? "" : "  (missing)"}\n`);
  }
  return EXIT.done;
}
