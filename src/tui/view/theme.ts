/**
 * What tones and tints look like, by theme and by how many colours the terminal has. A terminal with few colours gets indices
 * of its own palette and one without gets attributes, so nothing is ever said by a colour that is not there.
 */
import type { Style, Tint, Tone } from "../line.ts";

export type ColorDepth = "none" | "16" | "256" | "full";
export type ThemeMode = "dark" | "light";

/** `#rrggbb`, an index of the palette, or the terminal's own colour. */
export type Color = string | number | "default";

/** What is added to a style where a colour cannot say it. */
export interface Emphasis {
  readonly bold?: true;
  readonly dim?: true;
  readonly underline?: true;
  readonly reverse?: true;
  /** The text takes the colour of this tone. */
  readonly tone?: Tone;
}

export interface Theme {
  readonly tones: Readonly<Record<Tone, Color>>;
  readonly tints: Readonly<Record<Tint, Color>>;
  readonly emphasis: Readonly<Partial<Record<Tone | Tint, Emphasis>>>;
}

type Tones = Theme["tones"];
type Tints = Theme["tints"];

const DARK: Tones = {
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
};

const LIGHT: Tones = {
  fg: "#2b2926",
  muted: "#6d665d",
  faint: "#a49c90",
  rule: "#ddd6ca",
  accent: "#9a5b13",
  you: "#2f5f8f",
  ok: "#3f7a45",
  warn: "#8a6000",
  error: "#b23a3a",
  code: "#5b4a9c",
};

const DARK_TINTS: Tints = {
  added: "#1f2e22",
  removed: "#342221",
  selected: "#2a2723",
  found: "#3a3320",
  current: "#5a4a20",
};
const LIGHT_TINTS: Tints = {
  added: "#e3f0e0",
  removed: "#f7e1de",
  selected: "#efe8db",
  found: "#f6ecc8",
  current: "#ecd590",
};

const DARK_256: Tones = {
  fg: 252,
  muted: 245,
  faint: 241,
  rule: 237,
  accent: 179,
  you: 110,
  ok: 151,
  warn: 180,
  error: 174,
  code: 183,
};
const LIGHT_256: Tones = {
  fg: 235,
  muted: 242,
  faint: 247,
  rule: 253,
  accent: 130,
  you: 25,
  ok: 65,
  warn: 94,
  error: 131,
  code: 61,
};
const DARK_TINTS_256: Tints = { added: 22, removed: 52, selected: 236, found: 58, current: 94 };
const LIGHT_TINTS_256: Tints = { added: 194, removed: 224, selected: 255, found: 230, current: 222 };

const NO_TINTS: Tints = {
  added: "default",
  removed: "default",
  selected: "default",
  found: "default",
  current: "default",
};

/** What is dark on a dark screen is bright instead: the palette's plain blue cannot be read there. */
const tones16 = (blue: number): Tones => ({
  fg: "default",
  muted: 8,
  faint: 8,
  rule: 8,
  accent: 3,
  you: blue,
  ok: 2,
  warn: 3,
  error: 1,
  code: 5,
});

const PLAIN: Tones = {
  fg: "default",
  muted: "default",
  faint: "default",
  rule: "default",
  accent: "default",
  you: "default",
  ok: "default",
  warn: "default",
  error: "default",
  code: "default",
};

const MARKED: Theme["emphasis"] = {
  selected: { reverse: true },
  found: { underline: true },
  current: { reverse: true },
};
const EMPHASIS_16: Theme["emphasis"] = {
  ...MARKED,
  warn: { bold: true },
  added: { tone: "ok" },
  removed: { tone: "error" },
};
/** A diff is told by its `+` and `-`, a state by its sign. */
const EMPHASIS_NONE: Theme["emphasis"] = {
  ...MARKED,
  you: { bold: true },
  accent: { bold: true },
  warn: { bold: true },
  error: { bold: true },
  muted: { dim: true },
  faint: { dim: true },
  rule: { dim: true },
};

const THEMES: Readonly<Record<ColorDepth, Readonly<Record<ThemeMode, Theme>>>> = {
  full: {
    dark: { tones: DARK, tints: DARK_TINTS, emphasis: {} },
    light: { tones: LIGHT, tints: LIGHT_TINTS, emphasis: {} },
  },
  "256": {
    dark: { tones: DARK_256, tints: DARK_TINTS_256, emphasis: {} },
    light: { tones: LIGHT_256, tints: LIGHT_TINTS_256, emphasis: {} },
  },
  "16": {
    dark: { tones: tones16(12), tints: NO_TINTS, emphasis: EMPHASIS_16 },
    light: { tones: tones16(4), tints: NO_TINTS, emphasis: EMPHASIS_16 },
  },
  none: {
    dark: { tones: PLAIN, tints: NO_TINTS, emphasis: EMPHASIS_NONE },
    light: { tones: PLAIN, tints: NO_TINTS, emphasis: EMPHASIS_NONE },
  },
};

/** The same object for the same choice. */
export const themeOf = (mode: ThemeMode, depth: ColorDepth): Theme => THEMES[depth][mode];

/** A style in a theme, with nothing left to decide: what a terminal is told, or a file of styled text. */
export interface Look {
  readonly color: Color;
  /** `default` is the terminal's own. */
  readonly background: Color;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly reverse: boolean;
}

/** A span's own tint goes before that of its row. */
export function lookOf(theme: Theme, style: Style, rowTint?: Tint): Look {
  const tint = style.tint ?? rowTint;
  const ofTint = tint === undefined ? undefined : theme.emphasis[tint];
  const tone = ofTint?.tone ?? style.tone;
  const ofTone = theme.emphasis[tone];
  return {
    color: theme.tones[tone],
    background: tint === undefined ? "default" : theme.tints[tint],
    bold: style.bold === true || ofTone?.bold === true,
    dim: style.dim === true || ofTone?.dim === true,
    italic: style.italic === true,
    underline: style.underline === true || ofTint?.underline === true,
    strike: style.strike === true,
    reverse: ofTint?.reverse === true,
  };
}
