/** The screen on a real terminal, drawn by OpenTUI. Nothing outside this folder knows it. */
import { CliRenderer, NativeSession } from "@opentui/core";
import { gatherArrivals } from "./arrivals.ts";
import { withoutItsListeners } from "./foreign-listeners.ts";
import type { Screen, ScreenHandlers, ScreenOptions } from "./port.ts";
import { RendererScreen } from "./screen.ts";

/** Where input comes from and output goes; the program's own terminal unless a test has another. */
export interface TerminalStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** A terminal may say anything; more the library cannot hold, and no screen has. The rest stays empty. */
const MOST = { columns: 2000, rows: 500 } as const;

/** After the last of a series of new sizes, as while a window is dragged. */
const RESIZE_MS = 30;

/** A pace no frame is held back by: how often is painted is decided by the screen. */
const UNLIMITED_FPS = Number.POSITIVE_INFINITY;

export async function openScreen(
  handlers: ScreenHandlers,
  options: ScreenOptions,
  { stdin, stdout }: TerminalStreams = process,
): Promise<Screen> {
  // Zero is what a terminal says whose size nobody has set.
  const columns = Math.min(stdout.columns || 80, MOST.columns);
  const rows = Math.min(stdout.rows || 24, MOST.rows);
  const session = new NativeSession(stdout);
  const renderer = withoutItsListeners(
    () =>
      new CliRenderer(stdin, stdout, columns, rows, {
        nativeSession: session,
        exitOnCtrlC: false,
        exitSignals: [],
        useMouse: options.mouse,
        enableMouseMovement: false,
        autoFocus: false,
        screenMode: options.alternateScreen ? "alternate-screen" : "main-screen",
        targetFps: UNLIMITED_FPS,
        maxFps: UNLIMITED_FPS,
        debounceDelay: RESIZE_MS,
        openConsoleOnError: false,
        consoleMode: "disabled",
        // Which colours are used is the theme's decision: the library passes on what it is given. No pictures are drawn, so
        // the terminal need not be asked how.
        environment: { COLORTERM: "truecolor", OPENTUI_GRAPHICS: "false" },
      }),
  );
  const resize = renderer.requestResize.bind(renderer);
  renderer.requestResize = (width, height) => resize(Math.min(width, MOST.columns), Math.min(height, MOST.rows));
  const screen = new RendererScreen({
    renderer,
    handlers,
    options,
    write: (bytes) => session.open && session.write(Buffer.from(bytes, "utf8")),
    sizeNow() {
      const [width, height] = stdout.getWindowSize?.() ?? [];
      return width && height ? { width, height } : undefined;
    },
  });
  /** A size that came and went before anybody looked: the terminal has cut its rows, and the library sees no change. */
  const resized = () => {
    if (stdout.columns === renderer.width && stdout.rows === renderer.height) screen.redraw();
  };
  process.on("SIGWINCH", resized);
  renderer.once("destroy", () => process.off("SIGWINCH", resized));
  renderer.once("destroy", gatherArrivals(stdin));
  for (const bytes of options.early ?? []) stdin.emit("data", Buffer.from(bytes));
  await renderer.setupTerminal();
  screen.requestFrame();
  // When whoever waits for the screen has it.
  setImmediate(() => screen.start());
  return screen;
}
