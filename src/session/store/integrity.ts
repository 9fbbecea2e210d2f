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
  /** A line was refused: what it held is unknown, so the next ones may leave a gap, and are not refused in their turn. */
  skip(): void;
}

export function createIntegrity(): Integrity {
  const requested = new Set<string>();
  let expected = 1;
  let sessionId: string | undefined;
  let gapAllowed = false;

  function orderProblem({ seq, type }: LogEvent): string | undefined {
    if (seq < expected || (seq > expected && !gapAllowed)) return `seq ${seq} where ${expected} was expected`;
    return seq === 1 && type !== "session.started" ? `a log begins with session.started, not ${type}` : undefined;
  }

  function ownerProblem(event: LogEvent): string | undefined {
    if (sessionId === undefined || sessionId === event.sessionId || forkedFrom(event) === sessionId) return undefined;
    return `it belongs to session ${event.sessionId}, the lines before it to ${sessionId}`;
  }

  function callProblem(event: LogEvent): string | undefined {
    const answered = answeredCall(event);
    if (answered === undefined || requested.has(answered) || gapAllowed) return undefined;
    return `it is a result for the call ${answered}, which was never requested`;
  }

  return {
    problem: (event) => orderProblem(event) ?? ownerProblem(event) ?? callProblem(event),
    accept(event) {
      expected = event.seq + 1;
      sessionId = event.sessionId;
      if (!("opaque" in event) && event.type === "tool.requested") requested.add(event.payload.toolUseId);
    },
    skip() {
      gapAllowed = true;
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
