/** A whole session on a terminal of each kind, at every size, dark and light: what is read is the same on all of them. */
import { beforeAll, describe, setDefaultTimeout, test } from "bun:test";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import type { Pty, Terminal } from "../support/terminal.ts";
import { copiedText } from "../support/terminal-bytes.ts";
import { hasTmux, type Tmux } from "../support/tmux.ts";
import { testsTogether } from "../support/together.ts";
import { RUN_TIMEOUT_MS } from "./stage.ts";
import { FILES, patientModel, type Size, session } from "./terminal-session.ts";
import { everything } from "./terminal-session-script.ts";
import { type TerminalRun, type TerminalStage, withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const SIZES: readonly (readonly [name: string, size: Size])[] = [
  ["100×30", { cols: 100, rows: 30 }],
  ["60×20", { cols: 60, rows: 20 }],
  ["10×8", { cols: 10, rows: 8 }],
];

const THEMES = {
  dark: { accent: "#e0a96d", fg: "#d9d4cb", you: "#8fb8de" },
  light: { accent: "#9a5b13", fg: "#2b2926", you: "#2f5f8f" },
} as const;

type Theme = keyof typeof THEMES;

interface Kind<T extends Terminal> {
  readonly open: (stage: TerminalStage, run: TerminalRun) => T | Promise<T>;
  readonly copied: (terminal: T) => string | undefined;
}

const PTY: Kind<Pty> = {
  open: (stage, run) => stage.open(run),
  copied: (terminal) => copiedText(terminal.bytes()),
};

const TMUX: Kind<Tmux> = {
  open: (stage, run) => stage.openTmux(run),
  copied: (terminal) => terminal.ask(["show-buffer"]),
};

function acceptance<T extends Terminal>({ open, copied }: Kind<T>, theme: Theme, size: Size): Promise<void> {
  return withTerminal({ script: patientModel, files: FILES }, async (stage) => {
    stage.commit();
    const begin = async (args: readonly string[]) => {
      const run = { ...size, args: ["--theme", theme, ...args], env: { HOME: stage.root } };
      return session(await open(stage, run), size);
    };
    const first = await begin([]);
    await everything({
      first,
      stage,
      open: begin,
      copied: () => copied(first.terminal),
      colors: THEMES[theme],
    });
  });
}

const together = testsTogether();

describe("the same session", () => {
  for (const [name, size] of SIZES) {
    together(`${name}, dark`, () => acceptance(PTY, "dark", size));
    if (hasTmux()) {
      together(`${name} in tmux, dark`, () => acceptance(TMUX, "dark", size));
      together(`${name} in tmux, light`, () => acceptance(TMUX, "light", size));
    } else test.skip(`${name} in tmux: this machine has none`, () => undefined);
  }
});
