/**
 * Safe mode leaves files out, to find out whether one of them is the trouble. It must never allow more than they do: rules that
 * deny or ask stay in force, and so does what bounds a run.
 */
import { type CheckedLayer, withValues } from "./layer.ts";
import type { ConfigKey, ConfigProblem } from "./types.ts";

/** Of a source only these keys, and of its rules none that allows. */
export function protective(layer: CheckedLayer, keys: readonly ConfigKey[]): CheckedLayer {
  const kept = Object.fromEntries(Object.entries(layer.values).filter(([key]) => keys.some((one) => one === key)));
  const rules = layer.values.permissions?.filter(({ action }) => action !== "allow");
  return { ...withValues(layer, { ...kept, ...(rules && { permissions: rules }) }), problems: [], unknown: [] };
}

/** What would have stopped the start: now it is told, for a rule in there does not count. */
export const leftOut = (problems: readonly ConfigProblem[]): readonly ConfigProblem[] =>
  problems.map((problem) => ({ ...problem, got: `${problem.got}; without it in safe mode` }));
