/**
 * Something that lies over the transcript: a palette, a panel, a picker, a viewer. Layers are a stack; a key goes to the top
 * one and on to the next only when it was not consumed.
 */
import type { Key } from "../key.ts";
import type { Line } from "../line.ts";

export interface Area {
  readonly width: number;
  readonly height: number;
}

export interface Layer {
  readonly name: string;
  /** `full` hides all else; `above` stands between transcript and composer, at most as high as it is offered. */
  readonly place: "full" | "above";
  /** At most `height` lines. */
  rows(area: Area): readonly Line[];
  /**
   * Where it wants the terminal's cursor, from its own top left, in the room that `rows` was offered; without it the composer
   * keeps the cursor if it stays in use.
   */
  cursor?(area: Area): { readonly x: number; readonly y: number } | undefined;
  /** True: consumed. What is not consumed goes on to the composer. */
  key(key: Key): boolean;
  /** True: consumed. */
  paste?(text: string): boolean;
  /** From its own top left. True: consumed. */
  click?(x: number, y: number): boolean;
  wheel?(rows: number): boolean;
}
