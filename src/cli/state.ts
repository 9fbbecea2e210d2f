/** Where the state lies and what reads it: all that a command needs which runs no turn. */
import { priceOf } from "../anthropic/index.ts";
import { ownPrices } from "../config/index.ts";
import { createSessionStore, type Price, type SessionStore } from "../session/index.ts";
import { fileLogger, idSource, type Logger, type LogOptions, type NewId, sha256, sortedJson } from "../shared/index.ts";
import { MACHINE, type Outside } from "./outside.ts";
import { modelPrices } from "./prices.ts";
import type { Places } from "./settings.ts";

export interface State {
  readonly store: SessionStore;
  readonly logger: Logger;
  readonly newId: NewId;
  /** From now on no event holds this value. */
  readonly hide: (secret: string) => void;
  /** US dollars at the user's own prices, else the published ones; null for a model without a known price. */
  readonly price: Price;
}

export function openStore(
  { home, sessionHome = home, chosen }: Places,
  log: LogOptions,
  { clock, random, disk }: Pick<Outside, "clock" | "random" | "disk"> = MACHINE,
): State {
  const logger = fileLogger(home, clock.now, log);
  const newId = idSource(clock.now, random);
  const secrets: string[] = [];
  const own = ownPrices(home, chosen);
  const prices = modelPrices(own);
  const price: Price = (model, usage, asked) => priceOf(model, usage, { prices, asked });
  const priceList = Object.keys(own).length > 0 ? sha256(sortedJson(own)) : "";
  const store = createSessionStore({
    home: sessionHome,
    now: clock.now,
    disk,
    newId,
    price,
    priceList,
    logger,
    secrets,
  });
  return { store, logger, newId, price, hide: (secret) => void secrets.push(secret) };
}
