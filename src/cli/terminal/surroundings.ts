/** What everything behind the terminal stands on: the places, the environment, what was typed. */
import type { EngineOptions } from "../engine.ts";

export type Surroundings = Pick<EngineOptions, "places" | "env" | "flags" | "log">;
