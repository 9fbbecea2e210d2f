/** Opens the session that a run goes on with, or begins the fork in which it does. */
import type { SessionHandle, SessionStore } from "../session/index.ts";
import { EXIT, UserError } from "../shared/index.ts";
import { findSessionOrWords } from "./find-session.ts";
import type { SessionChoice } from "./session-choice.ts";

export interface Chosen {
  readonly handle: SessionHandle;
  /** Where a fork was cut when that is not where it was wanted. */
  readonly notices: readonly string[];
}

/** Undefined when a new session is wanted. Throws UserError or StoreError. */
export async function openChosen(
  store: SessionStore,
  { resume, fork, sessionId }: SessionChoice,
  project: string,
): Promise<Chosen | undefined> {
  if (sessionId !== undefined) await mustBeFree(store, sessionId);
  if (resume === undefined) return undefined;
  const id = await findSessionOrWords(store, resume, project);
  if (!fork) return { handle: await store.open(id), notices: [] };
  return forked(store, id, { ...fork, ...(sessionId !== undefined && { id: sessionId }) });
}

/** The fork has no line of its own yet: whoever gets it publishes `session.resumed` with `forkMarker`. */
export async function forked(
  store: SessionStore,
  parent: string,
  options: { readonly seq?: number; readonly id?: string },
): Promise<Chosen> {
  const { session, seq, leftBehind } = await store.fork(parent, options);
  const moved =
    options.seq === undefined || options.seq === seq
      ? []
      : [`The fork holds session ${parent} up to event ${seq}: at ${options.seq} an answer or a call was open.`];
  const left = leftBehind === undefined ? [] : [`The fork holds ${seq} events of session ${parent}; ${leftBehind}.`];
  return { handle: session, notices: [...moved, ...left] };
}

/** What `session.resumed` says when the lines so far are another session's. */
export function forkMarker(session: SessionHandle): {
  readonly fork?: { readonly sessionId: string; readonly seq: number; readonly kind: "fork" };
} {
  const { meta, lastSeq } = session.state();
  return meta.id === session.id ? {} : { fork: { sessionId: meta.id, seq: lastSeq, kind: "fork" } };
}

/** Throws UserError when a session has this id. */
export async function mustBeFree(store: SessionStore, id: string): Promise<void> {
  if ((await store.locate(id)) === undefined) return;
  throw new UserError(`There is a session ${id} already; --resume ${id} goes on with it.`, EXIT.usage);
}
