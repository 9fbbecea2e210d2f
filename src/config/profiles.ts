/** Profiles: settings that a source keeps under a name, and that count just above the rest of it when the name is chosen. */
import { nearest } from "../shared/index.ts";
import { type CheckedLayer, fileOrigin, type NamedLayer } from "./layer.ts";
import { described } from "./shown.ts";
import type { ConfigProblem } from "./types.ts";

/** One layer when the source has a profile of this name, else none. */
export function profileLayers(name: string | undefined, layer: CheckedLayer): readonly NamedLayer[] {
  const { profiles } = layer.values;
  const profile = name !== undefined && profiles && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (name === undefined || !profile) return [];
  const originOf: NamedLayer["originOf"] = (path) => ({
    ...fileOrigin("profile", layer, ["profiles", name, ...path]),
    name,
  });
  return [{ source: "profile", values: profile, originOf }];
}

/** The problem when a name was chosen that no source has. */
export function strangeProfile(name: string | undefined, layers: readonly CheckedLayer[]): ConfigProblem | undefined {
  const known = [...new Set(layers.flatMap(({ values }) => Object.keys(values.profiles ?? {})))];
  if (name === undefined || known.includes(name)) return undefined;
  const near = nearest(name, known);
  const wanted = near
    ? `a known profile (did you mean ${near}?)`
    : known.length > 0
      ? `one of ${known.join(", ")}`
      : NONE;
  return { file: "--profile", key: "", expected: wanted, got: described(name) };
}

const NONE = 'a name that stands under "profiles" in your config file, where there is none';
