/**
 * The terminal as the interface sees it. `opentui.ts` is the only implementation that draws; line mode needs none of this.
 * Nothing here throws for what a terminal cannot do: it is left out.
 */
import type { Key } from "../key.ts";
import type { WidthMethod } from "../layout/width.ts";
import type { Rect, ScreenFrame } from "../view/frame.ts";
import type { Area } from "../view/layer.ts";
import type { ColorDepth, ThemeMode } from "../view/theme.ts";

export interface ScreenHandlers {
  /**
   * Called for each frame, before it is painted; must be quick. It settles what only a drawing tells: which rows of the
   * transcript are seen, whether its end is followed, since when a question is in sight. Nothing else changes by it.
   */
  draw(size: Area): ScreenFrame;
  /** True: the composer does not get it. */
  key(key: Key): boolean;
  /** Text as pasted, cleaned of control characters. */
  paste(text: string): void;
  mouse(event: MouseInput): void;
  resized(size: Area): void;
  focused(hasFocus: boolean): void;
  /** The terminal was given away and is the screen's again. */
  resumed?(): void;
  /** The terminal said whether it is dark. */
  themeMode(mode: ThemeMode): void;
  /** The composer's text or cursor changed. */
  edited(): void;
  /** A paint failed, or the native part did. The terminal is restored already; the program ends. */
  failed(error: Error): void;
}

export interface MouseInput {
  readonly kind: "down" | "drag" | "up" | "wheel";
  readonly x: number;
  readonly y: number;
  /** Of a wheel: negative is up. */
  readonly rows?: number;
}

/** Whether the mouse is there. */
export const isWithin = ({ x, y, width, height }: Rect, at: MouseInput): boolean =>
  at.x >= x && at.x < x + width && at.y >= y && at.y < y + height;

export interface ScreenOptions {
  readonly mode: ThemeMode;
  readonly depth: ColorDepth;
  readonly mouse: boolean;
  readonly alternateScreen: boolean;
  /** Frames a second at most, of those that nobody waits for: 30, less over a slow link. */
  readonly maxFps: number;
  /** Bytes typed before the screen was there, where somebody has read them from the terminal already. */
  readonly early?: readonly Uint8Array[];
  /** Aborted from outside when the program has to end: an Error as its reason is what went wrong. */
  readonly stop?: AbortSignal;
}

export interface TerminalFacts {
  readonly widthMethod: WidthMethod;
  /** Shift+Enter and the like arrive as such. */
  readonly hasKittyKeyboard: boolean;
}

export interface Screen {
  size(): Area;
  facts(): TerminalFacts;
  /** A frame is drawn soon; many calls give one. */
  requestFrame(): void;
  /**
   * Resolves when all that was typed and asked for so far is on the terminal, and for one that takes nothing after a moment: what
   * keeps the program busy can wait for it. Never rejects.
   */
  settled(): Promise<void>;
  readonly editor: Editor;
  setTheme(mode: ThemeMode): void;
  setMouse(isOn: boolean): void;
  setTitle(title: string): void;
  /** A desktop notification where the terminal has them, else the bell. */
  notify(text: string): void;
  /** By the terminal's own clipboard sequence. False: it is known to have none. */
  copy(text: string): boolean;
  /** Everything is painted anew. */
  redraw(): void;
  /** Gives the terminal back, for another program or for the shell, until `resume`. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  /** Restores the terminal. Idempotent; nothing is drawn afterwards. */
  close(): Promise<void>;
}

export type EditorAction =
  | "move-left"
  | "move-right"
  | "move-up"
  | "move-down"
  | "word-forward"
  | "word-backward"
  | "line-home"
  | "line-end"
  | "buffer-home"
  | "buffer-end"
  | "backspace"
  | "delete"
  | "delete-word-backward"
  | "delete-word-forward"
  | "delete-to-line-start"
  | "delete-to-line-end"
  | "newline"
  | "undo"
  | "redo"
  | "select-all";

/** A piece of the draft that is one thing: a pasted text, a mentioned file, an image. Erased whole. */
export interface Chip {
  readonly label: string;
  readonly kind: "paste" | "mention" | "image";
  /** What it stands for: the pasted text, the path with its range. */
  readonly value: string;
}

export interface PlacedChip extends Chip {
  /** Offsets in `text()`, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** The composer's text. Offsets are UTF-16 units of `text()`. */
export interface Editor {
  /** Chips as their labels. */
  text(): string;
  chips(): readonly PlacedChip[];
  cursor(): number;
  setCursor(offset: number): void;
  /** Replaces everything; undo goes back. */
  setText(text: string, chips?: readonly PlacedChip[]): void;
  insert(text: string): void;
  /** In place of a range, when one is given. */
  insertChip(chip: Chip, replacing?: { readonly start: number; readonly end: number }): void;
  run(action: EditorAction): void;
  /** How many rows the text takes at this width, and which of them holds the cursor. */
  rows(width: number): { readonly count: number; readonly cursor: number };
  selectedText(): string;
  /** Of the cursor: vim's normal mode has a block. */
  setCursorShape(shape: "bar" | "block"): void;
}
