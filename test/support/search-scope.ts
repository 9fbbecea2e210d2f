/** The searching tools' ports over the real ripgrep of the installed package, with nothing withheld unless told. */
import { resolveRealPath } from "../../src/cli/real-path.ts";
import type { SearchScope } from "../../src/tools/index.ts";
import { createRipgrep } from "../../src/workspace/index.ts";

export const searchScope = (projectRoot: string, mayShow: (path: string) => boolean = () => true): SearchScope => ({
  ripgrep: createRipgrep({ cacheFolder: "/nowhere" }), // run from source, it is used where it lies
  projectRoot,
  realPath: resolveRealPath,
  readableBelow: () => mayShow,
});
