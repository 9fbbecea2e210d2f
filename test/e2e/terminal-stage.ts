/**
 * The compiled program on a terminal: on a stage of its own, with a simulated model that does what the user's message says.
 * `inShell` starts it as people do, from an interactive shell, which is there again afterwards.
 */
import type { SimulatorOptions } from "../../src/simulator/index.ts";
import { binary } from "../support/binary.ts";
import { obedientModel } from "../support/obedient-model.ts";
import { openTerminal, type Pty, type TerminalOptions } from "../support/terminal.ts";
import { openTmux, type Tmux } from "../support/tmux.ts";
import { type Served, TEST_KEY, withModel } from "./stage.ts";

export interface TerminalRun {
  readonly args?: readonly string[];
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** In place of the program: text for `bash -c`, which finds the program as "$KHAELOR"; `interactive` is a shell to type at. */
  readonly shell?: string | { readonly interactive: true };
  readonly onOutput?: (bytes: Uint8Array) => void;
  readonly answers?: boolean;
}

export interface TerminalStage extends Served {
  /** Closed with the stage. */
  open(run?: TerminalRun): Pty;
  openTmux(run?: TerminalRun): Promise<Tmux>;
}

type StageOptions = Partial<SimulatorOptions> & { readonly files?: Readonly<Record<string, string>> };

export const PROMPT = "shell$ ";

/** The obedient model answers unless `options` brings another script. */
export function withTerminal(options: StageOptions, work: (stage: TerminalStage) => Promise<void>): Promise<void> {
  return withModel({ script: obedientModel, ...options }, async (served) => {
    const khaelor = await binary();
    const opened: (Pty | Tmux)[] = [];
    const optionsOf = ({ args = [], shell, cwd, env, ...more }: TerminalRun): TerminalOptions => ({
      ...more,
      command: commandOf([khaelor, ...args], shell),
      cwd: cwd ?? served.project,
      env: {
        PATH: process.env.PATH,
        HOME: served.home,
        KHAELOR_HOME: served.state,
        TMPDIR: `${served.root}/tmp`,
        LANG: "C.UTF-8",
        ANTHROPIC_API_KEY: TEST_KEY,
        ANTHROPIC_BASE_URL: served.simulator.url,
        ...(shell !== undefined && { KHAELOR: khaelor, PS1: PROMPT, HISTFILE: "/dev/null" }),
        ...env,
      },
    });
    const keep = <T extends Pty | Tmux>(terminal: T): T => {
      opened.push(terminal);
      return terminal;
    };
    try {
      await work({
        ...served,
        open: (run = {}) => keep(openTerminal(optionsOf(run))),
        openTmux: async (run = {}) => keep(await openTmux(optionsOf(run))),
      });
    } finally {
      for (const terminal of opened) await terminal.close();
    }
  });
}

function commandOf(program: readonly string[], shell: TerminalRun["shell"]): readonly string[] {
  if (shell === undefined) return program;
  if (typeof shell === "string") return ["/bin/bash", "-c", shell, "bash", ...program.slice(1)];
  return ["/bin/bash", "--norc", "--noprofile", "-i"];
}
