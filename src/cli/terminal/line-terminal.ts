/** The standard streams as a terminal that works in lines: nothing of it is set to anything, but the echo while a secret is typed. */
import { steadyNow, systemClock } from "../../shared/index.ts";
import type { LineTerminal } from "../../tui/index.ts";
import type { Output } from "../output.ts";
import type { Environment } from "../settings.ts";
import { screenOptions } from "./environment.ts";
import type { LineLife } from "./line-life.ts";
import { isTerminal, readSettings, terminalSize, unseenSettings, writeSettings } from "./tty.ts";
import { typedLines } from "./typed-lines.ts";

export interface LineTerminalOptions {
  readonly output: Output;
  readonly life: LineLife;
  readonly env: Environment;
  /** `--color`. */
  readonly color: string | undefined;
  readonly theme: "auto" | "light" | "dark";
}

export interface OpenLineTerminal extends LineTerminal {
  end(): void;
}

/** Of a line that nothing has to fit into. */
const PIPE_COLUMNS = 100;

export function openLineTerminal({ output, life, env, color, theme }: LineTerminalOptions): OpenLineTerminal {
  const isSeen = isTerminal(1);
  const isEchoed = isTerminal(0) && isSeen;
  const lines = typedLines(process.stdin, () => steadyNow(systemClock));
  // What is no terminal shows colours only to somebody who asked for them.
  const wished = color ?? (isSeen || env.FORCE_COLOR ? "auto" : "never");
  const { mode, depth } = screenOptions(env, { color: wished, theme, mouse: false, alternateScreen: false });
  return {
    write(text) {
      output.out(text);
      if (output.closed()) life.gone();
    },
    lines,
    columns: () => (isSeen ? terminalSize().columns : PIPE_COLUMNS),
    look: { mode, depth },
    isEchoed,
    onInterrupt: life.onInterrupt,
    ...(isEchoed && readSettings() && { unseen }),
    stop: life.stop,
    end: lines.end,
  };
}

async function unseen<T>(work: () => Promise<T>): Promise<T> {
  const before = readSettings();
  const restore = () => void (before && writeSettings(before));
  process.on("exit", restore);
  try {
    if (before) writeSettings(unseenSettings(before));
    return await work();
  } finally {
    restore();
    process.off("exit", restore);
  }
}
