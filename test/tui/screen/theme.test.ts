/** The themes: readable, the same set of names everywhere, and no colour where there is none. */
import { describe, expect, test } from "bun:test";
import type { Tint, Tone } from "../../../src/tui/line.ts";
import { type Color, type ColorDepth, lookOf, type ThemeMode, themeOf } from "../../../src/tui/view/theme.ts";

const DEPTHS: readonly ColorDepth[] = ["none", "16", "256", "full"];
const MODES: readonly ThemeMode[] = ["dark", "light"];
const DECORATION: readonly Tone[] = ["faint", "rule"];
const BACKGROUND = { dark: "#161512", light: "#faf8f4" } as const;

const LEVELS = [0, 95, 135, 175, 215, 255];

function rgbOf(color: Color): readonly number[] {
  if (typeof color === "number") {
    if (color >= 232) return [8, 8, 8].map((base) => base + (color - 232) * 10);
    const cube = color - 16;
    return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => LEVELS[level] ?? 0);
  }
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** As WCAG 2 defines it. */
function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(color).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const entries = <K extends string, V>(table: Readonly<Record<K, V>>) => Object.entries(table) as [K, V][];

describe.each(MODES)("the %s theme", (mode) => {
  const { tones, tints } = themeOf(mode, "full");

  test("can be read: 4.5 to 1 for whatever is text", () => {
    const weak = entries(tones).filter(
      ([tone, color]) => !DECORATION.includes(tone) && contrast(color, BACKGROUND[mode]) < 4.5,
    );
    expect(weak).toEqual([]);
  });

  test("can be read where a row is tinted", () => {
    const on = (tint: Tint, tone: Tone) => contrast(tones[tone], tints[tint]);
    const pairs = (["added", "removed", "selected", "found", "current"] as const).flatMap((tint) =>
      (["fg", "ok", "error"] as const).map((tone) => [tint, tone, on(tint, tone)] as const),
    );
    expect(pairs.filter(([tint, tone, ratio]) => ratio < (tone === "fg" && tint !== "current" ? 7 : 3))).toEqual([]);
  });

  test("is near with 256 colours to what it is with all", () => {
    const near = themeOf(mode, "256");
    const far = entries(near.tones).filter(
      ([tone, color]) =>
        !DECORATION.includes(tone) && contrast(color, BACKGROUND[mode]) < (mode === "dark" ? 4.5 : 3.8),
    );
    expect(far).toEqual([]);
  });
});

test("256 colours are the table's, not the nearest to another", () => {
  expect(themeOf("dark", "256").tones).toEqual({
    ...{ fg: 252, muted: 245, faint: 241, rule: 237, accent: 179, you: 110 },
    ...{ ok: 151, warn: 180, error: 174, code: 183 },
  });
  expect(themeOf("light", "256").tones).toEqual({
    ...{ fg: 235, muted: 242, faint: 247, rule: 253, accent: 130, you: 25 },
    ...{ ok: 65, warn: 94, error: 131, code: 61 },
  });
  expect(themeOf("dark", "256").tints).toMatchObject({ added: 22, removed: 52, selected: 236 });
  expect(themeOf("light", "256").tints).toMatchObject({ added: 194, removed: 224, selected: 255 });
});

test("each depth has colours of its own kind only", () => {
  const kinds = (depth: ColorDepth) =>
    new Set(
      MODES.flatMap((mode) => {
        const { tones, tints } = themeOf(mode, depth);
        return [...Object.values(tones), ...Object.values(tints)].map((color) => {
          if (color === "default") return "default";
          if (typeof color === "string") return "rgb";
          return color < 16 ? "basic" : "indexed";
        });
      }),
    );
  expect(DEPTHS.map((depth) => [...kinds(depth)].sort())).toEqual([
    ["default"],
    ["basic", "default"],
    ["indexed"],
    ["rgb"],
  ]);
});

const plain = { color: "default", background: "default", bold: false, dim: false, italic: false };
const unmarked = { underline: false, strike: false, reverse: false };

test("without colours, attributes say who speaks and what is chosen", () => {
  const theme = themeOf("dark", "none");
  const base = { ...plain, ...unmarked } as const;
  expect(lookOf(theme, { tone: "you" })).toEqual({ ...base, bold: true });
  expect(lookOf(theme, { tone: "muted" })).toEqual({ ...base, dim: true });
  expect(lookOf(theme, { tone: "fg" }, "selected")).toEqual({ ...base, reverse: true });
  expect(lookOf(theme, { tone: "fg" }, "added")).toEqual(base);
});

test("with few colours, what is added is green text without a background", () => {
  const theme = themeOf("light", "16");
  const base = { ...plain, ...unmarked } as const;
  expect(lookOf(theme, { tone: "fg" }, "added")).toEqual({ ...base, color: 2 });
  expect(lookOf(theme, { tone: "code", tint: "removed" })).toEqual({ ...base, color: 1 });
  expect(lookOf(theme, { tone: "warn" })).toEqual({ ...base, color: 3, bold: true });
});

test("a span's tint goes before its row's", () => {
  const theme = themeOf("dark", "full");
  expect(lookOf(theme, { tone: "fg", tint: "found" }, "added").background).toBe(theme.tints.found);
});
