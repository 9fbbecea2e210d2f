/** Where settings come from. */
import type { Flag } from "./define.ts";

export const CONFIG_FLAGS = [
  {
    names: ["--settings"],
    key: "settings",
    takes: "value",
    value: "FILE",
    about: "settings of this run, stronger than every other file",
  },
  {
    names: ["--config"],
    key: "config",
    takes: "list",
    value: "KEY=VALUE",
    about: "one setting of this run, as in --config limits.maxTurns=20; repeatable",
  },
  {
    names: ["--profile"],
    key: "profile",
    takes: "value",
    value: "NAME",
    about: "the settings that your config keeps under this name",
  },
  {
    names: ["--safe-mode"],
    key: "safeMode",
    takes: "switch",
    about: "without any config file and instruction file: to find out whether one of them is the trouble",
  },
  {
    names: ["--bare"],
    key: "bare",
    takes: "switch",
    about: "without instruction files and captured context: the model gets tools and prompt alone",
  },
] as const satisfies readonly Flag[];
