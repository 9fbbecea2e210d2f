/** Which session a run works in, from what was typed: a new one, an old one, or a fork of one. Refuses what contradicts itself. */
import { EXIT, isUlid, UserError } from "../shared/index.ts";
import type { Arguments } from "./args.ts";

export interface SessionChoice {
  /** An id, the beginning of one, or words that were said. Undefined: a new session. Empty: the project's newest. */
  readonly resume?: string;
  /** Not in that session itself, but in a new one with what it holds, at `seq` if that is given. */
  readonly fork?: { readonly seq?: number };
  /** Of the session that is begun. */
  readonly sessionId?: string;
  /** The title that it gets. */
  readonly name?: string;
}

type Typed = Pick<Arguments, "resume" | "continueLast" | "fork" | "forkSession" | "sessionId" | "name" | "noSession">;

/** Throws UserError. */
export function sessionChoice(typed: Typed): SessionChoice {
  const { fork, forkSession, sessionId, name } = typed;
  const resume = typed.resume ?? (typed.continueLast ? "" : undefined);
  refuseContradictions(typed, resume);
  const { id, seq } = fork === undefined ? { id: resume } : forkSource(fork);
  return {
    ...(id !== undefined && { resume: id }),
    ...((fork !== undefined || forkSession) && { fork: seq === undefined ? {} : { seq } }),
    ...(sessionId !== undefined && { sessionId: validId(sessionId) }),
    ...(name !== undefined && { name: validTitle(name) }),
  };
}

function refuseContradictions(typed: Typed, resume: string | undefined): void {
  const { fork, forkSession, sessionId, noSession, continueLast } = typed;
  if (continueLast && typed.resume) {
    throw wrong("--continue means the newest session and --resume names one: leave out one of them.");
  }
  if (fork !== undefined && resume !== undefined) throw wrong("--fork names its session itself: leave out --resume.");
  if (forkSession && resume === undefined) throw wrong("--fork-session goes with --resume or --continue.");
  if (noSession && (resume ?? fork) !== undefined) {
    throw wrong("--no-session keeps nothing, so it cannot go on with a session that is kept.");
  }
  if (sessionId !== undefined && resume !== undefined && !forkSession) {
    throw wrong("--session-id names a new session: with --resume it needs --fork-session.");
  }
}

/** `ID[@SEQ]`; without the id it is the project's newest. */
export function forkSource(typed: string): { readonly id: string; readonly seq?: number | undefined } {
  const [, id = "", seq] = /^([^@]*)(?:@(.*))?$/s.exec(typed) ?? [];
  if (seq === undefined) return { id };
  if (!/^[1-9]\d{0,14}$/.test(seq)) throw wrong(`"${typed}": behind @ stands the number of an event, as in ID@120.`);
  return { id, seq: Number(seq) };
}

function validId(typed: string): string {
  const id = typed.toUpperCase();
  if (isUlid(id) && id <= LAST_ULID) return id;
  throw wrong(`--session-id must be a ULID (26 characters, as in 01J8ZQ0000SESS0000000000AA), not "${typed}".`);
}

/** The time in it has 48 bits. */
const LAST_ULID = `7${"Z".repeat(25)}`;

const TITLE_CHARACTERS = 200;

/** On one line, for lists. Throws UserError when nothing is left. */
export function validTitle(typed: string): string {
  const title = [...typed.replace(/\s+/g, " ").trim()].slice(0, TITLE_CHARACTERS).join("");
  if (title === "") throw wrong("A title needs at least one letter.");
  return title;
}

const wrong = (message: string): UserError => new UserError(message, EXIT.usage);
