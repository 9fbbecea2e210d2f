/** The interface in lines, from the first line to the exit code. */
import { EXIT, type ExitCode, UserError } from "../../shared/index.ts";
import type { StartChoice, TerminalPorts } from "../../tui/index.ts";
import type { Output } from "../output.ts";
import type { EngineHost } from "./host.ts";
import { beginLineLife } from "./line-life.ts";
import { openLineTerminal } from "./line-terminal.ts";

export interface OnLines {
  readonly host: Pick<EngineHost, "farewell">;
  readonly ports: TerminalPorts;
  readonly start: StartChoice;
  readonly output: Output;
  /** `--color`. */
  readonly color: string | undefined;
}

export async function onLines({ host, ports, start, output, color }: OnLines): Promise<ExitCode> {
  const life = beginLineLife();
  const terminal = openLineTerminal({ output, life, env: process.env, color, theme: ports.settings.theme });
  try {
    const { runLines } = await import("../../tui/index.ts");
    const end = await runLines(ports, start, terminal);
    const farewell = host.farewell();
    if (farewell !== undefined) output.show(`\n${farewell}\n`);
    if (end.unkept !== undefined) output.show(`\nWhat you wrote was not recorded:\n\n${end.unkept}\n`);
    if (end.kind === "failed") throw reasonOf(end.error);
    return life.exitCode() ?? EXIT.done;
  } finally {
    terminal.end();
    life.end();
  }
}

/** What the interface is told by a name is for people by its cause. */
const reasonOf = (error: Error | undefined): unknown =>
  error?.cause instanceof UserError ? error.cause : (error ?? new Error("the terminal failed"));
