/** The sources without a file: the user's environment, the flags, and `--config KEY=VALUE`. */
import { nearest } from "../shared/index.ts";
import { findKey, KNOWN_KEYS, nearestName, nested, valueIn } from "./key-path.ts";
import { type CheckedLayer, checkLayer, type Placing, strangeName, unreadable } from "./layer.ts";
import { described, keyText } from "./shown.ts";
import type { ConfigKey, ConfigLayer, ConfigProblem } from "./types.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The few keys that a variable may set. Permissions are not among them: an inherited variable is too easily forgotten. */
const VARIABLES = {
  KHAELOR_MODEL: "model",
  KHAELOR_AUX_MODEL: "auxModel",
  KHAELOR_FALLBACK_MODEL: "fallbackModel",
  KHAELOR_EFFORT: "effort",
  KHAELOR_THINKING: "thinking",
  KHAELOR_THEME: "theme",
  ANTHROPIC_BASE_URL: "baseUrl",
} as const satisfies Readonly<Record<string, ConfigKey>>;

/** Read elsewhere. */
const OTHER_VARIABLES = ["KHAELOR_HOME"];

/** An empty variable is none. */
export function environmentLayer(env: Environment): CheckedLayer {
  const given = Object.entries(VARIABLES).filter(([name]) => env[name]);
  const nameOf = new Map<string, string>(given.map(([name, key]) => [key, name]));
  return checkLayer(
    Object.fromEntries(given.map(([name, key]) => [key, env[name]])),
    wordPlacing((key) => nameOf.get(key)),
  );
}

const withoutPrefix = (name: string): string => name.slice("KHAELOR_".length);

/** A mistyped variable would otherwise be obeyed by nobody, in silence. `passed` are names that the user's commands see. */
export function strangeVariables(env: Environment, passed: readonly string[]): readonly ConfigProblem[] {
  const known = [...Object.keys(VARIABLES).filter((name) => name.startsWith("KHAELOR_")), ...OTHER_VARIABLES];
  return Object.keys(env)
    .filter((name) => name.startsWith("KHAELOR_") && !known.includes(name) && !passed.includes(name))
    .map((name) => {
      const near = nearest(withoutPrefix(name), known.map(withoutPrefix));
      const expected = near ? `a known variable (did you mean KHAELOR_${near}?)` : `one of ${known.join(", ")}`;
      return { file: keyText([name]), key: "", expected, got: "one that nobody reads" };
    });
}

/** Which flag says what; a key that is not here has only `--config`. */
const FLAGS: Readonly<Record<string, string>> = {
  model: "--model",
  auxModel: "--aux-model",
  fallbackModel: "--fallback-model",
  effort: "--effort",
  permissionMode: "--permission-mode",
  permissions: "--allow/--deny",
  additionalDirectories: "--add-dir",
  "limits.maxTurns": "--max-turns",
  "limits.maxBudgetUsd": "--max-budget-usd",
  "limits.maxSeconds": "--timeout",
  theme: "--theme",
  "terminal.mouse": "--no-mouse",
  "terminal.alternateScreen": "--no-alt-screen",
  "terminal.screenReader": "--screen-reader",
};

export const flagLayer = (flags: ConfigLayer): CheckedLayer =>
  checkLayer(
    flags,
    wordPlacing((key) => FLAGS[key]),
  );

/** The name says which key it is; where there is none, the key itself has to. */
function wordPlacing(nameOf: (key: string) => string | undefined): Placing {
  return (path) => {
    const name = nameOf(path.slice(0, 2).join(".")) ?? nameOf(String(path[0]));
    return name === undefined ? { file: "the command line", key: keyText(path) } : { file: name, key: "" };
  };
}

const ASSIGNING: Placing = (path) => ({ file: "--config", key: keyText(path) });

/** One `KEY=VALUE`. */
export function assignmentLayer(text: string): CheckedLayer {
  const at = text.indexOf("=");
  if (at <= 0) return unreadable({ ...ASSIGNING([]), expected: "KEY=VALUE", got: described(text) });
  const key = text.slice(0, at).trim();
  const found = findKey(key);
  if (!found) return unreadable({ ...ASSIGNING([key]), ...strangeKey(key) });
  return checkLayer(nested(found.path, valueIn(text.slice(at + 1).trim(), found.definition)), ASSIGNING);
}

/** What to say of a dotted key that does not exist. */
export function strangeKey(key: string): Pick<ConfigProblem, "expected" | "got"> {
  const near = nearestName(key, KNOWN_KEYS) ?? nearestTail(key);
  return strangeName(
    key,
    near,
    KNOWN_KEYS.filter((known) => !known.includes(".")),
  );
}

/** `maxTurns` was meant as `limits.maxTurns`. */
function nearestTail(key: string): string | undefined {
  const tail = (name: string) => name.slice(name.lastIndexOf(".") + 1);
  const near = nearestName(tail(key), KNOWN_KEYS.filter((name) => name.includes(".")).map(tail));
  return KNOWN_KEYS.find((name) => name.includes(".") && tail(name) === near);
}
