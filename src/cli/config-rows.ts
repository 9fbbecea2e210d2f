/** The configuration as rows: every key that exists, its value, and where that was said. */
import { type ConfigOrigin, KNOWN_KEYS, type ResolvedConfig } from "../config/index.ts";

export interface ConfigRow {
  /** Dotted; what many sources add to has a row for each entry, as in `permissions.0`. */
  readonly key: string;
  /** Undefined when nobody has said anything and there is no default. */
  readonly value: unknown;
  readonly origin: ConfigOrigin;
}

/** Keys whose entries have each their own source. */
const BY_ENTRY: ReadonlySet<string> = new Set([
  "permissions",
  "additionalDirectories",
  "prices",
  "profiles",
  "keybindings",
]);

export function configRows({ config, origins }: Pick<ResolvedConfig, "config" | "origins">): readonly ConfigRow[] {
  const row = (key: string, value: unknown): ConfigRow => ({
    key,
    value,
    origin: origins[key] ?? { source: "default" },
  });
  return KNOWN_KEYS.filter((key) => !KNOWN_KEYS.some((other) => other.startsWith(`${key}.`))).flatMap((key) => {
    const value = valueAt(config, key.split("."));
    const entries = BY_ENTRY.has(key) && typeof value === "object" && value !== null ? Object.entries(value) : [];
    return entries.length > 0 ? entries.map(([name, one]) => row(`${key}.${name}`, entryOf(one))) : [row(key, value)];
  });
}

/** A rule's source stands beside it already. */
function entryOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("source" in value)) return value;
  const { source: _beside, ...rest } = value;
  return rest;
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, step)) return undefined;
    inner = (inner as Readonly<Record<string, unknown>>)[step]; // as: just seen to be its own property
  }
  return inner;
}

const TYPED: ReadonlySet<ConfigOrigin["source"]> = new Set(["flag", "settings", "profile"]);

/** A profile or a settings file is typed too: whoever names it wants what it says now. */
export const isTyped = (origin: ConfigOrigin | undefined): boolean => TYPED.has(origin?.source ?? "default");

export function originText({ source, file, line, name }: ConfigOrigin): string {
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  return [source, name, place].filter((part) => part !== undefined).join(" ");
}

/** A row for programs: a key that is not set has the value null. */
export const rowJson = ({ key, value = null, origin }: ConfigRow): string => JSON.stringify({ key, value, ...origin });
