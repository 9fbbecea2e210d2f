/** Where the state lies and what reads it: all that a command needs which runs no turn. */
import { priceOf } from "../anthropic/index.ts";
import { createSessionStore, type SessionStore } from "../session/index.ts";
import { fileLogger, idSource, type Logger, type NewId, systemClock } from "../shared/index.ts";
import type { Places } from "./settings.ts";

export interface State {
  readonly store: SessionStore;
  readonly logger: Logger;
  readonly newId: NewId;
  /** From now on no event holds this value. */
  readonly hide: (secret: string) => void;
}

export function openStore({ home }: Places, debug: boolean): State {
  const logger = fileLogger(home, systemClock.now, debug);
  const newId = idSource(systemClock.now);
  const secrets: string[] = [];
  const store = createSessionStore({ home, now: systemClock.now, newId, price: priceOf, logger, secrets });
  return { store, logger, newId, hide: (secret) => void secrets.push(secret) };
}
