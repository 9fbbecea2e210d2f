/**
 * Projections: folds over the log. One reducer serves replay and live state alike.
 *
 * Ownership: a fold owns its state. A change returns a fresh shallow root; only a long outer list may be pushed in place,
 * and only by the fold. Readers hold `Readonly` views; the same root reference means that nothing changed.
 */
import type { DurableEvent, DurableType, LogEvent } from "./catalog.ts";

export interface Projection<S> {
  readonly name: string;
  readonly initial: () => S;
  /** Pure over the log; an unknown type returns the same reference. */
  readonly apply: (state: S, event: LogEvent) => S;
}

type Handler<S, T extends DurableType> = (state: S, event: DurableEvent<T>) => S;
type Handlers<S> = { readonly [T in DurableType]?: Handler<S, T> };
type TotalHandlers<S> = { readonly [T in DurableType]: Handler<S, T> | "ignored" };

/** A projection that reacts to some types and lets every other one, known or not, fall through. */
export function projection<S>(name: string, initial: () => S, handlers: Handlers<S>): Projection<S> {
  // Looked up by the event's own type, so each handler only ever meets the payload it was written for.
  const table = new Map(Object.entries(handlers as Readonly<Record<string, (state: S, event: LogEvent) => S>>));
  return { name, initial, apply: (state, event) => table.get(event.type)?.(state, event) ?? state };
}

/** A projection that must take a position on every type: a handler, or the word "ignored". */
export function total<S>(name: string, initial: () => S, handlers: TotalHandlers<S>): Projection<S> {
  const chosen = Object.entries(handlers as Readonly<Record<string, unknown>>).filter(([, it]) => it !== "ignored");
  return projection(name, initial, Object.fromEntries(chosen) as Handlers<S>);
}

export function fold<S>(chosen: Projection<S>, events: Iterable<LogEvent>): S {
  let state = chosen.initial();
  for (const event of events) state = chosen.apply(state, event);
  return state;
}
