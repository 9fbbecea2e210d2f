/** Looks as the native library takes them: colours by value, by index or the terminal's own, and attributes as bits. */
import { RGBA, TextAttributes } from "@opentui/core";
import type { Style, Tint } from "../line.ts";
import { type Color, type Look, lookOf, type Theme } from "../view/theme.ts";

/** Lets through what lies below: the row's background, else the terminal's. */
const CLEAR = RGBA.fromValues(0, 0, 0, 0);

export interface Paint {
  readonly color: RGBA;
  readonly background: RGBA;
  readonly attributes: number;
}

export interface Palette {
  readonly theme: Theme;
  paint(style: Style, rowTint?: Tint): Paint;
}

const rgba = (color: Color): RGBA => (typeof color === "number" ? RGBA.fromIndex(color) : RGBA.fromHex(color));
const colorOf = (color: Color): RGBA => (color === "default" ? RGBA.defaultForeground() : rgba(color));
const backgroundOf = (color: Color): RGBA => (color === "default" ? CLEAR : rgba(color));

const attributesOf = ({ bold, dim, italic, underline, strike, reverse }: Look): number =>
  (bold ? TextAttributes.BOLD : 0) |
  (dim ? TextAttributes.DIM : 0) |
  (italic ? TextAttributes.ITALIC : 0) |
  (underline ? TextAttributes.UNDERLINE : 0) |
  (strike ? TextAttributes.STRIKETHROUGH : 0) |
  (reverse ? TextAttributes.INVERSE : 0);

/** Each look is made once: a frame asks for some hundred, and there are a few dozen. */
export function paletteOf(theme: Theme): Palette {
  const known = new Map<string, Paint>();
  return {
    theme,
    paint(style, rowTint) {
      const key = keyOf(style, rowTint);
      const before = known.get(key);
      if (before) return before;
      const look = lookOf(theme, style, rowTint);
      const paint = {
        color: colorOf(look.color),
        background: backgroundOf(look.background),
        attributes: attributesOf(look),
      };
      known.set(key, paint);
      return paint;
    },
  };
}

const keyOf = ({ tone, tint, bold, dim, italic, underline, strike }: Style, rowTint?: Tint) =>
  `${tone} ${tint ?? rowTint ?? ""} ${bold ? "b" : ""}${dim ? "d" : ""}${italic ? "i" : ""}${underline ? "u" : ""}${strike ? "s" : ""}`;
