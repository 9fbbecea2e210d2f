/**
 * What an event definition is: plain data that names the event, its payload in arktype's syntax, and its meaning.
 * Which constructor made it decides whether the event is written to the log or only shown.
 */
import type { Infer, Valid } from "../schema.ts";

/** Payload version and the steps that lift older payloads: `upcast[1]` turns a version 1 payload into version 2. */
interface Migration {
  readonly v: number;
  readonly upcast: Readonly<Record<number, (old: unknown) => unknown>>;
}

const FIRST: Migration = { v: 1, upcast: {} };

/** An event that is in the log before anyone sees it. Optional fields never raise `v`; a changed meaning does. */
export const durable = <const T extends string, const def>(
  type: T,
  payload: Valid<def>,
  meaning: string,
  migration: Migration = FIRST,
) => ({ type, payload: payload as def, meaning, durable: true as const, ...migration });

/** An event that reaches live subscribers and is then gone. */
export const ephemeral = <const T extends string, const def>(type: T, payload: Valid<def>, meaning: string) => ({
  type,
  payload: payload as def,
  meaning,
  durable: false as const,
});

export type PayloadOf<E extends { readonly payload: unknown }> = Infer<E["payload"]>;
