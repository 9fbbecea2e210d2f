/**
 * What a list tells of one log. What is known of it from before is gone on with; where reading the rest would take too long, both
 * ends of the log tell what they can, and nothing else is said.
 */
import { closeSync, type Stats } from "node:fs";
import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";
import { decode, errorMessage, type LogEvent, type Logger } from "../../shared/index.ts";
import { type MetaFold, metaOf, outcomeIn, sessionMeta } from "../projections/session-meta.ts";
import type { Price } from "../projections/usage-totals.ts";
import type { SessionGlance, SessionListing } from "../store-types.ts";
import { createIntegrity } from "./integrity.ts";
import { createJudge, type Damage } from "./judge.ts";
import { lineBatches } from "./lines.ts";
import { openLog } from "./log-file.ts";
import { keepMeta, type LogNow, type MetaRead, type ReadSoFar, readMeta } from "./meta-cache.ts";

export interface AccountParts {
  readonly price: Price;
  readonly priceList?: string;
  readonly logger: Logger;
}

/** How many bytes of logs may still be read. */
export interface Allowance {
  left: number;
}

/** Read at each end, however little may be read; more when less tells nothing. */
const END_BYTES = [4 * 1024, 32 * 1024, 256 * 1024] as const;
/** Less is sooner read again than written down. */
const WORTH_KEEPING_BYTES = 1024 * 1024;

/** Undefined for a log in which nothing stands. Never throws for a log that cannot be read: it is listed as damaged. */
export async function accountOf(
  path: string,
  allowance: Allowance,
  parts: AccountParts,
): Promise<SessionListing | undefined> {
  const id = basename(path, ".jsonl");
  try {
    const { fd, stat } = openLog(path, "read");
    try {
      return stat.size === 0 ? undefined : await account({ id, path, now: nowOf(fd, stat, parts) }, allowance, parts);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    return { id, path, damaged: errorMessage(cause) };
  }
}

const nowOf = (fd: number, { size, mtimeMs }: Stats, { priceList = "" }: AccountParts): LogNow => ({
  fd,
  size,
  mtimeMs,
  prices: priceList,
});

interface OpenLog {
  readonly id: string;
  readonly path: string;
  readonly now: LogNow;
}

async function account(log: OpenLog, allowance: Allowance, parts: AccountParts): Promise<SessionListing | undefined> {
  const { id, path, now } = log;
  const { meta, damaged, readOn } = readMeta(path, now);
  if (meta) return { id, path, meta, ...(damaged !== undefined && { damaged }) };
  const from = readOn ?? { byte: 0, state: sessionMeta(parts.price).initial() };
  const wanted = now.size - from.byte;
  const isWorthIt = wanted <= allowance.left || allowance.left >= WORTH_KEEPING_BYTES;
  const granted = isWorthIt ? Math.min(wanted, allowance.left) : 0;
  allowance.left -= granted;
  let read = await readFrom(from, from.byte + granted, { ...log, parts });
  for (const bytes of END_BYTES) {
    if (read.isWhole || read.damaged !== undefined || isNamed(read.state)) break;
    if (read.byte < bytes) read = await readFrom(read, Math.min(now.size, bytes), { ...log, parts });
  }
  const isNew = read.isWhole || read.damaged !== undefined || read.byte - from.byte >= WORTH_KEEPING_BYTES;
  if (isNew && !read.newer && read.state.events > 0) keepMeta(path, read, now, parts.logger);
  return listingOf(log, read, parts);
}

const isNamed = ({ events, told }: MetaFold): boolean => events > 0 && told.titledBy !== "start";

interface Reading extends OpenLog {
  readonly parts: AccountParts;
}

interface Read extends MetaRead {
  readonly newer?: true;
}

/** Up to a byte, or to the first damage. A line that the limit cuts is left for another time. */
async function readFrom({ byte, state }: ReadSoFar, limit: number, { id, now, parts }: Reading): Promise<Read> {
  const fold = sessionMeta(parts.price);
  const known = state.events > 0 ? { sessionId: state.id, seq: state.events } : undefined;
  const judge = createJudge({ id, integrity: createIntegrity(id, known) });
  let reached: ReadSoFar = { byte, state };
  for (const batch of lineBatches(now.fd, limit, { byte, number: state.events + 1 })) {
    for (const line of batch) {
      const event = judge.take(line);
      if (judge.damage.length > 0) return { ...reached, ...damageIn(judge.damage), isWhole: true };
      if (event) reached = { byte: line.offset + line.length + 1, state: fold.apply(reached.state, event) };
    }
    await setImmediate();
  }
  return limit < now.size
    ? { ...reached, isWhole: false }
    : { ...reached, ...damageIn(judge.finish().damage), isWhole: true };
}

function damageIn([first]: readonly Damage[]): Pick<Read, "damaged" | "newer"> {
  if (!first) return {};
  const damaged = `line ${first.line} (byte ${first.byte}): ${first.reason}`;
  return { damaged, ...(first.newer && { newer: true }) };
}

function listingOf({ id, path, now }: OpenLog, read: Read, { price }: AccountParts): SessionListing | undefined {
  const { state, damaged, newer, isWhole } = read;
  const isRead = state.events > 0;
  if (damaged !== undefined)
    return { id, path, ...(isRead && { meta: metaOf(state) }), damaged, ...(newer && { newer }) };
  if (isWhole) return isRead ? { id, path, meta: metaOf(state) } : undefined;
  return { id, path, ...(isRead && { glance: glanceOf(read, now, price) }) };
}

/** What stands in the middle may have given another title; everything else that is said here is so. */
function glanceOf({ byte, state }: ReadSoFar, { fd, size, mtimeMs }: LogNow, price: Price): SessionGlance {
  const fold = sessionMeta(price);
  const { titledBy } = state.told;
  let known: MetaFold = { ...state, told: { ...state.told, titledBy: titledBy === "rename" ? "rename" : "message" } };
  let lastOutcome: SessionGlance["lastOutcome"];
  const tail = lastEvents(fd, size, byte);
  for (const event of tail) {
    known = fold.apply(known, event);
    lastOutcome = outcomeIn(event) ?? lastOutcome;
  }
  const { title, model, createdAt, userMessages, ...place } = known.told;
  const last = tail.at(-1);
  return {
    id: known.id,
    title,
    model,
    createdAt,
    projectHash: place.projectHash,
    workingDirectory: place.workingDirectory,
    gitBranch: place.gitBranch,
    updatedAt: last?.ts ?? mtimeMs,
    ...(last && { events: last.seq }),
    userMessages,
    ...(lastOutcome !== undefined && { lastOutcome }),
  };
}

/** The events that stand whole in the last bytes of a log, none from before `from`. */
function lastEvents(fd: number, size: number, from: number): readonly LogEvent[] {
  for (const bytes of END_BYTES) {
    const byte = Math.max(from, size - bytes);
    const [cut, ...whole] = [...lineBatches(fd, size, { byte, number: 1 })].flat();
    const lines = byte === from && cut ? [cut, ...whole] : whole;
    const found = lines.flatMap(({ text, complete }) => {
      const read = text === undefined || !complete ? undefined : decode(text);
      return read?.ok ? [read.value] : [];
    });
    if (found.length > 0) return found;
  }
  return [];
}
