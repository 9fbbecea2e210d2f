/** What must hold from one line of a log to the next: who it belongs to, its order, and results only for what was asked. */
import type { LogEvent } from "../../shared/index.ts";

export interface Integrity {
  /** Why this event cannot follow the ones before it, or undefined when it can. */
  check(event: LogEvent): string | undefined;
  /** A line could not be read: what it held is unknown, so the next ones are judged by what they still can be. */
  skip(): void;
}

export function createIntegrity(): Integrity {
  const requested = new Set<string>();
  let expected = 1;
  let gapAllowed = false;
  let sessionId: string | undefined;

  function orderProblem(event: LogEvent): string | undefined {
    const { seq } = event;
    if (seq < expected) return `seq ${seq} where ${expected} was expected`;
    const problem = seq > expected && !gapAllowed ? `seq ${seq} where ${expected} was expected` : undefined;
    expected = seq + 1;
    return problem;
  }

  function ownerProblem(event: LogEvent): string | undefined {
    const before = sessionId;
    if (before === undefined || before === event.sessionId || forkedFrom(event) === before) {
      sessionId = event.sessionId;
      return undefined;
    }
    return `it belongs to session ${event.sessionId}, the lines before it to ${before}`;
  }

  function callProblem(event: LogEvent): string | undefined {
    if ("opaque" in event) return undefined;
    if (event.type === "tool.requested") requested.add(event.payload.toolUseId);
    if (event.type !== "tool.completed" && event.type !== "tool.failed" && event.type !== "tool.cancelled") {
      return undefined;
    }
    const { toolUseId } = event.payload;
    return requested.has(toolUseId) || gapAllowed ? undefined : `a result for the call ${toolUseId}, never requested`;
  }

  return {
    check(event) {
      const first = expected === 1 && !gapAllowed;
      const problem = orderProblem(event) ?? ownerProblem(event) ?? callProblem(event);
      if (problem === undefined && first && event.type !== "session.started")
        return "a log begins with session.started";
      return problem;
    },
    skip: () => {
      gapAllowed = true;
    },
  };
}

/** A fork's file begins with its parent's lines; the line that follows them names the parent. */
function forkedFrom(event: LogEvent): string | undefined {
  if ("opaque" in event || event.type !== "session.resumed") return undefined;
  return event.payload.fork?.sessionId;
}
