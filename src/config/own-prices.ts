/**
 * The user's own prices, from the sources that may name some, before anything else is loaded: every cost that is shown is
 * reckoned from them, also where no run begins. What is wrong in those sources is for `loadConfig` to say.
 */
import { type CheckedLayer, checkFile } from "./layer.ts";
import { userConfigFile } from "./load.ts";
import { readTextNow } from "./loader.ts";
import { mergeLayers } from "./merge.ts";
import { parseJson } from "./parse.ts";
import { profileLayers } from "./profiles.ts";
import type { ChosenSettings, ConfigPrice } from "./types.ts";
import { assignmentLayer } from "./words.ts";

/** By exact model id. A project names no prices, so it is not asked. */
export function ownPrices(home: string, chosen: ChosenSettings = {}): Readonly<Record<string, ConfigPrice>> {
  const files = chosen.isSafe ? [] : [userConfigFile(home), ...(chosen.file === undefined ? [] : [chosen.file])];
  const layers = [...files.flatMap(layerIn), ...(chosen.assignments ?? []).map(assignmentLayer)];
  return (
    layers
      .flatMap((layer) => [layer.values, ...profileLayers(chosen.profile, layer).map(({ values }) => values)])
      .reduce(mergeLayers, {}).prices ?? {}
  );
}

function layerIn(path: string): readonly CheckedLayer[] {
  const parsed = parseJson(readTextNow(path) ?? "");
  return parsed.ok ? [checkFile(path, parsed.value)] : [];
}
