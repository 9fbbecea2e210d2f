/** The world around the terminal, loaded when it is first used. */
import type { Outside } from "../../tui/index.ts";
import type { Surroundings } from "./surroundings.ts";

export function createOutside({ places, env }: Pick<Surroundings, "places" | "env">): Outside {
  const where = { env, cwd: places.cwd };
  return {
    edit: async (text) => (await import("./editor.ts")).editOutside(text, where),
    page: async (text) => (await import("./pager.ts")).pageText(text, where),
    copy: async (text) => (await import("./clipboard.ts")).copyText(text, { ...where, platform: process.platform }),
    storeKey: async (key) => void (await (await import("../stored-key.ts")).storeKey(places.home, key)),
  };
}
