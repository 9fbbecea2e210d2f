/** An engine as the interface sees it: what happened, what happens, and what it may ask for. */
import type { CompactionOutcome, OwnWish } from "../../agent/index.ts";
import { err } from "../../shared/index.ts";
import type { OpenSession } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { collectingWhileItReads } from "../memory.ts";
import type { NoticeBoard } from "./notice-board.ts";
import { createFacts } from "./session-facts.ts";

export interface HeldSession extends OpenSession {
  /** Between two turns; see the agent's. */
  compact(wish: OwnWish): Promise<CompactionOutcome>;
  /** From now on nothing is heard of it and nothing that is sent reaches it. */
  release(): void;
  /** The engine died, and nothing can be recorded any more. */
  isDead(): boolean;
}

const NOT_OPEN: CompactionOutcome = err({ reason: "stopped", message: "The session is not open any more." });

interface Shown {
  /** As it really lies. */
  readonly userHome: string;
  readonly board: NoticeBoard;
}

export function openSession(engine: Engine, { userHome, board }: Shown): HeldSession {
  const { session, store, agent, notices } = engine;
  const { promise: died, reject } = Promise.withResolvers<never>();
  died.catch(() => undefined); // whoever shows the session listens, or the program ends anyway
  const subscriptions = new Set<() => void>();
  let isOpen = true;
  let isDead = false;

  const die = (error: unknown): void => {
    isDead = true;
    reject(error);
  };
  /** What is asked of the engine may fail at once, as a message that cannot be recorded does, or while its turn runs. */
  function acting<T>(act: () => T, otherwise: T): T {
    if (!isOpen || isDead) return otherwise;
    try {
      const done = act();
      agent.settled().catch(die);
      return done;
    } catch (error) {
      die(error);
      return otherwise;
    }
  }
  function held(unsubscribe: () => void): () => void {
    const end = () => {
      subscriptions.delete(end);
      unsubscribe();
    };
    subscriptions.add(end);
    return end;
  }

  return {
    id: session.id,
    path: session.path,
    notices,
    history: () => collectingWhileItReads(store.read(session.id)),
    subscribe: (onEvent) => held(session.bus.onAny(onEvent)),
    onNotice: (onText) => held(board.listen(onText)),
    dispatch: (command) => acting(() => agent.dispatch(command), undefined),
    isBusy: () => isOpen && !isDead && agent.isBusy(),
    isCompacting: () => isOpen && !isDead && agent.isCompacting(),
    settled: async () => (isOpen && !isDead ? agent.settled().catch(die) : undefined),
    leave: () => acting(() => agent.leave(), undefined),
    resume: () => acting(() => agent.resume(), false),
    compact: (wish) => acting(() => agent.compact(wish), Promise.resolve(NOT_OPEN)),
    nextPermissionMode: () => acting(() => engine.permissions.nextMode(), engine.permissions.mode()),
    price: engine.models.price,
    facts: createFacts(engine, userHome),
    died,
    isDead: () => isDead,
    release() {
      isOpen = false;
      for (const end of [...subscriptions]) end();
    },
  };
}
