/** What the searching tools are given: the shipped ripgrep, and from the evaluator which files a search may show. */
import { join } from "node:path";
import { type PermissionEvaluator, readableBelow } from "../permissions/index.ts";
import type { SearchScope } from "../tools/index.ts";
import { createRipgrep } from "../workspace/index.ts";
import { resolveRealPath } from "./real-path.ts";
import type { Ground } from "./services.ts";

export const searchScopeFor = (
  { options, projectRoot }: Pick<Ground, "options" | "projectRoot">,
  evaluator: PermissionEvaluator,
): SearchScope => ({
  ripgrep: createRipgrep({ cacheFolder: join(options.places.home, "cache") }),
  projectRoot,
  realPath: resolveRealPath,
  readableBelow: (root) => readableBelow(evaluator, root),
});
