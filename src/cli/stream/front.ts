/**
 * A program as the front (`--input-format stream-json`): commands come in by stdin, a line each, and are recorded and acted on
 * in their order; how it went is in the events. Ends with the input, with `quit` or with a signal, and with nothing running.
 */
import {
  err,
  type KernelCommand,
  type KhaelorEvent,
  MAX_LINE_BYTES,
  steadyNow,
  systemClock,
} from "../../shared/index.ts";
import type { Engine } from "../engine.ts";
import { describeFailure } from "../failure.ts";
import type { RunResult } from "../result.ts";
import { lateEnd, type RunEnd } from "../run-turn.ts";
import { onSignals, type StopSignal } from "../signals.ts";
import { runHeadless, takesTime } from "../slash/headless.ts";
import { inputLines } from "./input-lines.ts";
import { readCommand } from "./read-command.ts";
import { createTurnResults } from "./turn-results.ts";

export interface StreamFront {
  /** Of the command line; acted on before anything is read. */
  readonly first: KernelCommand | undefined;
  readonly input: AsyncIterable<Uint8Array>;
  /** Called with each event of this run, in order. */
  readonly onEvent: (event: KhaelorEvent) => void;
  /** Called where a turn ended, behind its last event. */
  readonly onResult: (result: RunResult) => void;
  readonly onRefused: (line: number, message: string) => void;
}

export interface StreamEnd {
  /** Of the last turn. */
  readonly result: RunResult;
  /** How many lines could not be used. */
  readonly refused: number;
}

/** More messages than this may not wait for what they mention to be read. */
const MAX_WAITING = 256;

export async function runStream(engine: Engine, front: StreamFront): Promise<StreamEnd> {
  const { agent, session } = engine;
  const turns = createTurnResults(engine, () => steadyNow(systemClock), front.onResult);
  const stop = createStop();
  const removeSignals = onSignals((name) => {
    stop.signal(name);
    agent.dispatch({ kind: "interrupt" });
  });
  engine.deadline?.onReached(stop.timeIsUp);
  const unsubscribe = session.bus.onAny((event) => {
    turns.before(event);
    front.onEvent(event);
    turns.after(event);
  });
  let refused = 0;
  const refuse = (line: number, message: string): void => {
    refused++;
    front.onRefused(line, message);
  };
  /** After a signal the last result is that of the signal. */
  const settled = (): void => {
    if (!stop.end()) turns.settled();
  };
  const act = (command: KernelCommand): void => {
    agent.dispatch(command);
    agent.settled().then(settled, stop.died);
  };
  try {
    if (front.first) act(front.first);
    const slash: Reading["slash"] = async ({ command, args }) => {
      const problem = await runHeadless(engine, command, args, turns.onCompaction);
      agent.settled().then(settled, stop.died); // a higher cap lets a turn go on
      return problem;
    };
    /** A turn has its result before the last of it is over. What is under way is not waited for: a later line may stop it. */
    const isUnderWay = () => session.state().turn.phase === "open" || agent.waiting() > 0 || agent.isCompacting();
    const atRest = async (): Promise<void> => (isUnderWay() ? undefined : agent.settled().catch(stop.died));
    const underWay = new Set<Promise<void>>();
    const later: Reading["later"] = (work, line) => {
      const done = work.then((problem) => (problem === undefined ? undefined : refuse(line, problem)), stop.died);
      underWay.add(done);
      return undefined;
    };
    const reading = readAll(front.input, { act, slash, later, atRest, refuse, waiting: () => agent.waiting() });
    await Promise.race([reading, stop.promise]);
    const isOver = stop.end() !== undefined || (!stop.isLate() && (await reading) === "quit");
    if (isOver) agent.dispatch({ kind: "quit" });
    else agent.leave();
    await agent.settled();
    await Promise.all(underWay);
    settled();
  } catch (error) {
    stop.died(error);
  } finally {
    await engine.stopProcesses().catch(stop.died); // while somebody hears of their ends
    removeSignals();
    unsubscribe();
  }
  return { result: turns.finish(stop.end() ?? lateEnd(engine.deadline)), refused };
}

interface Reading {
  readonly act: (command: KernelCommand) => void;
  /** Returns why nothing was done. */
  readonly slash: (command: Extract<KernelCommand, { kind: "slash" }>) => Promise<string | undefined>;
  /** What it comes to is told when it is over. */
  readonly later: (work: Promise<string | undefined>, line: number) => undefined;
  readonly atRest: () => Promise<void>;
  readonly refuse: (line: number, message: string) => void;
  readonly waiting: () => number;
}

/** Reads until the input ends or a line says to quit. What is behind that line is not looked at. */
async function readAll(input: AsyncIterable<Uint8Array>, reading: Reading): Promise<"end" | "quit"> {
  for await (const line of inputLines(input, MAX_LINE_BYTES)) {
    if ("text" in line && line.text.trim() === "") continue;
    const command = "problem" in line ? err(line.problem) : readCommand(line.text);
    if (command.ok && command.value.kind === "quit") return "quit";
    const problem = command.ok ? await take(command.value, reading, line.number) : command.error;
    if (problem !== undefined) reading.refuse(line.number, problem);
  }
  return "end";
}

/** Returns why nothing was done. */
async function take(command: KernelCommand, reading: Reading, line: number): Promise<string | undefined> {
  const { act, slash, later, atRest, waiting } = reading;
  if (command.kind === "slash" && !takesTime(command.command)) return slash(command);
  if (command.kind === "slash") {
    await atRest();
    return later(slash(command), line);
  }
  if (says(command) && waiting() >= MAX_WAITING) return TOO_MANY;
  act(command);
  return undefined;
}

const says = ({ kind }: KernelCommand): boolean => kind === "submit-message" || kind === "steer" || kind === "shell";
const TOO_MANY = `${MAX_WAITING} messages wait already; send it again later`;

/** Why the run ends before its input does: a signal, the end of its time, or what ended the program in the middle of a turn. */
function createStop() {
  let end: RunEnd | undefined;
  let isLate = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    promise,
    end: () => end,
    isLate: () => isLate,
    /** The turn that runs ends by itself; what waits on the input is not waited for. */
    timeIsUp(): void {
      isLate = true;
      resolve();
    },
    signal(name: StopSignal): void {
      end ??= { signal: name };
      resolve();
    },
    died(error: unknown): void {
      if (!end?.death) end = { ...end, death: describeFailure(error) };
      resolve();
    },
  };
}
