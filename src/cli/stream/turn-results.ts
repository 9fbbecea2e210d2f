/**
 * Tells in the stream of a session where each turn ended: a `result` line behind the last event of a turn. A turn that the
 * user stopped has its end when its calls are closed, which is when nothing runs any more, or when the next one begins.
 */
import type { CompactionOutcome } from "../../agent/index.ts";
import { EXIT, type KhaelorEvent } from "../../shared/index.ts";
import type { Engine } from "../engine.ts";
import { type RunResult, watchRun } from "../result.ts";
import type { RunEnd } from "../run-turn.ts";

export interface TurnResults {
  /** Called with each event before its own line is written. */
  before(event: KhaelorEvent): void;
  /** Called after it. */
  after(event: KhaelorEvent): void;
  /** Called with what came of a summary between two turns. */
  onCompaction(outcome: CompactionOutcome): void;
  /** Nothing runs any more. */
  settled(): void;
  /** What the process ends with: the last turn's result, or one more for what no turn has told yet. Called once. */
  finish(end: RunEnd): RunResult;
}

export function createTurnResults(
  { session, resultOptions }: Pick<Engine, "session" | "resultOptions">,
  now: () => number,
  tell: (result: RunResult) => void,
): TurnResults {
  let watch = watchRun(session, now, resultOptions);
  let last: RunResult | undefined;
  let compaction: CompactionOutcome | undefined;
  let isStopped = false;
  let hasBegun = false;

  function turnEnded(end: RunEnd): RunResult {
    const result = watch.finish(end);
    [last, isStopped, hasBegun] = [result, false, false];
    watch = watchRun(session, now, resultOptions);
    tell(result);
    return result;
  }

  return {
    before(event) {
      if (isStopped && begins(event)) turnEnded({});
    },
    after(event) {
      watch.onEvent(event);
      if (event.type === "user.interrupted") isStopped = true;
      else if (isOfTurn(event) || begins(event)) hasBegun = true;
      else if (event.type === "task.completed" || event.type === "task.failed") turnEnded({});
    },
    onCompaction(outcome) {
      if (outcome.ok || outcome.error.reason !== "busy") compaction = outcome;
    },
    settled() {
      if (isStopped) turnEnded({});
    },
    finish(end) {
      if (end.death || end.signal || hasBegun || isStopped) return turnEnded(end);
      if (end.late !== undefined && last?.exit_code !== EXIT.limit) return turnEnded({ ...end, idle: true });
      return last ?? turnEnded({ idle: true, ...(compaction && { compaction }) });
    },
  };
}

/** A summary that the user asks for between two turns begins none either. */
const isOfTurn = (event: KhaelorEvent): boolean =>
  event.type === "model.request-started" && event.payload.purpose !== "compaction";

/** A command of the user's own begins no turn. */
const begins = (event: KhaelorEvent): boolean =>
  (event.type === "user.steering-injected" && event.payload.seam !== "withdrawn") ||
  (event.type === "user.message-created" && !event.payload.shell);
