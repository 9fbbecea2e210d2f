/** The world around the terminal, loaded when it is first used. */
import { statSync } from "node:fs";
import type { Outside } from "../../tui/index.ts";
import type { EngineHost } from "./host.ts";
import type { Surroundings } from "./surroundings.ts";

export function createOutside(
  { places, env }: Pick<Surroundings, "places" | "env">,
  host: Pick<EngineHost, "current">,
): Outside {
  const where = { env, cwd: places.cwd };
  return {
    edit: async (text) => (await import("./editor.ts")).editOutside(text, where),
    page: async (text) => (await import("./pager.ts")).pageText(text, where),
    copy: async (text) => (await import("./clipboard.ts")).copyText(text, { ...where, platform: process.platform }),
    async picture() {
      const { pastePicture } = await import("./clipboard-picture.ts");
      const pasted = await pastePicture({ ...where, platform: process.platform });
      if ("path" in pasted) host.current()?.permissions.notePasted(pasted.path);
      return pasted;
    },
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
    storeKey: async (key) => void (await (await import("../stored-key.ts")).storeKey(places.home, key)),
  };
}
