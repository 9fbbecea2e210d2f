/** What every measurement of the terminal shares: a program on a pseudo-terminal, with a model behind it or without. */
import { type ScriptedTurn, startSimulator } from "../../src/simulator/index.ts";
import type { Ground, Program } from "./ground.ts";
import { type Watched, watch } from "./pty.ts";
import type { Aim, Figure, Unit } from "./table.ts";

/** Nobody's. */
export const KEY = "sk-bench-0123456789";
export const MEGABYTE = 1e6;
/** In the status bar of the first frame that the interface draws, and not in the plain one before. */
export const FRAME = "commands";
/** There as soon as a session is open. */
export const READY = "opus-5-5";
/** Ends every answer: one sign, for of words only the cells that differ from before are written. */
export const END = "∎";
/** By default an answer ends at 32,000 tokens; those here are longer, and the floor takes them whole. */
export const WHOLE_ANSWERS = ["--config", "maxOutputTokens=64000"];

/** What is loaded and compiled beside, once a session is open, is over then: what follows is measured by itself. */
export const SETTLED_MS = 2500;

export interface Opened {
  readonly terminal: Watched;
  readonly close: () => Promise<void>;
}

/** Milliseconds from the start of a program until something is seen; it is ended then. */
export async function started(
  ground: Ground,
  [program, ...flags]: readonly [Program, ...string[]],
  until: (terminal: Watched) => Promise<number>,
): Promise<number> {
  const terminal = watch(ground, [ground.program(program), ...flags], { env: { ANTHROPIC_API_KEY: KEY } });
  try {
    return (await until(terminal)) - terminal.startedAt;
  } finally {
    await terminal.close();
  }
}

/** A product or floor with a model behind it that answers with this. */
export async function withModel(ground: Ground, command: readonly string[], turn: ScriptedTurn): Promise<Opened> {
  const simulator = await startSimulator({ script: () => turn, keepRequests: 1 });
  const terminal = watch(ground, command, {
    env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: simulator.url },
    quit: command[0]?.endsWith("floor-say") ? "\n" : "\x03\x03",
  });
  return {
    terminal,
    async close() {
      await terminal.close();
      await simulator.close();
    },
  };
}

/** A value for which there is one round and no floor. */
export const single = (name: string, unit: Unit, value: number, aim?: Aim): Figure => ({
  name,
  unit,
  floor: [],
  product: [value],
  ...(aim && { aim }),
});

/** The value below which this share of them lies. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
