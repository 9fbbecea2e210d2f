/**
 * Puts the sources together. For each key the strongest that says something wins; limits, prices, profiles, keys and
 * the terminal's settings are merged one by one; rules and folders are joined in order. `project.ts` says what a project may say.
 */
import type { PermissionRule } from "../shared/index.ts";
import type { CheckedLayer, NamedLayer } from "./layer.ts";
import { tightened } from "./project.ts";
import type { ConfigLayer, ConfigOrigin, ResolvedConfig, SourcedRule } from "./types.ts";

export interface Sources {
  /** Weakest first: what the user's environment and files say, and the user's own answers. */
  readonly own: readonly NamedLayer[];
  readonly project?: CheckedLayer;
  /** The user said once that this project's allow rules count. */
  readonly projectTrusted: boolean;
  /** What the user answered in this project. */
  readonly projectGrants: NamedLayer;
  /** Weakest first: all that the command line says. */
  readonly typed: readonly NamedLayer[];
  readonly defaults: { readonly model: string; readonly auxModel: string };
}

type Merged = Pick<ResolvedConfig, "config" | "origins" | "warnings" | "untrustedRules">;

/** What counts where nobody says anything. */
export const BUILT_IN = {
  thinking: "adaptive",
  permissionMode: "ask",
  limits: { maxTurns: 500 },
  compaction: { route: "aux", auto: true },
  theme: "auto",
  terminal: { mouse: true, vim: false, alternateScreen: true, notifications: true, screenReader: false },
} as const;

export function mergeConfig(sources: Sources): Merged {
  const { defaults } = sources;
  const own = [
    { source: "default", values: { ...BUILT_IN, ...defaults }, originOf: byDefault } as const,
    ...sources.own,
  ];
  const project = tightened(sources.project, mergedLayers(own), sources.projectTrusted);
  const all: readonly NamedLayer[] = [...own, project.layer, sources.projectGrants, ...sources.typed];
  const values = mergedLayers(all);
  const config = {
    ...defaults,
    ...BUILT_IN,
    passEnv: [],
    additionalDirectories: [],
    prices: {},
    profiles: {},
    keybindings: {},
    ...values,
    limits: { ...BUILT_IN.limits, ...values.limits },
    compaction: { ...BUILT_IN.compaction, ...values.compaction },
    terminal: { ...BUILT_IN.terminal, ...values.terminal },
    permissions: all.flatMap(sourcedRules),
  };
  return { config, origins: originsOf(all), warnings: project.warnings, untrustedRules: project.untrustedRules };
}

const byDefault = (): ConfigOrigin => ({ source: "default" });

const sourcedRules = ({ source, values: { permissions = [] } }: NamedLayer): readonly SourcedRule[] =>
  permissions.map((rule: PermissionRule) => ({ ...rule, source }));

const mergedLayers = (layers: readonly NamedLayer[]): ConfigLayer =>
  layers.reduce<ConfigLayer>((merged, { values }) => mergeLayers(merged, values), {});

/** Associative, with the empty layer as its neutral one. */
export const mergeLayers = (weak: ConfigLayer, strong: ConfigLayer): ConfigLayer => ({
  ...weak,
  ...strong,
  ...merged("limits", weak, strong),
  ...merged("prices", weak, strong),
  ...merged("profiles", weak, strong),
  ...merged("keybindings", weak, strong),
  ...merged("terminal", weak, strong),
  ...merged("compaction", weak, strong),
  ...joined("permissions", weak, strong),
  ...joined("additionalDirectories", weak, strong),
});

const BY_NAME = ["limits", "prices", "profiles", "keybindings", "terminal", "compaction"] as const;
const IN_ORDER = ["permissions", "additionalDirectories"] as const;

const merged = (key: (typeof BY_NAME)[number], weak: ConfigLayer, strong: ConfigLayer): ConfigLayer =>
  weak[key] && strong[key] ? { [key]: { ...weak[key], ...strong[key] } } : {};

const joined = (key: (typeof IN_ORDER)[number], weak: ConfigLayer, strong: ConfigLayer): ConfigLayer =>
  weak[key] && strong[key] ? { [key]: [...weak[key], ...strong[key]] } : {};

type Entry = readonly [key: string, origin: ConfigOrigin];

const originsOf = (layers: readonly NamedLayer[]): ResolvedConfig["origins"] =>
  Object.fromEntries([
    ...layers.flatMap(plainOrigins),
    ...IN_ORDER.flatMap((key) => layers.flatMap((layer) => listOrigins(key, layer)).map(numbered(key))),
  ]);

/** Of every key that stands for itself, and of every name in those that are merged one by one. */
const plainOrigins = ({ values, originOf }: NamedLayer): readonly Entry[] =>
  Object.keys(values).flatMap((key): readonly Entry[] => {
    const byName = BY_NAME.find((name) => name === key);
    if (byName) return Object.keys(values[byName] ?? {}).map((name) => [`${key}.${name}`, originOf([key, name])]);
    return IN_ORDER.some((name) => name === key) ? [] : [[key, originOf([key])]];
  });

const listOrigins = (key: (typeof IN_ORDER)[number], { values, originOf }: NamedLayer): readonly ConfigOrigin[] =>
  [...(values[key] ?? []).keys()].map((at) => originOf([key, at]));

const numbered =
  (key: string) =>
  (origin: ConfigOrigin, at: number): Entry => [`${key}.${at}`, origin];
