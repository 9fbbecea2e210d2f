/**
 * Opens sessions for the terminal, one engine at a time, composed as every other front composes it. Whatever is open is closed
 * before the next is opened: children ended, subscriptions gone, log synced, lock dropped.
 */
import type { CompactionOutcome, OwnWish } from "../../agent/index.ts";
import { invariant, type KernelCommand, systemClock } from "../../shared/index.ts";
import type { OpenSession, SessionHost, TerminalChoice } from "../../tui/index.ts";
import type { Engine, EngineOptions } from "../engine.ts";
import { collectingAtRest } from "../memory.ts";
import { createNoticeBoard } from "./notice-board.ts";
import { asOpenFailure } from "./open-failure.ts";
import { type HeldSession, openSession } from "./open-session.ts";

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
  /** To the session that is open; nothing when none is. */
  dispatch(command: KernelCommand): void;
  /** Goes on with what its log leaves open; false: there is nothing. */
  resume(): boolean;
  /** Sums the conversation of the open session up. Throws when none is open. */
  compact(wish: OwnWish): Promise<CompactionOutcome>;
  /** How to go on with what was closed last, in a line; undefined when there is nothing to go on with. */
  farewell(): string | undefined;
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
    const [{ composeEngine }, { chosenSession }] = await Promise.all([
      import("../compose.ts"),
      import("./chosen-session.ts"),
    ]);
    const { sessionId: _first, ...rest } = options;
    const chosen = await chosenSession(choice, options);
    const isBegun = chosen.resume === undefined || chosen.fork !== undefined;
    const board = createNoticeBoard();
    const engine = await composeEngine({
      ...rest,
      ...chosen,
      ...(isBegun && sessionId !== undefined && { sessionId }),
      title: "",
      somebodyToAsk: true,
      hasNoDeadline: true,
      onTrouble: board.tell,
    });
    if (isBegun) sessionId = undefined;
    const { resolveRealPath } = await import("../real-path.ts");
    const { userHome } = options.places;
    const session = openSession(engine, { userHome: resolveRealPath(userHome) ?? userHome, board });
    const endRest = collectingAtRest({ listen: engine.session.bus.onAny, clock: systemClock });
    open = { engine, session, endRest, isNew: chosen.resume === undefined };
    return session;
  }

  async function closeNow(): Promise<void> {
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
    dispatch: (command) => open?.session.dispatch(command),
    resume: () => open?.session.resume() ?? false,
    compact: (wish) => opened().session.compact(wish),
    farewell: () => farewell,
  };
}
