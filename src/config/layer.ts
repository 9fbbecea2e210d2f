/** One source's values, checked key by key: what fits is kept, what does not is named with its place. */
import { misfit } from "../shared/index.ts";
import type { ParsedJson } from "./parse.ts";
import { CONFIG_FILE, type ConfigLayer, type ConfigProblem } from "./types.ts";

export interface CheckedLayer {
  readonly file: string;
  readonly values: ConfigLayer;
  /** Values that do not fit: the configuration must not be used. */
  readonly problems: readonly ConfigProblem[];
  /** Keys that this version does not know. */
  readonly unknown: readonly ConfigProblem[];
  /** A problem at a key of this layer. */
  readonly problemAt: (path: readonly (string | number)[], expected: string, got: string) => ConfigProblem;
}

export function checkLayer(file: string, value: unknown, lineOf?: ParsedJson["lineOf"]): CheckedLayer {
  const problemAt: CheckedLayer["problemAt"] = (path, expected, got) => ({
    file,
    ...(lineOf && { line: lineOf(path) }),
    key: path.join("."),
    expected,
    got,
  });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { file, values: {}, unknown: [], problems: [problemAt([], "an object", described(value))], problemAt };
  }
  const entries = Object.entries(value);
  const unknown = entries.flatMap(([key, inner]) =>
    definitionOf(key) === undefined ? [problemAt([key], expectedInstead(key), kindOf(inner))] : [],
  );
  const problems = entries.flatMap(([key, inner]) => {
    const wrong = definitionOf(key) === undefined ? undefined : misfitOf(key, inner);
    return wrong ? [problemAt([key, ...wrong.path], wrong.expected, described(valueAt(inner, wrong.path)))] : [];
  });
  const fitting = entries.filter(([key, inner]) => definitionOf(key) !== undefined && !misfitOf(key, inner));
  // as: every entry fits the definition that the type is derived from.
  return { file, values: Object.fromEntries(fitting) as ConfigLayer, problems, unknown, problemAt };
}

const definitionOf = (key: string): unknown =>
  Object.hasOwn(CONFIG_FILE, `${key}?`) ? CONFIG_FILE[`${key}?` as keyof typeof CONFIG_FILE] : undefined;

interface Wrong {
  readonly path: readonly (string | number)[];
  readonly expected: string;
}

function misfitOf(key: string, value: unknown): Wrong | undefined {
  const wrong = misfit(definitionOf(key), value);
  if (wrong) return wrong;
  if (key === "baseUrl" && !isPlainUrl(String(value)))
    return { path: [], expected: "an http(s) URL without a password" };
  return undefined;
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}

const KEYS = Object.keys(CONFIG_FILE).map((key) => key.replace("?", ""));

function expectedInstead(key: string): string {
  if (SECRET.test(key)) return "no key here: keys are read from the environment or from credentials.json";
  const near = KEYS.find((known) => known.toLowerCase() === key.replace(/[-_]/g, "").toLowerCase());
  return near ? `the key ${near}` : `one of ${KEYS.join(", ")}`;
}

const SECRET = /key$|token|secret|password|credential|auth/i;

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, step)) return undefined;
    inner = (inner as Readonly<Record<string | number, unknown>>)[step]; // as: just seen to be its own property
  }
  return inner;
}

/** Short values of known keys are shown: none of them is secret. A URL may hold a password. */
function described(value: unknown): string {
  if (value === undefined) return "nothing";
  const shown = typeof value === "object" || typeof value === "string" ? undefined : String(value);
  if (typeof value === "string" && value.length <= 40 && !value.includes("://")) return JSON.stringify(value);
  return shown ?? kindOf(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
