/**
 * Puts the sources together: command line, project, user, environment, defaults, the first that says something wins. A
 * project's file comes from whoever made the repository: it may make the user's limits and permissions stricter, choose the
 * model, and nothing else.
 */
import type { PermissionMode, PermissionRule } from "../shared/index.ts";
import type { CheckedLayer } from "./layer.ts";
import type {
  ConfigKey,
  ConfigLayer,
  ConfigProblem,
  ConfigSource,
  Limits,
  ResolvedConfig,
  SourcedRule,
} from "./types.ts";

export interface Sources {
  readonly flags: ConfigLayer;
  readonly project?: CheckedLayer;
  /** The user said once that this project's allow rules count. */
  readonly projectTrusted: boolean;
  readonly user: ConfigLayer;
  readonly userGrants: readonly PermissionRule[];
  readonly projectGrants: readonly PermissionRule[];
  readonly environment: ConfigLayer;
  readonly defaults: { readonly model: string; readonly auxModel: string };
}

type Merged = Pick<ResolvedConfig, "config" | "sources" | "warnings" | "untrustedRules">;

const BUILT_IN = { thinking: "adaptive", permissionMode: "ask", limits: { maxTurns: 500 } } as const;

export function mergeConfig(sources: Sources): Merged {
  const { flags, user, environment, defaults } = sources;
  const own = layered([
    ["default", { ...BUILT_IN, ...defaults }],
    ["environment", environment],
    ["user", user],
  ]);
  const project = tightened(sources.project, own, sources.projectTrusted);
  const all = layered([...own.layers, ["project", project.values], ["flag", flags]]);
  const permissions = [
    ...sourced("user", user.permissions),
    ...sourced("grant", sources.userGrants),
    ...sourced("project", project.values.permissions),
    ...sourced("grant", sources.projectGrants),
    ...sourced("flag", flags.permissions),
  ];
  const config = {
    ...defaults,
    ...BUILT_IN,
    passEnv: [],
    additionalDirectories: [],
    prices: {},
    ...all.values,
    limits: { ...BUILT_IN.limits, ...all.limits },
    permissions,
  };
  return { config, sources: all.sources, warnings: project.warnings, untrustedRules: project.untrustedRules };
}

const sourced = (source: ConfigSource, rules: readonly PermissionRule[] = []): readonly SourcedRule[] =>
  rules.map((rule) => ({ ...rule, source }));

type NamedLayer = readonly [source: ConfigSource, values: ConfigLayer];

interface Layered {
  readonly layers: readonly NamedLayer[];
  readonly values: ConfigLayer;
  readonly limits: Limits;
  readonly sources: Readonly<Record<string, ConfigSource>>;
}

/** Weakest first. Limits are merged one by one, every other key as a whole; rules are not merged here. */
function layered(layers: readonly NamedLayer[]): Layered {
  const sources: Record<string, ConfigSource> = {};
  let values: ConfigLayer = {};
  let limits: Limits = {};
  for (const [source, layer] of layers) {
    const { permissions: _ownOrder, limits: more = {}, ...rest } = layer;
    values = { ...values, ...rest };
    limits = { ...limits, ...more };
    for (const key of Object.keys(rest)) sources[key] = source;
    for (const key of Object.keys(more)) sources[`limits.${key}`] = source;
  }
  return { layers, values, limits, sources };
}

interface Tightened {
  readonly values: ConfigLayer;
  readonly warnings: readonly ConfigProblem[];
  readonly untrustedRules: readonly PermissionRule[];
}

/** A project may say these, whatever the value. */
const FREE: ReadonlySet<ConfigKey> = new Set([
  "model",
  "auxModel",
  "fallbackModel",
  "effort",
  "thinking",
  "maxOutputTokens",
]);
/** These it may only make stricter. */
const STRICTER_ONLY: ReadonlySet<ConfigKey> = new Set(["permissions", "permissionMode", "limits"]);

function tightened(layer: CheckedLayer | undefined, own: Layered, trusted: boolean): Tightened {
  if (!layer) return { values: {}, warnings: [], untrustedRules: [] };
  const { values, problemAt } = layer;
  const keys = Object.keys(values) as ConfigKey[]; // as: a layer holds only checked keys
  const forbidden = keys
    .filter((key) => !FREE.has(key) && !STRICTER_ONLY.has(key))
    .map((key) => problemAt([key], "this only in your own config file, never in a project's", "a project's file"));
  const free = Object.fromEntries(Object.entries(values).filter(([key]) => FREE.has(key as ConfigKey)));
  const mode = stricterMode(layer, own.values.permissionMode ?? BUILT_IN.permissionMode);
  const limits = lowerLimits(layer, own.limits);
  const rules = values.permissions ?? [];
  const untrustedRules = trusted ? [] : rules.filter(({ action }) => action === "allow");
  const waiting = untrustedRules.map((rule) =>
    problemAt(["permissions", rules.indexOf(rule)], "deny or ask, until you trust this folder", '"allow"'),
  );
  return {
    values: {
      ...free,
      ...mode.values,
      ...limits.values,
      permissions: rules.filter((r) => !untrustedRules.includes(r)),
    },
    warnings: [...forbidden, ...mode.warnings, ...limits.warnings, ...waiting],
    untrustedRules,
  };
}

type Part = Omit<Tightened, "untrustedRules">;

const STRICTNESS: readonly PermissionMode[] = ["bypass", "accept-edits", "ask", "plan"];

function stricterMode({ values, problemAt }: CheckedLayer, own: PermissionMode): Part {
  const wanted = values.permissionMode;
  if (wanted === undefined || wanted === own) return { values: {}, warnings: [] };
  if (STRICTNESS.indexOf(wanted) > STRICTNESS.indexOf(own)) return { values: { permissionMode: wanted }, warnings: [] };
  return {
    values: {},
    warnings: [problemAt(["permissionMode"], `a mode stricter than ${own}`, JSON.stringify(wanted))],
  };
}

function lowerLimits({ values, problemAt }: CheckedLayer, own: Limits): Part {
  const wanted = Object.entries(values.limits ?? {}) as [keyof Limits, number][]; // as: checked, and all are numbers
  const lower = wanted.filter(([key, value]) => value <= (own[key] ?? Number.POSITIVE_INFINITY));
  const higher = wanted.filter(([key, value]) => value > (own[key] ?? Number.POSITIVE_INFINITY));
  return {
    values: lower.length > 0 ? { limits: Object.fromEntries(lower) } : {},
    warnings: higher.map(([key, value]) => problemAt(["limits", key], `at most ${own[key]}`, String(value))),
  };
}
