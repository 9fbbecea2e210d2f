/**
 * The open session: gives an event its envelope, writes its line, applies every fold, delivers. What the folds see live is
 * exactly what a replay of the line would show them. Writes through the log file it is given; touches no disk itself.
 */
import {
  canonical,
  createBus,
  type DurableEvent,
  type DurableInput,
  durableDefinition,
  type EphemeralEvent,
  encode,
  errorMessage,
  invariant,
  type Logger,
  type NewId,
  readable,
} from "../shared/index.ts";
import { idAfter } from "./event-ids.ts";
import type { FoldedState } from "./folds.ts";
import { isSafeCut } from "./pairing.ts";
import { withoutSecrets } from "./secrets.ts";
import type { BlobStore, SessionHandle, TornTail } from "./types.ts";

/** A log that takes lines; see store/log-file.ts. */
interface Log {
  readonly path: string;
  append(line: string): void;
  sync(): Promise<void>;
}

interface HandleParts {
  readonly id: string;
  readonly log: Log;
  /** Folded up to the log's last line. */
  readonly folded: Pick<FoldedState, "apply" | "read" | "lastSeq">;
  /** What may follow the log's last line; see store/integrity.ts. */
  readonly integrity: {
    problem(event: DurableEvent): string | undefined;
    accept(event: DurableEvent): void;
  };
  readonly lastId?: string;
  readonly torn?: TornTail;
  readonly lockFd?: number;
  readonly blobs: BlobStore;
  readonly now: () => number;
  readonly newId: NewId;
  readonly logger: Logger;
  /** What no line may hold. Read at each event, for keys become known after the log was opened. */
  readonly secrets?: readonly string[];
  /** Keeps the meta cache; it may fail without harm, for it can be rebuilt. */
  readonly keepMeta: () => void;
  /** Gives the log and its lock back. */
  readonly release: () => Promise<void>;
}

export function createHandle(parts: HandleParts): SessionHandle {
  const { id, log, folded, integrity, blobs, now, newId, logger, secrets = [] } = parts;
  let lastId = parts.lastId;
  let closing: Promise<void> | undefined;

  function append(input: DurableInput): DurableEvent {
    invariant(!closing, `${input.type} was published to a session that is closed`);
    const event = envelope(input);
    const problem = integrity.problem(event);
    invariant(problem === undefined, `${event.type} cannot be recorded here: ${problem}`);
    if (event.type === "context.compacted") {
      const safe = isSafeCut(folded.read().conversation, event.payload.cut.toSeq);
      invariant(safe, "a compaction may not part a call from its result");
    }
    log.append(encode(event));
    lastId = event.id;
    integrity.accept(event);
    folded.apply(event);
    return event;
  }

  function envelope({ type, payload }: DurableInput): DurableEvent {
    const definition = durableDefinition(type);
    invariant(definition, `${type} is a durable event`);
    const written = withoutSecrets(canonical(payload, definition.payload), secrets);
    // The compiler knows neither integers nor NaN; a line that could not be read back would cost the whole session.
    invariant(readable(definition.payload, written), `the payload of ${type} does not fit its definition`);
    return {
      v: definition.v,
      id: idAfter(lastId, newId()),
      sessionId: id,
      seq: folded.lastSeq() + 1,
      ts: now(),
      type,
      payload: written,
    } as DurableEvent; // the definition has just vouched for the payload
  }

  const bus = createBus({
    append,
    // The type picks its own payload; spelled out for each member this would be the same object.
    stamp: ({ type, payload }) => ({ id: newId(), sessionId: id, ts: now(), type, payload }) as EphemeralEvent,
    onHandlerError: (error, type) => logger.warn("a subscriber threw", { type, error: errorMessage(error) }),
  });

  async function close(): Promise<void> {
    try {
      await log.sync();
      parts.keepMeta();
    } finally {
      await parts.release();
    }
  }

  return {
    id,
    path: log.path,
    ...(parts.torn && { torn: parts.torn }),
    ...(parts.lockFd !== undefined && { lockFd: parts.lockFd }),
    bus,
    blobs,
    publish: (input) => bus.publishDurable(input),
    publishEphemeral: (input) => bus.publishEphemeral(input),
    sync: () => closing ?? log.sync(),
    state: () => folded.read(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
