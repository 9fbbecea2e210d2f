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
  /** What the line seems to have been, where something of that can be read. */
  readonly looksLike?: string;
  /** The line is an event, only not one that can stand there. */
  readonly event?: LogEvent;
}

/** What is known after the last line. */
export interface Findings {
  readonly events: number;
  readonly last?: LogEvent;
  /** Where a torn tail begins, if there is one: the file is sound up to here. */
  readonly tornFrom?: number;
  /** The torn line. */
  readonly torn?: Pick<Damage, "line" | "byte" | "looksLike">;
  readonly damage: readonly Damage[];
}

export interface Judge {
  /** The event of this line. Nothing when it holds none that counts: `damage` may have grown, also by the line before. */
  take(line: RawLine): LogEvent | undefined;
  /** The first of it; bounded. */
  readonly damage: readonly Damage[];
  finish(): Findings;
}

/** How many damaged places are kept; the rest of a ruined file adds nothing. */
const MAX_DAMAGE = 100;

export interface JudgeParts {
  /** The session that the file should hold, if that is known. */
  readonly id?: string | undefined;
  /** The caller's: it knows afterwards what may follow the last line. */
  readonly integrity?: Integrity | undefined;
  /** Told of all damage, also of what is not kept. */
  readonly onDamage?: (damage: Damage) => void;
}

export function createJudge({ id, integrity = createIntegrity(id), onDamage }: JudgeParts = {}): Judge {
  const damage: Damage[] = [];
  let suspect: Damage | undefined;
  let events = 0;
  let last: LogEvent | undefined;
  let cut: Findings["torn"];

  function note(found: Damage): undefined {
    if (damage.length < MAX_DAMAGE) damage.push(found);
    onDamage?.(found);
  }
  function report(found: Damage): undefined {
    note(found);
    integrity.skip(found.event);
  }

  function refuse(at: Pick<Damage, "line" | "byte" | "looksLike">, { kind, message }: DecodeError): undefined {
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
      cut = { ...at, ...seeming(line.text ?? line.head ?? "") };
      return undefined;
    }
    const read =
      line.text === undefined ? err<DecodeError>({ kind: "json", message: line.problem ?? "" }) : decode(line.text);
    if (!read.ok) return refuse({ ...at, ...seeming(line.text ?? line.head ?? "") }, read.error);
    const problem = integrity.problem(read.value);
    if (problem !== undefined) return report({ ...at, reason: problem, event: read.value, ...seemingly(read.value) });
    integrity.accept(read.value);
    events++;
    last = read.value;
    return read.value;
  }

  function finish(): Findings {
    if (last && id !== undefined && last.sessionId !== id) {
      note({ line: 1, byte: 0, reason: `the file is named ${id}, but holds session ${last.sessionId}` });
    }
    const torn = suspect ?? cut;
    return { events, ...(last && { last }), ...(torn && { tornFrom: torn.byte, torn }), damage };
  }
  return { take, damage, finish };
}

const ENVELOPE_CHARACTERS = 400;

/** From what the envelope of an event begins with, as far as it is whole. */
function seeming(text: string): Pick<Damage, "looksLike"> {
  const begin = text.slice(0, ENVELOPE_CHARACTERS);
  const type = /"type":"([a-z]+(?:[.-][a-z]+)*)"/.exec(begin)?.[1];
  const seq = /"seq":(\d{1,15})\b/.exec(begin)?.[1];
  if (type === undefined && seq === undefined) {
    return isEmptied(begin) ? { looksLike: "nothing but zero bytes" } : {};
  }
  const number = seq === undefined ? "" : `event ${seq}`;
  return { looksLike: [number, type].filter(Boolean).join(", ") };
}

/** What a power cut leaves of a page that was not written yet. */
const isEmptied = (text: string): boolean => text !== "" && /^\0+$/.test(text);

const seemingly = ({ seq, type }: LogEvent): Pick<Damage, "looksLike"> => ({ looksLike: `event ${seq}, ${type}` });
