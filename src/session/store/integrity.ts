/**
 * What must hold from one line of a log to the next: who it belongs to, its order, and results only for what was asked.
 * Asked of every line that is read and of every event before it is written, so that no log is written that cannot be read.
 */
import type { LogEvent } from "../../shared/index.ts";

export interface Integrity {
  /** Why this event cannot follow the ones before it, or undefined when it can. Changes nothing. */
  problem(event: LogEvent): string | undefined;
  /** The event follows. */
  accept(event: LogEvent): void;
  /**
   * A line was refused. What an unreadable one held is unknown, so the next one may leave a gap, and results may answer calls
   * that nobody saw; `event` is what the line held where that can be read: its number is missing behind it, and no wonder.
   */
  skip(event?: LogEvent): void;
  /** Some line was refused. */
  hasGap(): boolean;
}

/** So many refused numbers are remembered; a file with more of them is a ruin. */
const MAX_MISPLACED = 1_000;

/** The line up to which a log is known already. What its calls are is not: a result behind it may answer any. */
interface Known {
  readonly sessionId: string;
  readonly seq: number;
}

/** `id`: of the session that the log should hold, if that is known. `behind`: only lines behind this one are asked of. */
export function createIntegrity(id?: string, behind?: Known): Integrity {
  const requested = new Set<string>();
  /** Numbers of lines that can be read but stand where they cannot. */
  const misplaced = new Set<number>();
  let expected = (behind?.seq ?? 0) + 1;
  let sessionId = behind?.sessionId;
  /** The line before was refused. */
  let isBehindGap = false;
  /** Some line was. */
  let hasGap = false;

  function orderProblem({ seq, type }: LogEvent): string | undefined {
    const isExplained = isBehindGap || (seq > expected && areMisplaced(expected, seq));
    if (seq < expected || (seq > expected && !isExplained)) return `seq ${seq} where ${expected} was expected`;
    return seq === 1 && type !== "session.started" ? `a log begins with session.started, not ${type}` : undefined;
  }

  function areMisplaced(from: number, to: number): boolean {
    if (to - from > misplaced.size) return false;
    for (let seq = from; seq < to; seq++) if (!misplaced.has(seq)) return false;
    return true;
  }

  function ownerProblem(event: LogEvent): string | undefined {
    if (sessionId === undefined || sessionId === event.sessionId || forkedFrom(event) === sessionId) return undefined;
    if (hasGap && event.sessionId === id) return undefined; // the line that began the fork may be the one that is lost
    return `it belongs to session ${event.sessionId}, the lines before it to ${sessionId}`;
  }

  const isOurs = (event: LogEvent): boolean =>
    sessionId === undefined || [sessionId, id].includes(event.sessionId) || forkedFrom(event) === sessionId;

  function callProblem(event: LogEvent): string | undefined {
    const answered = answeredCall(event);
    if (answered === undefined || requested.has(answered) || hasGap || behind) return undefined;
    return `it is a result for the call ${answered}, which was never requested`;
  }

  return {
    problem: (event) => orderProblem(event) ?? ownerProblem(event) ?? callProblem(event),
    accept(event) {
      expected = event.seq + 1;
      sessionId = event.sessionId;
      isBehindGap = false;
      if (!("opaque" in event) && event.type === "tool.requested") requested.add(event.payload.toolUseId);
    },
    hasGap: () => hasGap,
    skip(event) {
      isBehindGap = true;
      hasGap = true;
      if (event && isOurs(event) && misplaced.size < MAX_MISPLACED) misplaced.add(event.seq);
    },
  };
}

function answeredCall(event: LogEvent): string | undefined {
  if ("opaque" in event) return undefined;
  const { type } = event;
  const isResult = type === "tool.completed" || type === "tool.failed" || type === "tool.cancelled";
  return isResult ? event.payload.toolUseId : undefined;
}

/** A fork's file begins with its parent's lines; the line that follows them names the parent. */
function forkedFrom(event: LogEvent): string | undefined {
  if ("opaque" in event || event.type !== "session.resumed") return undefined;
  return event.payload.fork?.sessionId;
}
