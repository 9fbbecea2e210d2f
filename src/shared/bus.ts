/**
 * The bus of one session. A durable event is appended first and delivered after, so that no subscriber ever sees what the
 * log does not hold; an ephemeral one is only delivered. Delivery is synchronous and in order. A subscriber must not
 * publish: others would see events out of order, so the attempt throws where it is made. A subscriber that throws is
 * reported and never stops the others or the publisher.
 */
import { invariant } from "./errors.ts";
import type {
  DurableEvent,
  DurableInput,
  EphemeralEvent,
  EphemeralInput,
  EventOf,
  EventType,
  KhaelorEvent,
} from "./events/catalog.ts";

export type Unsubscribe = () => void;

export interface EventBus {
  /** Appends, then delivers. Throws StoreError when the append fails; then nobody has seen anything. */
  publishDurable<E extends DurableInput>(input: E): DurableEvent<E["type"]>;
  publishEphemeral(input: EphemeralInput): void;
  on<T extends EventType>(type: T, handler: (event: EventOf<T>) => void): Unsubscribe;
  onAny(handler: (event: KhaelorEvent) => void): Unsubscribe;
  /** How many subscriptions are live; back at its start value after every turn. */
  subscriptions(): number;
}

interface BusPorts {
  /** Assigns the envelope, writes the line, applies the folds. */
  readonly append: (input: DurableInput) => DurableEvent;
  /** Gives an ephemeral event its envelope. */
  readonly stamp: (input: EphemeralInput) => EphemeralEvent;
  readonly onHandlerError: (error: unknown, type: EventType) => void;
}

export function createBus({ append, stamp, onHandlerError }: BusPorts): EventBus {
  const handlers = new Set<(event: KhaelorEvent) => void>();
  let delivering = false;

  function deliver(event: KhaelorEvent): void {
    delivering = true;
    for (const handler of [...handlers]) {
      try {
        handler(event);
      } catch (error) {
        onHandlerError(error, event.type);
      }
    }
    delivering = false;
  }

  const onAny = (handler: (event: KhaelorEvent) => void): Unsubscribe => {
    const entry = (event: KhaelorEvent) => handler(event);
    handlers.add(entry);
    return () => handlers.delete(entry);
  };

  return {
    publishDurable<E extends DurableInput>(input: E): DurableEvent<E["type"]> {
      invariant(!delivering, "a subscriber published; subscribers dispatch commands or schedule work");
      const event = append(input);
      deliver(event);
      return event as DurableEvent<E["type"]>; // the envelope carries the type it was given
    },
    publishEphemeral(input) {
      invariant(!delivering, "a subscriber published; subscribers dispatch commands or schedule work");
      deliver(stamp(input));
    },
    on: (type, handler) =>
      onAny((event) => {
        if (event.type === type) handler(event as EventOf<typeof type>);
      }),
    onAny,
    subscriptions: () => handlers.size,
  };
}
