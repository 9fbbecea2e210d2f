/**
 * Takes sessions away for good: first a plan that says exactly what would go, then the plan is carried out. A log that is open
 * elsewhere keeps all that is its own, and nothing goes that another log names.
 */
import { closeSync, fstatSync, rmSync, unlinkSync } from "node:fs";
import { basename } from "node:path";
import { errorCode, StoreError } from "../../shared/index.ts";
import type { Removable, RemovalPlan, RemovalWish } from "../store-types.ts";
import { storeFailure } from "./failure.ts";
import { allLogs, filesIn, forkDrafts, leftovers, logBeside, sizeOf } from "./leftovers.ts";
import { lockLog, seemsHeld } from "./lock.ts";
import { openLog } from "./log-file.ts";
import { holderPath, metaPath, storePaths, tornPath } from "./paths.ts";
import { isBlobName, isSpillName, namesInLog, unlessGone } from "./references.ts";

/** While a session runs, what it has stored may stand in no log yet: only what is older than any command can go then. */
const RUNNING_MS = 24 * 60 * 60 * 1000;

/** Changes nothing. Throws StoreError when a log cannot be read: what it names would be unknown. */
export async function planRemoval(
  home: string,
  { logs, orphans }: RemovalWish,
  now: number = Date.now(),
): Promise<RemovalPlan> {
  const all = await allLogs(home);
  const running = (await Promise.all(all.map(async (path) => ((await isHeld(path)) ? [path] : [])))).flat();
  const held = logs.filter((path) => running.includes(path));
  const going = new Set(logs.filter((path) => !running.includes(path)));
  const untouchedSince = running.length > 0 ? now - RUNNING_MS : now;
  const unnamed = await contentsOf(home);
  for (const path of [...all.filter((log) => !going.has(log)), ...(await forkDrafts(home))]) {
    for await (const name of namesInLog(path)) unnamed.delete(name);
  }
  const contents = orphans ? [...unnamed.values()] : await namedBy(going, unnamed);
  const files = [
    ...[...going].flatMap(filesOfLog),
    ...contents.filter(({ touchedAt }) => touchedAt <= untouchedSince),
    ...(orphans ? await leftovers(home, { untouchedSince, isHeld }) : []),
  ];
  return {
    files: files.map(({ path, bytes, kind, sessionId }) => ({ path, bytes, kind, ...(sessionId && { sessionId }) })),
    held,
    home,
    untouchedSince,
  };
}

type Content = Removable & { readonly touchedAt: number };

/** Blobs and spilled outputs, by their names. A file of another form is none of ours. */
async function contentsOf(home: string): Promise<Map<string, Content>> {
  const { blobs, spill } = storePaths(home);
  const of = async (folder: string, kind: Removable["kind"], isOurs: (name: string) => boolean) =>
    (await filesIn(folder)).filter(({ path }) => isOurs(basename(path))).map((file) => ({ ...file, kind }));
  const found = [...(await of(blobs, "blob", isBlobName)), ...(await of(spill, "spilled output", isSpillName))];
  return new Map(found.map((file) => [basename(file.path), file]));
}

async function namedBy(logs: ReadonlySet<string>, unnamed: ReadonlyMap<string, Content>): Promise<readonly Content[]> {
  const found = new Set<Content>();
  for (const path of logs) {
    for await (const name of namesInLog(path)) {
      const content = unnamed.get(name);
      if (content) found.add(content);
    }
  }
  return [...found];
}

function filesOfLog(log: string): readonly Removable[] {
  const sessionId = basename(log, ".jsonl");
  const beside = [metaPath(log), tornPath(log), holderPath(log)].flatMap((path) => {
    const bytes = sizeOf(path);
    return bytes === undefined ? [] : [{ path, bytes, kind: "beside a log" as const }];
  });
  return [{ path: log, bytes: sizeOf(log) ?? 0, kind: "log", sessionId }, ...beside];
}

/**
 * Whether a log is open, in this process or another. The lock is given back at once. A log without a note of its holder is not
 * open: then not even the lock is asked for.
 */
export async function isHeld(log: string): Promise<boolean> {
  if (sizeOf(holderPath(log)) === undefined) return false;
  try {
    const { fd } = openLog(log, "append");
    try {
      return await isTaken(fd, log);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (cause instanceof StoreError) return false; // one that cannot be written is open nowhere
    throw cause;
  }
}

async function isTaken(fd: number, log: string): Promise<boolean> {
  const outcome = await lockLog(fd);
  return outcome === "held" || (outcome === "unsupported" && seemsHeld(log));
}

/**
 * Carries a plan out, and returns what went. What was opened, touched or removed since the plan was made stays as it is now.
 * Throws StoreError when the system refuses; what went before that is gone.
 */
export async function removeFiles({ files, home, untouchedSince }: RemovalPlan): Promise<readonly Removable[]> {
  const logs = files.filter(({ kind }) => kind === "log");
  const gone: Removable[] = [];
  for (const log of logs) if (await removeLog(log)) gone.push(log);
  // What a log names that was opened meanwhile was counted as free: then everything of that kind waits for the next time.
  const isAsPlanned = gone.length === logs.length;
  const inUse = files.some(isContent) && isAsPlanned ? await namedSince(home, untouchedSince) : new Set();
  for (const file of files) {
    if (file.kind === "log" || (isContent(file) && (!isAsPlanned || inUse.has(basename(file.path))))) continue;
    const isKept = file.kind === "beside a log" && sizeOf(logBeside(file.path)) !== undefined;
    if (!isKept && removeOther(file, untouchedSince)) gone.push(file);
  }
  return gone;
}

/**
 * Removes one log with what stands beside it. What it names stays until a prune, so no other log is looked at. False: it is
 * open, has grown in this moment, or is gone already. Throws StoreError.
 */
export async function removeUnnamed(log: string): Promise<boolean> {
  const plan = { files: filesOfLog(log), held: [], home: "", untouchedSince: Date.now() };
  return (await removeFiles(plan)).length > 0;
}

/** By logs that are newer than the plan: a fork names what it took over, and touches nothing of it. */
async function namedSince(home: string, untouchedSince: number): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const path of [...(await allLogs(home)), ...(await forkDrafts(home))]) {
    if (sizeOf(path, untouchedSince - 1) !== undefined) continue;
    for await (const name of namesInLog(path)) names.add(name);
  }
  return names;
}

const isContent = ({ kind }: Removable): boolean => kind === "blob" || kind === "spilled output";

/** With its lock, so that nobody writes on into a file without a name. One that has grown since the plan stays. */
async function removeLog({ path, bytes }: Removable): Promise<boolean> {
  const opened = unlessGone(() => openLog(path, "append"));
  if (!opened) return false;
  const { fd } = opened;
  try {
    if ((await isTaken(fd, path)) || fstatSync(fd).size !== bytes) return false;
    unlinkSync(path);
    return true;
  } catch (cause) {
    throw storeFailure(cause, `remove ${path}`);
  } finally {
    closeSync(fd);
  }
}

function removeOther({ path, kind }: Removable, untouchedSince: number): boolean {
  try {
    if (kind === "throwaway") rmSync(path, { recursive: true, force: true });
    else if (kind !== "beside a log" && sizeOf(path, untouchedSince) === undefined) return false;
    else unlinkSync(path);
    return true;
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return false;
    throw storeFailure(cause, `remove ${path}`);
  }
}
