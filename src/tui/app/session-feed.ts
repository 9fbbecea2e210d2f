/**
 * The session that is shown: opens it, replays its log into a view model and goes on with what happens now. What is sent
 * before a session is open waits for it.
 */
import { asError, type Clock, type KernelCommand, type KhaelorEvent, type LogEvent } from "../../shared/index.ts";
import { createCoalescer } from "../model/coalescer.ts";
import { createViewModel, type ViewModel } from "../model/view-model.ts";
import type { OpenSession, SessionChoice, SessionHost } from "../ports.ts";

export interface SessionFeed {
  /** Leaves what is open. Rejects as the host does; then nothing is open. */
  open(choice: SessionChoice): Promise<void>;
  session(): OpenSession | undefined;
  model(): ViewModel;
  /** The same, with everything that has happened by now: what is said behind it stands behind it. */
  caughtUp(): ViewModel;
  dispatch(command: KernelCommand): void;
  /** What was said and is in no log: no session took it, or the one that did could not record it. */
  unrecorded(): readonly string[];
  /** Lets go of the session: nothing is heard of it any more. */
  leave(): void;
}

interface FeedParts {
  readonly host: SessionHost;
  readonly clock: Clock;
  /** The least time between two frames. */
  readonly windowMs: number;
  /** The most text of one kind in one frame; see the coalescer. */
  readonly capBytes?: number;
  readonly onChange: () => void;
  /** Every event of the session from now on, at once and not gathered into frames. */
  readonly onEvent: (event: KhaelorEvent) => void;
  /** What goes wrong beside the work, in words for people. */
  readonly onNotice: (text: string) => void;
  /** The engine died: nothing more can be recorded. */
  readonly onDeath: (error: Error) => void;
}

interface Followed {
  readonly flush: () => void;
  readonly leave: () => void;
}

const NOTHING: Followed = { flush: () => undefined, leave: () => undefined };

export function createSessionFeed(parts: FeedParts): SessionFeed {
  const { host, clock, windowMs, capBytes, onChange, onEvent, onNotice, onDeath } = parts;
  let model = createViewModel();
  let session: OpenSession | undefined;
  let followed: Followed = NOTHING;
  const waiting = createWaiting(onNotice);
  /** Of the session that is open, oldest first. */
  let said: readonly string[] = [];

  async function open(choice: SessionChoice): Promise<void> {
    followed.leave();
    followed = NOTHING;
    session = undefined;
    const opened = await host.open(choice);
    model = await replayed(opened);
    followed = follow(opened, model);
    session = opened;
    said = [];
    for (const notice of noticesOf(opened)) onNotice(notice);
    opened.died.catch((error: unknown) => onDeath(asError(error)));
    for (const command of waiting.for(opened, choice)) send(opened, command);
    onChange();
  }

  function send(opened: OpenSession, command: KernelCommand): void {
    said = [...said, ...wordsOf(command)];
    opened.dispatch(command);
    if (command.kind === "shell") model.addCommand(command.command, clock.now());
  }

  /** From here on until the returned function is called. */
  function follow(opened: OpenSession, shown: ViewModel): Followed {
    const coalescer = createCoalescer({ clock, windowMs, ...(capBytes !== undefined && { capBytes }) });
    const ends = [
      coalescer.subscribe((frame) => {
        shown.apply(frame);
        onChange();
      }),
      opened.subscribe((event) => {
        if (records(event)) said = said.slice(1);
        coalescer.push(event);
        onEvent(event);
      }),
      opened.onNotice(onNotice),
      coalescer.dispose,
    ];
    return {
      flush: coalescer.flush,
      leave: () => void ends.map((end) => end()),
    };
  }

  return {
    open: inTurn(open),
    session: () => session,
    model: () => model,
    caughtUp() {
      followed.flush();
      return model;
    },
    dispatch(command) {
      if (!session) return waiting.add(command);
      if (session.readOnly) return;
      send(session, command);
      followed.flush(); // what the user did is seen with the next frame
      onChange(); // also what no event tells yet
    },
    unrecorded: () => [...said, ...waiting.words()],
    leave: () => followed.leave(),
  };
}

const noticesOf = ({ notices, readOnly }: OpenSession): readonly string[] =>
  readOnly ? [...notices, readOnly.why] : notices;

/** What is sent before there is a session that takes it. */
function createWaiting(onNotice: (text: string) => void) {
  let commands: readonly KernelCommand[] = [];
  /** Meant for a session that could only be looked at, and so for no other than that one and its fork. */
  let unsent: readonly string[] = [];
  let lookedAt: string | undefined;
  function putAside(id: string): void {
    const words = commands.flatMap(wordsOf);
    commands = [];
    unsent = [...unsent, ...words];
    for (const text of words) onNotice(`Not sent, for it was meant for session ${id}: ${text}`);
  }
  return {
    add(command: KernelCommand): void {
      commands = [...commands, command];
    },
    /** What this session is to be sent. What is not sent is said. */
    for({ id, readOnly }: OpenSession, { fork }: SessionChoice): readonly KernelCommand[] {
      if (lookedAt !== undefined && id !== lookedAt && fork?.id !== lookedAt) putAside(lookedAt);
      lookedAt = readOnly && id;
      if (readOnly) {
        if (commands.flatMap(wordsOf).length > 0) onNotice("What you said was not sent: it waits for the fork.");
        return [];
      }
      const taken = commands;
      commands = [];
      return taken;
    },
    words: (): readonly string[] => [...unsent, ...commands.flatMap(wordsOf)],
  };
}

/** Everything so far, also what is recorded while a long log is read. */
async function replayed(opened: OpenSession): Promise<ViewModel> {
  const model = createViewModel(opened);
  const meanwhile: LogEvent[] = [];
  const end = opened.subscribe((event) => {
    if ("seq" in event) meanwhile.push(event);
  });
  try {
    let last = 0;
    for await (const event of opened.history()) {
      if ("gap" in event) model.replayGap(event.gap);
      else {
        model.replay(event);
        last = event.seq;
      }
    }
    for (const event of meanwhile) if (event.seq > last) model.replay(event);
    return model;
  } finally {
    end();
  }
}

/** One after the other, whoever asks meanwhile: what was asked for last is shown in the end. */
function inTurn<T>(act: (value: T) => Promise<void>): (value: T) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (value) => {
    const done = last.then(() => act(value));
    last = done.catch(() => undefined);
    return done;
  };
}

const wordsOf = (command: KernelCommand): readonly string[] =>
  command.kind === "submit-message" || command.kind === "steer" ? [command.text] : [];

/** Something that the user said. They are recorded in the order in which they were sent. */
const records = (event: KhaelorEvent): boolean =>
  event.type === "user.steering-queued" ||
  (event.type === "user.message-created" && event.payload.by !== "kernel" && event.payload.shell === undefined);
