/** A task that fills a small window, and models that sum it up well, badly, or not at all. */
import type { Fault, Script, ScriptedTurn, ScriptRequest } from "../../src/simulator/index.ts";
import { AUX, asksForSummary } from "../support/summing-model.ts";
import { bash, type Driven, inHouse, type Setup, say, text, turn } from "./driving.ts";

export const MAIN = "claude-opus-5-5";
/** About three thousand tokens are the frozen prefix; from 13,400 on a compaction is wanted. */
export const WINDOW = 20_000;

export const CHECKPOINT = `objective: print many lines
completed:
  - some lines were printed
current_state: half of the lines are printed
important_files:
  - path: list.txt
    reason: it holds what is still to be printed
changes: []
failed_attempts: []
decisions:
  - print them one after the other
running_processes: []
next_steps:
  - print the next line
raw_evidence: []
`;

export interface Task {
  /** How many commands the model runs for each message; each prints about 2,000 tokens. */
  readonly steps: number;
  /** The n-th answer to a request for a summary. */
  readonly summary?: (attempt: number, request: ScriptRequest) => ScriptedTurn;
  /** Bytes. */
  readonly printed?: number;
  /** What it says at the end. */
  readonly said?: string;
  readonly stopReasonOf?: (step: number) => string | undefined;
  readonly faultOf?: (step: number) => Fault | undefined;
}

/** Counts what it was asked, for after a compaction the conversation does not tell any more. */
export function task(wanted: Task): Script {
  const {
    steps,
    summary = () => say(CHECKPOINT),
    printed = 8_000,
    said = "All is printed.",
    stopReasonOf,
    faultOf,
  } = wanted;
  let step = 0;
  let asked = 0;
  return (request) => {
    if (asksForSummary(request)) return summary(++asked, request);
    if (step >= steps) {
      step = 0;
      return turn({ type: "thinking", thinking: "all done" }, text(said));
    }
    step++;
    const stopReason = stopReasonOf?.(step);
    const thought = { type: "thinking", thinking: `step ${step}` } as const;
    if (stopReason !== undefined) return { ...turn(thought, text("and now")), stopReason };
    const fault = faultOf?.(step);
    const answer = turn(thought, bash(`printf 'line ${step} '; head -c ${printed} /dev/zero | tr '\\0' x`));
    return fault ? { ...answer, fault } : answer;
  };
}

export const inSmallWindow = (setup: Setup, run: (house: Driven) => Promise<void>): Promise<void> =>
  inHouse({ windows: { [MAIN]: WINDOW }, ...setup }, run);

/** So long a wait is asked for that the client gives up at once. */
export const OVERLOADED: Fault = { kind: "http", status: 429, headers: { "retry-after": "100000" } };

/** The events that tell how room was made, and how the turn ended. */
export const courseOf = ({ events }: Driven): readonly string[] =>
  events.flatMap((event) => {
    if (event.type === "context.compacted") return [`compacted ${event.payload.trigger} by ${event.payload.route}`];
    if (event.type === "context.pruned") return ["pruned"];
    if (event.type === "task.failed") return [`failed ${event.payload.reason}`];
    if (event.type === "model.request-failed") return [`request failed: ${event.payload.kind}`];
    return event.type === "task.completed" ? ["completed"] : [];
  });

/** Long answers without a call, so that a message's end is the only place for room. */
export const talk = (tokens: number) => task({ steps: 0, said: "y".repeat(tokens * 4) });

export const isSummary = (body: unknown): boolean => (body as { readonly model: string }).model === AUX;

export const summaries = ({ simulator }: Driven): number =>
  simulator.requests.filter(({ body }) => isSummary(body)).length;
