/** What lies in the state folder beside logs in use: drafts of broken-off writes, notes without a log, runs that were to leave nothing. */
import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isUlid } from "../../shared/index.ts";
import type { Removable } from "../store-types.ts";
import { namesIn } from "./listing.ts";
import { storePaths, throwawayFolder } from "./paths.ts";

/**
 * What is younger may be the beginning of something: a draft that is being written, a log before its first line, a fork's note
 * before its log has a name, the folder of a run that is to leave nothing.
 */
const BEGINS_MS = 60 * 60 * 1000;

/** The file's size, or undefined when there is none, or none that was last touched before that time. */
export function sizeOf(path: string, untouchedSince = Number.POSITIVE_INFINITY): number | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && Math.floor(stat.mtimeMs) <= untouchedSince ? stat.size : undefined;
}

export async function filesIn(
  folder: string,
): Promise<readonly { readonly path: string; readonly bytes: number; readonly touchedAt: number }[]> {
  return (await namesIn(folder)).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? [{ path, bytes: stat.size, touchedAt: Math.floor(stat.mtimeMs) }] : [];
  });
}

/** Of all projects, and of runs that are to leave nothing. */
export async function allLogs(home: string): Promise<readonly string[]> {
  const found = await logsBelow(home);
  for (const folder of await throwaways(home)) found.push(...(await logsBelow(folder)));
  return found;
}

async function logsBelow(home: string): Promise<string[]> {
  return (await sessionFiles(home)).map(({ path }) => path).filter(isLog);
}

async function sessionFiles(home: string) {
  const { sessions } = storePaths(home);
  const projects = await namesIn(sessions);
  return (await Promise.all(projects.map((project) => filesIn(join(sessions, project))))).flat();
}

/** Of forks that have yet to begin, or never will: what they name is in use as well. */
export const forkDrafts = async (home: string): Promise<readonly string[]> =>
  (await sessionFiles(home)).map(({ path }) => path).filter((path) => /\.jsonl\.[^/]+\.tmp$/.test(path));

const isLog = (path: string): boolean => path.endsWith(".jsonl") && isUlid(basename(path, ".jsonl"));

const throwaways = async (home: string): Promise<readonly string[]> =>
  (await namesIn(throwawayFolder(home))).map((name) => join(throwawayFolder(home), name));

/** The log that a file beside it belongs to. */
export const logBeside = (path: string): string =>
  join(dirname(path), `${basename(path).replace(/\.(meta\.json|lock|jsonl\.torn)$/, "")}.jsonl`);

const BESIDE = /^[0-9A-HJKMNP-TV-Z]{26}\.(meta\.json|lock|jsonl\.torn)$/;

interface Ages {
  readonly untouchedSince: number;
  readonly isHeld: (log: string) => Promise<boolean>;
}

export async function leftovers(home: string, { untouchedSince, isHeld }: Ages): Promise<readonly Removable[]> {
  const found: Removable[] = [];
  for (const { path, bytes, touchedAt } of [
    ...(await sessionFiles(home)),
    ...(await filesIn(storePaths(home).blobs)),
  ]) {
    if (touchedAt > untouchedSince - BEGINS_MS) continue;
    if (path.endsWith(".tmp")) found.push({ path, bytes, kind: "draft" });
    else if (BESIDE.test(basename(path)) && sizeOf(logBeside(path)) === undefined) {
      found.push({ path, bytes, kind: "beside a log" });
    } else if (isLog(path) && bytes === 0 && !(await isHeld(path))) {
      found.push({ path, bytes, kind: "log", sessionId: basename(path, ".jsonl") });
    }
  }
  return [...found, ...(await deadThrowaways(home, { untouchedSince, isHeld }))];
}

async function deadThrowaways(home: string, { untouchedSince, isHeld }: Ages): Promise<readonly Removable[]> {
  const found: Removable[] = [];
  for (const path of await throwaways(home)) {
    const logs = await logsBelow(path);
    const held = await Promise.all(logs.map(isHeld));
    const isYoung = !logs.some((log) => sizeOf(log)) && sizeOf(path, untouchedSince - BEGINS_MS) === undefined;
    if (held.includes(true) || isYoung) continue;
    const files = [...(await sessionFiles(path)), ...(await filesIn(storePaths(path).blobs))];
    found.push({ path, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), kind: "throwaway" });
  }
  return found;
}
