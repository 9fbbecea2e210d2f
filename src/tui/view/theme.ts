/** What tones and tints look like, by theme and by how many colours the terminal has. */
import type { Tint, Tone } from "../line.ts";

export type ColorDepth = "none" | "16" | "256" | "full";
export type ThemeMode = "dark" | "light";

/** `#rrggbb`, an index of the palette, or the terminal's own colour. */
export type Color = string | number | "default";

export interface Theme {
  readonly tones: Readonly<Record<Tone, Color>>;
  readonly tints: Readonly<Record<Tint, Color>>;
}

const DARK: Theme = {
  tones: {
    fg: "#d9d4cb",
    muted: "#8f887c",
    faint: "#6b655b",
    rule: "#3a3732",
    accent: "#e0a96d",
    you: "#8fb8de",
    ok: "#9ccfae",
    warn: "#e6c17a",
    error: "#e08a84",
    code: "#c9b6f2",
  },
  tints: { added: "#1f2e22", removed: "#342221", selected: "#2a2723", found: "#3a3320", current: "#5a4a20" },
};

export const themeOf = (_mode: ThemeMode, _depth: ColorDepth): Theme => DARK;
