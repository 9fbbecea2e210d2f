/**
 * Judges the lines of a log one after the other: an event, damage, or a torn tail. Only the last line can be torn: it lacks
 * its newline, or is no event at all. Anything unreadable before it means that someone else changed the file.
 */
import { type DecodeError, decode, err, type LogEvent } from "../../shared/index.ts";
import { createIntegrity, type Integrity } from "./integrity.ts";
import type { RawLine } from "./lines.ts";

export interface Damage {
  readonly line: number;
  readonly byte: number;
  readonly reason: string;
  /** The line is healthy, but this build cannot understand it. */
  readonly newer?: true;
}

/** What is known after the last line. */
export interface Findings {
  readonly events: number;
  readonly last?: LogEvent;
  /** Where a torn tail begins, if there is one: the file is sound up to here. */
  readonly tornFrom?: number;
  readonly damage: readonly Damage[];
}

export interface Judge {
  /** The event of this line. Nothing when it holds none that counts: `damage` may have grown, also by the line before. */
  take(line: RawLine): LogEvent | undefined;
  readonly damage: readonly Damage[];
  /** `id` is the session that the file should hold, if that is known. */
  finish(id?: string): Findings;
}

/** How many damaged places are named; the rest of a ruined file adds nothing. */
const MAX_DAMAGE = 100;

/** `integrity` is the caller's: it knows afterwards what may follow the last line. */
export function createJudge(integrity: Integrity = createIntegrity()): Judge {
  const damage: Damage[] = [];
  let suspect: Damage | undefined;
  let events = 0;
  let last: LogEvent | undefined;
  let cutAt: number | undefined;

  function report(found: Damage): undefined {
    if (damage.length < MAX_DAMAGE) damage.push(found);
    integrity.skip();
  }

  function refuse(at: Pick<Damage, "line" | "byte">, { kind, message }: DecodeError): undefined {
    if (kind === "newer") {
      return report({ ...at, reason: `needs a newer version of khaelor: ${message}`, newer: true });
    }
    if (kind === "payload") return report({ ...at, reason: message });
    // Torn if nothing follows; otherwise damage.
    suspect = { ...at, reason: kind === "json" ? `not JSON: ${message}` : message };
  }

  function take(line: RawLine): LogEvent | undefined {
    if (suspect) suspect = report(suspect);
    const at = { line: line.number, byte: line.offset };
    if (!line.complete) {
      cutAt = line.offset;
      return undefined;
    }
    const read =
      line.text === undefined ? err<DecodeError>({ kind: "json", message: line.problem ?? "" }) : decode(line.text);
    if (!read.ok) return refuse(at, read.error);
    const problem = integrity.problem(read.value);
    if (problem !== undefined) return report({ ...at, reason: problem });
    integrity.accept(read.value);
    events++;
    last = read.value;
    return read.value;
  }

  function finish(id?: string): Findings {
    if (last && id !== undefined && last.sessionId !== id) {
      damage.push({ line: 1, byte: 0, reason: `the file is named ${id}, but holds session ${last.sessionId}` });
    }
    const tornFrom = suspect?.byte ?? cutAt;
    return { events, ...(last && { last }), ...(tornFrom !== undefined && { tornFrom }), damage };
  }
  return { take, damage, finish };
}
