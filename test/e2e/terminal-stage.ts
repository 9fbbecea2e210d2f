/**
 * The compiled program on a terminal: on a stage of its own, with a simulated model that does what the user's message says.
 * `inShell` starts it as people do, from an interactive shell, which is there again afterwards.
 */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SimulatorOptions } from "../../src/simulator/index.ts";
import { binary } from "../support/binary.ts";
import { obedientModel } from "../support/obedient-model.ts";
import { openTerminal, type Pty, type TerminalOptions, type Wanted } from "../support/terminal.ts";
import { openTmux, type Tmux } from "../support/tmux.ts";
import { descendants } from "./processes.ts";
import { type Served, TEST_KEY, withModel } from "./stage.ts";

export interface TerminalRun {
  readonly args?: readonly string[];
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** In place of the program: text for `bash -c`, which finds the program as "$KHAELOR"; `interactive` is a shell to type at. */
  readonly shell?: string | { readonly interactive: "bash" | "sh" };
  /** In place of the compiled program, such as the runtime and a source. */
  readonly program?: readonly string[];
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

/** At an interactive shell, with the program running in it. */
export async function inShell(stage: TerminalStage, run: TerminalRun = {}): Promise<{ terminal: Pty; pid: number }> {
  const terminal = stage.open({ cols: 80, rows: 24, shell: { interactive: "bash" }, ...run });
  await terminal.waitFor(PROMPT.trim());
  terminal.type("$KHAELOR\r");
  await terminal.waitFor("ready");
  const found = descendants(terminal.pid).find(({ parent }) => parent === terminal.pid);
  if (!found) throw new Error("the shell has no child");
  return { terminal, pid: found.pid };
}

/** The obedient model answers unless `options` brings another script. */
export function withTerminal(options: StageOptions, work: (stage: TerminalStage) => Promise<void>): Promise<void> {
  return withModel({ script: obedientModel, ...options }, async (served) => {
    const khaelor = await binary();
    const inputrc = join(served.root, "inputrc");
    writeFileSync(inputrc, "set enable-bracketed-paste off\n"); // so that no mode that is on can be the shell's own
    const opened: (Pty | Tmux)[] = [];
    const optionsOf = ({ args = [], shell, cwd, env, program = [khaelor], ...more }: TerminalRun): TerminalOptions => ({
      ...more,
      command: commandOf([...program, ...args], shell),
      cwd: cwd ?? served.project,
      env: {
        PATH: process.env.PATH,
        HOME: served.home,
        KHAELOR_HOME: served.state,
        TMPDIR: `${served.root}/tmp`,
        LANG: "C.UTF-8",
        ANTHROPIC_API_KEY: TEST_KEY,
        ANTHROPIC_BASE_URL: served.simulator.url,
        ...(shell !== undefined && {
          KHAELOR: program.join(" "),
          PS1: PROMPT,
          HISTFILE: "/dev/null",
          INPUTRC: inputrc,
        }),
        ...env,
      },
    });
    const keep = <T extends Pty | Tmux>(terminal: T): T => {
      opened.push(terminal);
      return asserting(terminal);
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

/** That something is seen is what most of these tests assert. */
const asserting = <T extends Pty | Tmux>(terminal: T): T => ({
  ...terminal,
  async waitFor(wanted: Wanted, boundMs?: number) {
    expect(await terminal.waitFor(wanted, boundMs)).toBeUndefined();
  },
});

function commandOf(program: readonly string[], shell: TerminalRun["shell"]): readonly string[] {
  if (shell === undefined) return program;
  if (typeof shell === "string") return ["/bin/bash", "-c", shell, "bash", ...program.slice(1)];
  return shell.interactive === "sh" ? ["/bin/sh", "-i"] : ["/bin/bash", "--norc", "--noprofile", "-i"];
}
