/**
 * The session that is shown: opens it, replays its log into a view model and goes on with what happens now. What is sent
 * before a session is open waits for it.
 */
import { type Clock, errorMessage, type KernelCommand } from "../../shared/index.ts";
import { createCoalescer } from "../model/coalescer.ts";
import { createViewModel, type ViewModel } from "../model/view-model.ts";
import type { OpenSession, SessionChoice, SessionHost } from "../ports.ts";

export interface SessionFeed {
  /** Leaves what is open. Rejects as the host does; then nothing is open. */
  open(choice: SessionChoice): Promise<void>;
  session(): OpenSession | undefined;
  model(): ViewModel;
  dispatch(command: KernelCommand): void;
  /** Lets go of the session: nothing is heard of it any more. */
  leave(): void;
}

interface FeedParts {
  readonly host: SessionHost;
  readonly clock: Clock;
  /** The least time between two frames. */
  readonly windowMs: number;
  readonly onChange: () => void;
  /** The engine died: nothing more can be recorded. */
  readonly onDeath: (error: Error) => void;
}

export function createSessionFeed({ host, clock, windowMs, onChange, onDeath }: FeedParts): SessionFeed {
  let model = createViewModel();
  let session: OpenSession | undefined;
  let leave: () => void = () => undefined;
  const waiting: KernelCommand[] = [];

  async function open(choice: SessionChoice): Promise<void> {
    leave();
    session = undefined;
    const opened = await host.open(choice);
    model = createViewModel();
    const coalescer = createCoalescer({ clock, windowMs });
    const unwatch = coalescer.subscribe((frame) => {
      model.apply(frame);
      onChange();
    });
    for await (const event of opened.history()) model.replay(event);
    const unsubscribe = opened.subscribe(coalescer.push);
    leave = () => {
      unsubscribe();
      unwatch();
      coalescer.dispose();
    };
    session = opened;
    opened.died.catch((error: unknown) => onDeath(error instanceof Error ? error : new Error(errorMessage(error))));
    for (const command of waiting.splice(0)) opened.dispatch(command);
    onChange();
  }

  return {
    open,
    session: () => session,
    model: () => model,
    dispatch(command) {
      if (session) session.dispatch(command);
      else waiting.push(command);
    },
    leave: () => leave(),
  };
}
