/** How the terminal is used, where there is one. */
import type { Flag } from "./define.ts";

export const TERMINAL_FLAGS = [
  {
    names: ["--theme"],
    key: "theme",
    takes: "value",
    value: "THEME",
    oneOf: ["auto", "light", "dark"],
    about: "auto (default: as the terminal's background is), light, dark",
  },
  {
    names: ["--no-alt-screen"],
    key: "noAltScreen",
    takes: "switch",
    about: "leave what stands in the terminal where it is, and draw below it",
  },
  { names: ["--no-mouse"], key: "noMouse", takes: "switch", about: "leave the mouse to the terminal" },
  {
    names: ["--screen-reader"],
    key: "screenReader",
    takes: "switch",
    about: "nothing is drawn: lines are printed one below the other, to be read aloud",
  },
] as const satisfies readonly Flag[];
