/**
 * The real screen over the library's test renderer: the same adapter and the same native code, in memory. Keys are typed as
 * bytes, frames are read as text and as colours.
 */
import { PassThrough, Writable } from "node:stream";
import { type CapturedFrame, TextareaRenderable } from "@opentui/core";
import { createTestRenderer } from "@opentui/core/testing";
import { openScreen } from "../../src/tui/screen/opentui.ts";
import type { Screen, ScreenHandlers, ScreenOptions } from "../../src/tui/screen/port.ts";
import { RendererScreen } from "../../src/tui/screen/screen.ts";
import { NO_SIGNALS } from "./renderer-options.ts";

export interface TestScreenOptions extends Partial<Pick<ScreenOptions, "mode" | "depth" | "maxFps" | "mouse">> {
  readonly columns?: number;
  readonly rows?: number;
}

export interface TestScreen {
  /** Give this to the app in place of `openScreen`; call it once. */
  open(handlers: ScreenHandlers): Promise<Screen>;
  /** Bytes as a terminal sends them. Resolves when all that follows is painted. */
  type(bytes: string): Promise<void>;
  /** As a terminal pastes, in brackets. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Resolves when nothing is asked for any more. */
  settled(): Promise<void>;
  /** Looks again after each frame; rejects with the screen when it never holds. */
  waitFor(isThere: (frame: string) => boolean): Promise<void>;
  /** Rows without spaces at their ends. */
  frame(): string;
  colors(): CapturedFrame;
  cursor(): { readonly x: number; readonly y: number; readonly isVisible: boolean };
  /** What the library's own text area holds, and where its cursor stands, in rows and cells. */
  area(): { readonly text: string; readonly row: number; readonly col: number };
  /** What was written beside frames: clipboard, bell. */
  readonly written: readonly string[];
  close(): Promise<void>;
}

/** No frame waits for another. */
const DEFAULTS = { mode: "dark", depth: "full", maxFps: Number.POSITIVE_INFINITY } as const;

/** A wait that takes longer hangs. */
const WAIT_MS = 5000;

export async function createTestScreen(options: TestScreenOptions = {}): Promise<TestScreen> {
  const { columns = 100, rows = 30 } = options;
  const setup = await createTestRenderer({
    ...{ width: columns, height: rows, exitOnCtrlC: false, ...NO_SIGNALS, autoFocus: false },
    ...{
      useMouse: options.mouse ?? true,
      enableMouseMovement: false,
      maxFps: Number.POSITIVE_INFINITY,
      targetFps: Number.POSITIVE_INFINITY,
    },
    openConsoleOnError: false,
  });
  const { renderer } = setup;
  const written: string[] = [];
  let screen: RendererScreen | undefined;
  const frame = () =>
    setup
      .captureCharFrame()
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  const settled = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await renderer.idle();
  };
  let keys = 0;
  const send = async (bytes: string) => {
    const before = keys;
    renderer.stdin.emit("data", Buffer.from(bytes));
    // Only after a while is it known that an Escape stands for itself.
    const isOver = Date.now() + WAIT_MS;
    while (bytes.endsWith("\x1b") && keys === before && Date.now() < isOver) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await settled();
  };
  return {
    async open(handlers) {
      screen = new RendererScreen({
        renderer,
        handlers: {
          ...handlers,
          key(key) {
            keys++;
            return handlers.key(key);
          },
        },
        options: { ...DEFAULTS, ...options },
        write: (bytes) => written.push(bytes) > 0,
      });
      screen.requestFrame();
      const opened = screen;
      setImmediate(() => opened.start());
      return screen;
    },
    type: send,
    paste: (text) => send(`\x1b[200~${text}\x1b[201~`),
    async resize(width, height) {
      setup.resize(width, height);
      await settled();
    },
    settled,
    async waitFor(isThere) {
      await setup.waitFor(() => isThere(frame()), { maxPasses: 1000 });
    },
    frame,
    colors: () => setup.captureSpans(),
    cursor() {
      const { x, y, visible } = renderer.getCursorState();
      return { x: x - 1, y: y - 1, isVisible: visible };
    },
    area() {
      const area = renderer.root.getChildren().find((child) => child instanceof TextareaRenderable);
      if (!area) throw new Error("there is no text area");
      const { row, col } = area.logicalCursor;
      return { text: area.plainText, row, col };
    },
    written,
    close: async () => (screen ? screen.close() : setup.dispose()),
  };
}

/** The screen as it is opened on a terminal, with that terminal in the test's hand: bytes in, bytes out. */
export interface ByteScreen {
  readonly screen: Screen;
  send(bytes: string | Uint8Array): void;
  /** All that was written since it was last asked. */
  take(): string;
}

export async function openByteScreen(
  handlers: ScreenHandlers,
  options: Partial<ScreenOptions> & { readonly columns?: number; readonly rows?: number } = {},
): Promise<ByteScreen> {
  const { columns = 40, rows = 10 } = options;
  let written: Buffer[] = [];
  const output = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      written.push(Buffer.from(chunk));
      done();
    },
  });
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
  }) as unknown as NodeJS.ReadStream; // as much of one as is used
  const stdout = Object.assign(output, { isTTY: true, columns, rows }) as unknown as NodeJS.WriteStream; // likewise
  const screen = await openScreen(
    handlers,
    { ...DEFAULTS, mouse: true, alternateScreen: true, early: [], ...options },
    { stdin, stdout },
  );
  return {
    screen,
    send: (bytes) => void stdin.emit("data", Buffer.from(bytes as string)),
    take() {
      const text = Buffer.concat(written).toString("utf8");
      written = [];
      return text;
    },
  };
}
