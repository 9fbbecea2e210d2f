/**
 * How many cells a text takes. Terminals differ on joined emoji: `unicode` counts a grapheme once, `wcwidth` adds up its
 * characters, as tmux and older terminals do.
 */
export type WidthMethod = "unicode" | "wcwidth";

export type Measure = (text: string) => number;

const ASCII = /^[\x20-\x7e]*$/;

export const measureBy =
  (_method: WidthMethod): Measure =>
  (text) =>
    ASCII.test(text) ? text.length : Bun.stringWidth(text);
