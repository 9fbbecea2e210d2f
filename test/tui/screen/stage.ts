/** A screen with nothing on it but what a test says, and everything that reaches the handlers written down. */
import { afterEach } from "bun:test";
import { keyName } from "../../../src/tui/key.ts";
import type { Line, Tint, Tone } from "../../../src/tui/line.ts";
import type { MouseInput, ScreenHandlers } from "../../../src/tui/screen/port.ts";
import type { ScreenFrame } from "../../../src/tui/view/frame.ts";
import type { Area } from "../../../src/tui/view/layer.ts";
import { openByteScreen } from "../../support/screen.ts";

export const line = (text: string, tone: Tone = "fg", tint?: Tint): Line => {
  const width = Bun.stringWidth(text);
  return { spans: [{ text, width, tone }], width, ...(tint && { tint }) };
};

export interface Heard {
  readonly keys: string[];
  readonly pasted: string[];
  readonly mouse: MouseInput[];
  readonly other: string[];
  draws: number;
  edits: number;
  failure: Error | undefined;
}

export interface Stage {
  readonly heard: Heard;
  readonly handlers: ScreenHandlers;
  /** What is drawn; the composer takes the last row. */
  lines: readonly Line[];
  frame: (size: Area) => ScreenFrame;
  /** Keys that the composer does not get. */
  taken: ReadonlySet<string>;
}

export function createStage(lines: readonly Line[] = []): Stage {
  const heard: Heard = { keys: [], pasted: [], mouse: [], other: [], draws: 0, edits: 0, failure: undefined };
  const stage: Stage = {
    heard,
    lines,
    taken: new Set(["enter"]),
    frame: ({ width, height }) => ({
      rows: stage.lines,
      composer: { x: 2, y: height - 1, width: Math.max(1, width - 2), height: 1 },
      hasComposerCursor: true,
      layers: [],
    }),
    handlers: {
      draw(size) {
        heard.draws++;
        return stage.frame(size);
      },
      key(key) {
        heard.keys.push(keyName(key));
        return stage.taken.has(keyName(key));
      },
      paste: (text) => void heard.pasted.push(text),
      mouse: (event) => void heard.mouse.push(event),
      resized: ({ width, height }) => void heard.other.push(`${width}x${height}`),
      focused: (hasFocus) => void heard.other.push(hasFocus ? "focus" : "blur"),
      themeMode: (mode) => void heard.other.push(mode),
      edited: () => void heard.edits++,
      failed(error) {
        heard.failure = error;
      },
    },
  };
  return stage;
}

/** Closes after each test what it opened. */
export function closing(): <T extends { close(): Promise<void> }>(opened: T) => T {
  const all: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of all.splice(0)) await one.close();
  });
  return (opened) => {
    all.push(opened);
    return opened;
  };
}

/** Looks again and again, for as long as is reasonable. */
export async function until(isThere: () => boolean, boundMs = 5000): Promise<void> {
  const isOver = Date.now() + boundMs;
  while (!isThere()) {
    if (Date.now() > isOver) throw new Error("it never came");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Some turns of the event loop, in which whatever was asked for is painted. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The screen opened on a terminal in the test's hand, with its first frame painted. */
export async function openOn(stage: Stage, options: Parameters<typeof openByteScreen>[1] = {}) {
  const terminal = await openByteScreen(stage.handlers, options);
  await until(() => stage.heard.draws > 0);
  await quiet();
  return terminal;
}
