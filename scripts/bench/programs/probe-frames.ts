/**
 * The product's interface on its own terminal, with a watch around each frame: from the first look at the state until the bytes
 * that change the screen are made, layout, painting and the comparison of cells included. `probe-frames FILE [khaelor's flags]`
 * writes the milliseconds of all frames to the file when the interface ends.
 */
import { writeFileSync } from "node:fs";
import type { ScreenHandlers } from "../../../src/tui/screen/port.ts";

const [file = "", ...argv] = process.argv.slice(2);
const { parseArguments } = await import("../../../src/cli/args.ts"); // all lazily, because the build refuses OpenTUI at start
const { flagLayer, placesOf } = await import("../../../src/cli/settings.ts");
const { logChoice } = await import("../../../src/cli/log-choice.ts");
const { screenOptions } = await import("../../../src/cli/terminal/environment.ts");
const { createHost } = await import("../../../src/cli/terminal/host.ts");
const { terminalPorts } = await import("../../../src/cli/terminal/ports.ts");
const { runApp } = await import("../../../src/tui/app/app.ts");
const { openScreen } = await import("../../../src/tui/screen/opentui.ts");

const parsed = parseArguments(argv);
if (!parsed.ok) throw new Error(parsed.error);
const typed = parsed.value;
const places = placesOf(typed, process.env);
const surroundings = { places, env: process.env, flags: flagLayer(typed), log: logChoice(typed) };
const ports = await terminalPorts(createHost(surroundings), surroundings);
const options = screenOptions(process.env, { ...ports.settings, color: typed.color });
const frames: number[] = [];

/** What a frame takes runs in one go, up to the next microtask. */
const watched = (handlers: ScreenHandlers): ScreenHandlers => ({
  ...handlers,
  draw(size) {
    const begun = performance.now();
    queueMicrotask(() => frames.push(performance.now() - begun));
    return handlers.draw(size);
  },
});
const { resume } = typed;
await runApp(
  {
    ports,
    windowMs: 1000 / options.maxFps,
    look: options,
    openScreen: (handlers) => openScreen(watched(handlers), options),
  },
  { session: resume === undefined ? {} : { resume } },
);
writeFileSync(file, JSON.stringify(frames));
process.exit(0);
