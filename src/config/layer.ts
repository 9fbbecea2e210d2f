/** One source's values, checked key by key: what fits is kept, what does not is named with its place. */
import { check, type Finding, type Path } from "./check.ts";
import { nearestName } from "./key-path.ts";
import type { Duplicate, ParsedJson } from "./parse.ts";
import { described, keyText } from "./shown.ts";
import { CONFIG_FILE, type ConfigLayer, type ConfigOrigin, type ConfigProblem, type ConfigSource } from "./types.ts";

/** Where the value at a path of one source stands. */
export type Placing = (path: Path) => Pick<ConfigProblem, "file" | "line" | "key">;

export interface CheckedLayer {
  readonly values: ConfigLayer;
  /** Values that do not fit: the configuration must not be used. */
  readonly problems: readonly ConfigProblem[];
  /** Keys that this version does not know. */
  readonly unknown: readonly ConfigProblem[];
  readonly placing: Placing;
}

/** One source's values as they count, and where each was said. */
export interface NamedLayer {
  readonly source: ConfigSource;
  readonly values: ConfigLayer;
  readonly originOf: (path: Path) => ConfigOrigin;
}

/** Stands before the path in messages about that file, for they name what was typed; an origin is a path alone. */
export const SETTINGS_FLAG = "--settings ";

export function fileOrigin(source: ConfigSource, { placing }: Pick<CheckedLayer, "placing">, path: Path): ConfigOrigin {
  const { file: told, line } = placing(path);
  const file = told.startsWith(SETTINGS_FLAG) ? told.slice(SETTINGS_FLAG.length) : told;
  return { source, file, ...(line !== undefined && { line }) };
}

/** The same source with some of its values left out; the rules that stay keep their places. */
export function withValues(layer: CheckedLayer, values: ConfigLayer): CheckedLayer {
  const placing: Placing = (path) => {
    const [key, at, ...rest] = path;
    const rule = key === "permissions" && typeof at === "number" ? values.permissions?.[at] : undefined;
    return layer.placing(rule ? ["permissions", layer.values.permissions?.indexOf(rule) ?? 0, ...rest] : path);
  };
  return { ...layer, values, placing };
}

export const fileLayer = (source: ConfigSource, layer: CheckedLayer): NamedLayer => ({
  source,
  values: layer.values,
  originOf: (path) => fileOrigin(source, layer, path),
});

/** A flag's or a variable's, which stands in no line. */
export const wordLayer = (source: ConfigSource, { values, placing }: CheckedLayer): NamedLayer => ({
  source,
  values,
  originOf: (path) => ({ source, name: placing(path).file }),
});

const filePlacing =
  (file: string, lineOf?: ParsedJson["lineOf"]): Placing =>
  (path) => ({ file, ...(lineOf && { line: lineOf(path) }), key: keyText(path) });

/** A whole file's text, parsed. */
export function checkFile(file: string, { value, lineOf, duplicates }: ParsedJson): CheckedLayer {
  const checked = checkLayer(value, filePlacing(file, lineOf));
  const repeated = duplicates.map((one) => duplicateProblem(file, one));
  return repeated.length === 0 ? checked : { ...checked, problems: [...repeated, ...checked.problems] };
}

const duplicateProblem = (file: string, { path, line, firstLine }: Duplicate): ConfigProblem => ({
  file,
  line,
  key: keyText(path),
  expected: "this key only once",
  got: `a second one (the first is in line ${firstLine})`,
});

export function checkLayer(value: unknown, placing: Placing): CheckedLayer {
  const { findings, kept } = check(CONFIG_FILE, value, textRule);
  const told = findings.map((finding) => ({ finding, problem: problemOf(finding, placing) }));
  const wrong = told.filter(({ finding }) => !finding.isTolerable);
  const unknown = told.filter(({ finding }) => finding.isTolerable);
  const broken = new Set(wrong.map(({ finding }) => finding.path[0]));
  const isWhole = typeof kept === "object" && kept !== null && !broken.has(undefined);
  const fitting = isWhole ? Object.entries(kept).filter(([key]) => !broken.has(key)) : [];
  return {
    values: Object.fromEntries(fitting) as ConfigLayer, // as: what fits the definition that the type is derived from
    problems: wrong.map(({ problem }) => problem),
    unknown: unknown.map(({ problem }) => problem),
    placing,
  };
}

/** A source that could not be read at all. */
export const unreadable = (problem: ConfigProblem): CheckedLayer => ({
  values: {},
  problems: [problem],
  unknown: [],
  placing: filePlacing(problem.file),
});

function problemOf({ path, known, expected, value, explain }: Finding, placing: Placing): ConfigProblem {
  if (known)
    return { ...placing(path), ...strangeName(String(path.at(-1)), nearestName(String(path.at(-1)), known), known) };
  const got = described(value);
  // The full explanation repeats the value, so there is none of a value that is not shown.
  const isShown = typeof value !== "string" || got === JSON.stringify(value);
  return { ...placing(path), expected, got, ...(explain && isShown && { explain }) };
}

/** What to say of a name that does not exist, where `near` is the one that was probably meant. */
export function strangeName(
  name: string,
  near: string | undefined,
  known: readonly string[],
): Pick<ConfigProblem, "expected" | "got"> {
  const got = "an unknown one";
  if (near !== undefined) return { expected: `a known key (did you mean ${near}?)`, got };
  return isSecretName(name) ? { expected: SECRETS_PLACE, got: "one" } : { expected: `one of ${known.join(", ")}`, got };
}

/** `apiKey`, `api_key`, `key`; not `nokey`, which is only misspelt. */
const isSecretName = (name: string): boolean =>
  /[a-z]Key$/.test(name) || /(?:^|[-_.]|api)key$|token|secret|password|credential|auth/i.test(name);
const SECRETS_PLACE = "no key to the API here (khaelor login keeps it, or set ANTHROPIC_API_KEY)";

/** What the definitions cannot say. Profiles hold the same keys, two levels down. */
function textRule(path: Path, text: string): string | undefined {
  const [key] = path[0] === "profiles" ? path.slice(2) : path;
  switch (key) {
    case "baseUrl":
      return isPlainUrl(text) ? undefined : "an http(s) URL without a password";
    case "passEnv":
      return /^[A-Za-z_]\w*$/.test(text) ? undefined : "the name of a variable";
    case "additionalDirectories":
      return /^(\/|~(\/|$))/.test(text) ? undefined : "an absolute folder, or one that begins with ~/";
    default:
      return undefined;
  }
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}
