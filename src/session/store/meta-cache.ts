/**
 * The listing's cache, a file beside each log: what is shown of it, and how far it was read with the state of the fold there. It
 * is never a second truth: whatever is missing, cut, foreign or of another log counts as absent, and is made again from the log.
 */
import { readFileSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { accepts, errorMessage, type Infer, type Logger, sha256 } from "../../shared/index.ts";
import { type MetaFold, metaOf } from "../projections/session-meta.ts";
import type { SessionMeta } from "../types.ts";
import { replaceSmallFile } from "./atomic.ts";
import { readState, writtenState } from "./meta-state.ts";
import { metaPath } from "./paths.ts";

const CACHE = {
  /** Raised when the fold of the meta changes its mind about the same log. */
  form: "8",
  /** Names the prices that the cost was reckoned with. */
  prices: "string",
  logBytes: "number.integer",
  logMtimeMs: "number",
  /** Absent as long as only a part of the log has been read. */
  "isWhole?": "true",
  /** Why the log cannot be resumed. */
  "damaged?": "string",
  /** `state` is true of the log's first `byte` bytes; `mark` is the hash of the last few of them. */
  read: { byte: "number.integer", mark: "string", state: "unknown" },
} as const;

/** More than any cache that was made here. */
const MAX_CACHE_BYTES = 256 * 1024;

/** The log as it is. */
export interface LogNow {
  readonly fd: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly prices: string;
}

/** How far a log was read: `state` is the fold's at the end of a line, and `byte` the first one behind it. */
export interface ReadSoFar {
  readonly byte: number;
  readonly state: MetaFold;
}

export interface KnownMeta {
  /** Of the log as it is now. */
  readonly meta?: SessionMeta;
  /** As a listing says it. */
  readonly damaged?: string;
  /** The log has grown since, or had not been read to its end: from here on it is unknown. */
  readonly readOn?: ReadSoFar;
}

/**
 * Nothing is known of a log whose time changed without its size, or that is not the same any more right before the place where the
 * reading stopped. Of one that has grown, only those few bytes are compared: a change before them is not noticed, for the log is
 * written by lines that are added. Nor is anything known from a cache that came here with a copied log: another session's facts
 * look like any.
 */
export function readMeta(log: string, now: LogNow): KnownMeta {
  try {
    const path = metaPath(log);
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > MAX_CACHE_BYTES) return {};
    const cache: unknown = JSON.parse(readFileSync(path, "utf8"));
    return accepts(CACHE, cache) ? known(cache, basename(log, ".jsonl"), now) : {};
  } catch {
    // Every way of not having a cache ends the same: it is made again.
    return {};
  }
}

function known(
  { prices, logBytes, logMtimeMs, isWhole, damaged, read }: Infer<typeof CACHE>,
  id: string,
  now: LogNow,
): KnownMeta {
  const isOfLog = read.byte <= now.size && read.mark === markBefore(now.fd, read.byte);
  if (!isOfLog || prices !== now.prices) return {};
  const isSameSize = logBytes === now.size;
  const isSame = isSameSize && logMtimeMs === now.mtimeMs;
  const isKnown = isSame && isWhole;
  if (!isKnown && (damaged !== undefined || (isSameSize && !isSame))) return {};
  const state = readState(read.state);
  if (!state) return {};
  if (!isKnown) return { readOn: { byte: read.byte, state } };
  return state.id === id ? { meta: metaOf(state), ...(damaged !== undefined && { damaged }) } : {};
}

const MARK_BYTES = 256;

/** Lines hold the time and a name of their own: two logs with the same bytes here are one. */
function markBefore(fd: number, byte: number): string {
  const bytes = Buffer.alloc(Math.min(MARK_BYTES, byte));
  const count = readSync(fd, bytes, 0, bytes.length, byte - bytes.length);
  return sha256(bytes.subarray(0, count)).slice(0, 16);
}

/** What was read of it, and whether that is all there is to read. */
export interface MetaRead extends ReadSoFar {
  readonly isWhole: boolean;
  readonly damaged?: string;
}

/** `now` is what was there when it was read. A cache that cannot be written costs time, not truth. */
export function keepMeta(log: string, { byte, state, isWhole, damaged }: MetaRead, now: LogNow, logger: Logger): void {
  try {
    const cache = {
      form: 8,
      prices: now.prices,
      logBytes: now.size,
      logMtimeMs: now.mtimeMs,
      ...(isWhole && { isWhole }),
      ...(damaged !== undefined && { damaged }),
      read: { byte, mark: markBefore(now.fd, byte), state: writtenState(state) },
    };
    replaceSmallFile(metaPath(log), `${JSON.stringify(cache)}\n`);
  } catch (cause) {
    logger.warn("the meta cache was not written", { log, error: errorMessage(cause) });
  }
}
