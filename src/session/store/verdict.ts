/** What is said of a log: by `fsck` about the whole of it, and to the person whose session cannot be opened. */
import { closeSync } from "node:fs";
import { basename } from "node:path";
import { fold, type LogEvent, StoreError } from "../../shared/index.ts";
import { isSettled } from "../pairing.ts";
import { turnState } from "../projections/turn-state.ts";
import { leftOpen } from "../recovery.ts";
import type { DamagedLine, LogVerdict } from "../store-types.ts";
import { createIntegrity } from "./integrity.ts";
import type { Damage, Findings } from "./judge.ts";
import { openLog } from "./log-file.ts";
import { scanLog } from "./scan.ts";

/** Judges the whole log. A line that only a newer version can read is no damage, but it keeps this one from resuming. */
export async function judgeLog(path: string, id?: string): Promise<LogVerdict> {
  const { fd, stat } = openLog(path, "read");
  try {
    let turn = fold(turnState, []);
    let soundSeq: number | undefined;
    let safeSeq: number | undefined;
    const integrity = createIntegrity(id);
    const onEvent = (event: LogEvent) => {
      turn = turnState.apply(turn, event);
      if (integrity.hasGap()) return;
      soundSeq = event.seq;
      if (isSettled(turn)) safeSeq = event.seq;
    };
    const found = await scanLog({ fd, size: stat.size, id, onEvent, whole: true, integrity });
    const damage = found.events === 0 && found.damage.length === 0 ? [NO_EVENTS] : found.damage;
    return {
      sessionId: id ?? found.last?.sessionId ?? basename(path, ".jsonl"),
      path,
      verdict: verdictOf(damage, found),
      resumable: damage.length === 0,
      events: found.events,
      tornBytes: found.tornFrom === undefined ? 0 : stat.size - found.tornFrom,
      damage: damage.map(({ event: _event, ...line }) => line),
      ...(found.torn && { torn: tornLine(found.torn) }),
      ...(safeSeq !== undefined && { safeSeq }),
      ...(soundSeq !== undefined && { soundSeq }),
      unpaired: turn.pending.map((call) => call.toolUseId),
      leftOpen: leftOpen(turn).map(({ toolUseId, stage }) => ({ toolUseId, isWaiting: stage === "waiting" })),
    };
  } finally {
    closeSync(fd);
  }
}

/** Where a torn end begins. */
const tornLine = ({ line, byte, looksLike }: NonNullable<Findings["torn"]>): NonNullable<LogVerdict["torn"]> => ({
  line,
  byte,
  ...(looksLike !== undefined && { looksLike }),
});

const NO_EVENTS: Damage = { line: 1, byte: 0, reason: "the log holds no event" };

function verdictOf(damage: readonly Damage[], found: Findings): LogVerdict["verdict"] {
  if (damage.some(({ newer }) => !newer)) return "damaged";
  return found.tornFrom === undefined ? "ok" : "torn";
}

type Line = Pick<DamagedLine, "newer">;

/** The log is sound; only this build cannot read all of it. */
export const isOnlyNewer = (damage: readonly Line[]): boolean =>
  damage.length > 0 && damage.every(({ newer }) => newer);

/** The first line that no update mends; where there is none, the first of those that one does. */
export const firstToTell = <D extends Line>(damage: readonly D[]): D | undefined =>
  damage.find(({ newer }) => !newer) ?? damage[0];

/** Why a log that was scanned cannot be opened for writing, or undefined when it can. */
export async function refusal(id: string, path: string, found: Findings): Promise<StoreError | undefined> {
  const first = found.damage[0];
  if (!first) {
    if (found.events > 0) return undefined;
    const what = `session ${id} cannot be resumed: ${path} holds no event. Nothing was recorded in it: start a new session.`;
    return new StoreError("damaged", what);
  }
  const verdict = await judgeLog(path, id);
  const told = firstToTell(verdict.damage) ?? first;
  const where = `line ${told.line} (byte ${told.byte})`;
  const what = told.newer
    ? `session ${id} needs a newer version of khaelor: ${where} of ${path} was written by one. The file was not changed. Update, then resume`
    : `session ${id} is damaged at ${where} of ${path}: ${told.reason}. The file was not changed`;
  return new StoreError("damaged", `${what}. ${waysOn(id, verdict)}`);
}

/** Each as it is typed. */
function waysOn(id: string, { safeSeq }: LogVerdict): string {
  const look = `"khaelor sessions show ${id}" shows all that can be read, "khaelor fsck ${id}" says what is wrong where`;
  if (safeSeq === undefined) return `${look}. No event before it can be gone on from.`;
  return `${look}, and "--fork ${id}@${safeSeq}" goes on in a copy of what comes before it.`;
}
