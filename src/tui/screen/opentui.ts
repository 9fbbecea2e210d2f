/** The screen on a real terminal, drawn by OpenTUI. Nothing outside this folder knows it. */
import { CliRenderer, type KeyEvent, TextareaRenderable } from "@opentui/core";
import type { Key } from "../key.ts";
import type { ScreenFrame } from "../view/frame.ts";
import { themeOf } from "../view/theme.ts";
import { createEditor } from "./editor.ts";
import type { Screen, ScreenHandlers, ScreenOptions } from "./port.ts";
import { paletteOf, Surface } from "./surface.ts";

export async function openScreen(handlers: ScreenHandlers, options: ScreenOptions): Promise<Screen> {
  const { columns = 80, rows = 24 } = process.stdout;
  const renderer = new CliRenderer(process.stdin, process.stdout, columns, rows, {
    exitOnCtrlC: false,
    exitSignals: [],
    useMouse: options.mouse,
    enableMouseMovement: false,
    targetFps: options.maxFps,
    maxFps: options.maxFps,
    openConsoleOnError: false,
    consoleMode: "disabled",
  });
  let frame: ScreenFrame = { rows: [], hasComposerCursor: true, layers: [] };
  const size = () => ({ width: renderer.width, height: renderer.height });
  const surface = new Surface(renderer, {
    palette: paletteOf(themeOf(options.mode, options.depth)),
    lines: () => frame.rows,
  });
  const area = new TextareaRenderable(renderer, { position: "absolute", left: 3, top: 0, height: 1, width: 1 });
  renderer.root.add(surface);
  renderer.root.add(area);
  area.focus();
  /** Before layout, so that the composer stands where the frame says. */
  function prepare(): void {
    frame = handlers.draw(size());
    const at = frame.composer;
    area.visible = at !== undefined;
    if (!at) return;
    Object.assign(area, { left: at.x, top: at.y, width: at.width, height: at.height });
  }
  renderer.keyInput.on("keypress", (event) => {
    if (handlers.key(keyOf(event))) event.preventDefault();
    request();
  });
  area.onContentChange = () => handlers.edited();
  renderer.on("resize", () => {
    handlers.resized(size());
    request();
  });
  function request(): void {
    prepare();
    surface.requestRender();
  }
  prepare();
  await renderer.setupTerminal();
  request();
  return {
    size,
    facts: () => ({ widthMethod: "unicode", hasKittyKeyboard: false }),
    requestFrame: request,
    editor: createEditor(area),
    setTheme(mode) {
      surface.palette = paletteOf(themeOf(mode, options.depth));
      request();
    },
    setMouse: () => undefined,
    setTitle: (title) => renderer.setTerminalTitle(title),
    notify: () => undefined,
    copy: () => false,
    redraw: request,
    suspend: async () => renderer.suspend(),
    resume: async () => renderer.resume(),
    async close() {
      renderer.destroy();
      await renderer.closed;
    },
  };
}

const NAMES: Readonly<Record<string, string>> = { return: "enter", linefeed: "ctrl+j" };

function keyOf({ name, ctrl, meta, shift, sequence }: KeyEvent): Key {
  const isText = !ctrl && !meta && sequence.length > 0 && !/\p{Cc}/u.test(sequence);
  return { name: NAMES[name] ?? name, ctrl, alt: meta, shift, ...(isText && { text: sequence }) };
}
