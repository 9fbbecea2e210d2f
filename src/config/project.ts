/**
 * What a project's file may say. It comes from whoever made the repository: it may make the user's limits and permissions
 * stricter, choose the model, and nothing else.
 */
import type { PermissionMode, PermissionRule } from "../shared/index.ts";
import { type CheckedLayer, fileLayer, type NamedLayer, withValues } from "./layer.ts";
import type { ConfigKey, ConfigLayer, ConfigProblem, Limits } from "./types.ts";

export interface Tightened {
  readonly layer: NamedLayer;
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
  "compaction",
]);
/** These it may only make stricter. */
const STRICTER_ONLY: ReadonlySet<ConfigKey> = new Set(["permissions", "permissionMode", "limits"]);

/** `own` is what is in force without the project. */
export function tightened(project: CheckedLayer | undefined, own: ConfigLayer, trusted: boolean): Tightened {
  if (!project) return NO_PROJECT;
  const { values } = project;
  const keys = Object.keys(values) as ConfigKey[]; // as: a layer holds only checked keys
  const forbidden = keys
    .filter((key) => !FREE.has(key) && !STRICTER_ONLY.has(key))
    .map((key) =>
      problemAt(project, [key], "this only in your own config file, never in a project's", "a project's file"),
    );
  const free = Object.fromEntries(Object.entries(values).filter(([key]) => FREE.has(key as ConfigKey)));
  const mode = stricterMode(project, own.permissionMode ?? "ask");
  const limits = lowerLimits(project, own.limits ?? {});
  const rules = values.permissions ?? [];
  const untrustedRules = trusted ? [] : rules.filter(({ action }) => action === "allow");
  const waiting = untrustedRules.map((rule) =>
    problemAt(
      project,
      ["permissions", rules.indexOf(rule)],
      "deny or ask, until you trust this folder (khaelor permissions trust)",
      '"allow"',
    ),
  );
  const kept = rules.filter((rule) => !untrustedRules.includes(rule));
  return {
    layer: fileLayer(
      "project",
      withValues(project, {
        ...free,
        ...mode.values,
        ...limits.values,
        ...(kept.length > 0 && { permissions: kept }),
      }),
    ),
    warnings: [...forbidden, ...mode.warnings, ...limits.warnings, ...waiting],
    untrustedRules,
  };
}

const NO_PROJECT: Tightened = {
  layer: { source: "project", values: {}, originOf: () => ({ source: "project" }) },
  warnings: [],
  untrustedRules: [],
};

const problemAt = (
  { placing }: CheckedLayer,
  path: readonly (string | number)[],
  expected: string,
  got: string,
): ConfigProblem => ({ ...placing(path), expected, got });

interface Part {
  readonly values: ConfigLayer;
  readonly warnings: readonly ConfigProblem[];
}

const STRICTNESS: readonly PermissionMode[] = ["bypass", "accept-edits", "ask", "plan"];

function stricterMode(project: CheckedLayer, own: PermissionMode): Part {
  const wanted = project.values.permissionMode;
  if (wanted === undefined || wanted === own) return { values: {}, warnings: [] };
  if (STRICTNESS.indexOf(wanted) > STRICTNESS.indexOf(own)) return { values: { permissionMode: wanted }, warnings: [] };
  const warning = problemAt(project, ["permissionMode"], `a mode stricter than ${own}`, JSON.stringify(wanted));
  return { values: {}, warnings: [warning] };
}

function lowerLimits(project: CheckedLayer, own: Limits): Part {
  const wanted = Object.entries(project.values.limits ?? {}) as [keyof Limits, number][]; // as: checked, all are numbers
  const lower = wanted.filter(([key, value]) => value <= (own[key] ?? Number.POSITIVE_INFINITY));
  const higher = wanted.filter(([key, value]) => value > (own[key] ?? Number.POSITIVE_INFINITY));
  return {
    values: lower.length > 0 ? { limits: Object.fromEntries(lower) } : {},
    warnings: higher.map(([key, value]) => problemAt(project, ["limits", key], `at most ${own[key]}`, String(value))),
  };
}
