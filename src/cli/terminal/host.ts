/**
 * Opens sessions for the terminal, one engine at a time, composed as every other front composes it. Whatever is open is closed
 * before the next is opened: children ended, subscriptions gone, log synced, lock dropped.
 */
import type { CompactionOutcome, OwnWish } from "../../agent/index.ts";
import type { SessionStore } from "../../session/index.ts";
import { invariant, type KernelCommand, StoreError, systemClock } from "../../shared/index.ts";
import type { OpenSession, SessionHost, TerminalChoice } from "../../tui/index.ts";
import type { Engine, EngineOptions } from "../engine.ts";
import { collectingAtRest } from "../memory.ts";
import { createNoticeBoard } from "./notice-board.ts";
import { asOpenFailure } from "./open-failure.ts";
import { type HeldSession, openSession } from "./open-session.ts";
import type { ReadOnlySession } from "./read-only-session.ts";

export interface HostOptions
  extends Omit<EngineOptions, "resume" | "fork" | "name" | "title" | "somebodyToAsk" | "onTrouble" | "hasNoDeadline"> {
  /** Of the first session that is begun, not of those after it. */
  readonly sessionId?: string;
}

/** What commands and queries of the terminal work with: the engine that is open now. */
export interface EngineHost extends SessionHost {
  /** Throws when none is open. */
  engine(): Engine;
  /** Undefined when none is open. */
  current(): Engine | undefined;
  /** What is open, be it only to be looked at. Throws when nothing is. */
  shown(): ShownSession;
  /** The same; undefined when nothing is. */
  onScreen(): ShownSession | undefined;
  /** To the session that is open; nothing when none is. */
  dispatch(command: KernelCommand): void;
  /** Goes on with what its log leaves open; false: there is nothing. */
  resume(): boolean;
  /** Sums the conversation of the open session up. Throws when none is open. */
  compact(wish: OwnWish): Promise<CompactionOutcome>;
  /** How to go on with what was closed last, in a line; undefined when there is nothing to go on with. */
  farewell(): string | undefined;
}

/** A session, whether an engine drives it or it is only looked at. */
export interface ShownSession {
  readonly id: string;
  readonly path: string;
  readonly store: SessionStore;
  /** The project's hash. */
  readonly project: string;
  /** Where a fork is cut that names no place: at its end when undefined. */
  readonly forkFrom?: number | "nothing";
}

interface Open {
  readonly engine: Engine;
  readonly session: HeldSession;
  readonly endRest: () => void;
  /** It began here: when nothing is said in it, nothing of it stays. */
  readonly isNew: boolean;
}

export function createHost(options: HostOptions): EngineHost {
  let open: Open | undefined;
  let viewed: ReadOnlySession | undefined;
  let farewell: string | undefined;
  let { sessionId } = options;
  /** One after the other, whoever asks meanwhile. */
  let last: Promise<unknown> = Promise.resolve();
  function next<T>(act: () => Promise<T>): Promise<T> {
    const done = last.then(act);
    last = done.catch(() => undefined);
    return done;
  }

  async function openNow(choice: TerminalChoice): Promise<OpenSession> {
    await closeNow();
    const { chosenSession } = await import("./chosen-session.ts");
    const chosen = await chosenSession(choice, options);
    const isBegun = chosen.resume === undefined || chosen.fork !== undefined;
    const begun = isBegun && sessionId !== undefined ? { sessionId } : {};
    const found = await forWriting({ ...chosen, ...begun }, options).catch((error: unknown) =>
      toLookAt(error, chosen, options),
    );
    if ("shown" in found) {
      farewell = undefined;
      viewed = found;
      return found.opened;
    }
    if (isBegun) sessionId = undefined;
    open = found;
    return found.session;
  }

  async function closeNow(): Promise<void> {
    viewed?.release();
    viewed = undefined;
    const closing = open;
    open = undefined;
    if (!closing) return;
    closing.endRest();
    const { closeSession } = await import("./close-session.ts");
    farewell = await closeSession(closing, options.places);
  }

  function opened(): Open {
    invariant(open !== undefined, "commands run in an open session");
    return open;
  }

  return {
    open: (choice) =>
      next(() => openNow(choice)).catch((error: unknown) => {
        throw asOpenFailure(error, options.places.userHome);
      }),
    close: () => next(closeNow),
    engine: () => opened().engine,
    current: () => open?.engine,
    shown: () => viewed?.shown ?? shownOf(opened().engine),
    onScreen: () => viewed?.shown ?? (open && shownOf(open.engine)),
    dispatch: (command) => open?.session.dispatch(command),
    resume: () => open?.session.resume() ?? false,
    compact: (wish) => opened().session.compact(wish),
    farewell: () => farewell,
  };
}

type Chosen = Pick<EngineOptions, "resume" | "fork" | "name" | "sessionId">;

async function forWriting(chosen: Chosen, { sessionId: _first, ...options }: HostOptions): Promise<Open> {
  const { composeEngine } = await import("../compose.ts");
  const board = createNoticeBoard();
  const engine = await composeEngine({
    ...options,
    ...chosen,
    title: "",
    somebodyToAsk: true,
    hasNoDeadline: true,
    onTrouble: board.tell,
  });
  const { resolveRealPath } = await import("../real-path.ts");
  const { userHome } = options.places;
  const session = openSession(engine, { userHome: resolveRealPath(userHome) ?? userHome, board });
  const endRest = collectingAtRest({ listen: engine.session.bus.onAny, clock: systemClock });
  return { engine, session, endRest, isNew: chosen.resume === undefined };
}

/** What cannot be opened for writing can be looked at. Throws the error where even that is not so. */
async function toLookAt(error: unknown, { resume, fork }: Chosen, options: HostOptions): Promise<ReadOnlySession> {
  if (!(error instanceof StoreError) || resume === undefined || fork !== undefined) throw error;
  const { readOnlyInstead } = await import("./read-only-session.ts");
  return readOnlyInstead(error, resume, options);
}

const shownOf = ({ session, store }: Engine): ShownSession => ({
  id: session.id,
  path: session.path,
  store,
  project: session.state().meta.projectHash,
});
