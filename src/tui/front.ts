/** The interface on a terminal: the screen where the terminal can be drawn on, else lines. */
import { type AppEnd, runApp } from "./app/app.ts";
import type { StartChoice, TerminalPorts } from "./ports.ts";
import type { ScreenOptions } from "./screen/port.ts";

/**
 * What draws is heavy, and has a native part that may be missing: it is loaded beforehand. Rejects when it cannot be had; then
 * another file can be given for it.
 */
export async function loadScreen(libraryPath?: string): Promise<void> {
  await import("./screen/opentui.ts");
  (await import("./screen/library.ts")).loadLibrary(libraryPath);
}

/** Resolves when the user is done; the terminal is restored then. */
export async function runTerminal(ports: TerminalPorts, start: StartChoice, options: ScreenOptions): Promise<AppEnd> {
  const { openScreen } = await import("./screen/opentui.ts");
  const windowMs = 1000 / options.maxFps;
  return runApp(
    { ports, openScreen: (handlers) => openScreen(handlers, options), windowMs, look: options, stop: options.stop },
    start,
  );
}
