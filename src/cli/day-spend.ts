/**
 * What was spent on the user's present day, by all sessions of one state folder. Others are looked at in their logs, also while
 * another process writes them, and not more often than it takes: reading costs time. They are read whole, however long that takes: a cap must not be passed because a cache is missing.
 */
import { type SessionStore, spentSince, type UsageTotals } from "../session/index.ts";
import { errorMessage, type Logger } from "../shared/index.ts";

/** Amounts are US dollars, at least: what has no known price is not in them. */
export interface DaySpend {
  /** With what the other sessions had spent when they were last looked at. */
  total(own: UsageTotals): number;
  /** So many sessions could not be read whole when they were last looked at: what they spent is not all in it. */
  unread(): number;
  /** Looks at the others, or joins a look that is under way. Never rejects: what cannot be read is left out and logged. */
  look(): Promise<void>;
  /** As `look`, unless the last one began less than a minute ago. */
  lookIfOld(): Promise<void>;
}

interface DayParts {
  readonly store: Pick<SessionStore, "list">;
  /** The session whose own spending is known without looking. */
  readonly sessionId: string;
  readonly now: () => number;
  /** When the user's day began in which this moment lies; both epoch milliseconds. */
  readonly dayStart: (ms: number) => number;
  readonly logger: Logger;
}

const OLD_MS = 60_000;

export function createDaySpend({ store, sessionId, now, dayStart, logger }: DayParts): DaySpend {
  let others: readonly UsageTotals["recentUsd"][] = [];
  let unread = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function lookNow(): Promise<void> {
    lookedAt = now();
    try {
      const listed = await store.list({ writtenSince: dayStart(lookedAt), except: sessionId });
      const inPart = listed.filter(({ meta, damaged }) => !meta || damaged !== undefined);
      for (const { id, damaged } of inPart)
        logger.debug("what a session spent today is not all known", { id, damaged });
      others = listed.flatMap(({ meta }) => (meta ? [meta.recentUsd] : []));
      unread = inPart.length;
    } catch (error) {
      logger.debug("what other sessions spent today was not read", { error: errorMessage(error) });
    } finally {
      looking = undefined;
    }
  }

  const look = (): Promise<void> => {
    looking ??= lookNow();
    return looking;
  };
  return {
    total(own) {
      const today = now();
      return [own.recentUsd, ...others].reduce((sum, recentUsd) => sum + spentOn(today, recentUsd, dayStart), 0);
    },
    unread: () => unread,
    look,
    lookIfOld: async () => (looking || Math.abs(now() - lookedAt) >= OLD_MS ? look() : undefined), // clocks go back, too
  };
}

/** US dollars, at least, of the day in which this moment lies: what a clock that was wrong dated later is not of it. */
export function spentOn(ms: number, recentUsd: UsageTotals["recentUsd"], dayStart = localDayStart): number {
  const since = dayStart(ms);
  return spentSince(recentUsd, since) - spentSince(recentUsd, dayStart(since + 36 * HOUR_MS)); // a day has up to 25 hours
}

const HOUR_MS = 60 * 60_000;

/** Midnight, as the clock on the wall has it. */
export const localDayStart = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
