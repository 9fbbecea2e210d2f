/**
 * What was typed and not sent, kept below the state folder for its owner alone: a small file for each session that has a
 * draft, and one for the project. Written in one step, so that a kill leaves the old one or the new one.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { byteLength, bytePrefix, errorCode, isUlid } from "../../shared/index.ts";
import type { DraftStore } from "../../tui/index.ts";
import { readOwnFile, replaceOwnFile } from "./own-file.ts";

export interface DraftPlace {
  /** Of the project, below `drafts` in the state folder. Undefined: nothing of this run is kept. */
  readonly folder: string | undefined;
  /** Whether the project has a session of this id; absent: it has whatever is asked about. */
  readonly hasLog?: (id: string) => boolean;
  /** Keys in use; none of them is written down. */
  readonly secrets: readonly string[];
}

const MAX_BYTES = 1024 * 1024;
/** For each project; the oldest go first. */
const MAX_DRAFTS = 100;
/** A shorter value is no secret, and hiding it would eat the words around it. */
const MIN_SECRET = 16;
/** A key that is not in use yet, such as one that was pasted before anybody asked for it. */
const KEY_SHAPE = /sk-ant-[\w-]{16,}/g;

/** `place` is asked once, when the first draft is looked for; what is to be saved before it is known waits for it. */
export function createDrafts(place: () => Promise<DraftPlace>): DraftStore {
  let known: DraftPlace | undefined;
  let asked: Promise<DraftPlace> | undefined;
  const waiting = new Map<string | undefined, string>();
  const places = (): Promise<DraftPlace> => {
    asked ??= place().then((found) => {
      known = found;
      for (const [id, text] of waiting) keep(found, id, text);
      waiting.clear();
      return found;
    });
    return asked;
  };
  return {
    async load(id) {
      const { folder } = await places();
      if (folder === undefined) return undefined;
      sweep(folder);
      return readOwnFile(join(folder, fileOf(id)), MAX_BYTES);
    },
    save(id, text) {
      if (known) return keep(known, id, text);
      waiting.set(id, text);
      return undefined;
    },
  };
}

const fileOf = (id: string | undefined): string => `${id !== undefined && isUlid(id) ? id : "new"}.txt`;

/** Whoever looks for the draft of a session whose log was removed finds nobody: it is the project's then. */
function keep(
  { folder, hasLog = () => true, secrets }: DraftPlace,
  id: string | undefined,
  text: string,
): string | undefined {
  if (folder === undefined) return undefined;
  const path = join(folder, fileOf(text === "" || (id !== undefined && hasLog(id)) ? id : undefined));
  const hidden = secrets
    .filter(({ length }) => length >= MIN_SECRET)
    .reduce((left, secret) => left.replaceAll(secret, "[redacted]"), text)
    .replaceAll(KEY_SHAPE, "[redacted]");
  try {
    if (text === "") rmSync(path, { force: true });
    else replaceOwnFile(path, bytePrefix(hidden, MAX_BYTES));
  } catch (error) {
    return `The draft cannot be kept for the next start (${errorCode(error) ?? "unknown"}).`;
  }
  return byteLength(hidden) > MAX_BYTES ? "Only the first MiB of the draft is kept for the next start." : undefined;
}

/** Drafts that were left behind do not add up. */
function sweep(folder: string): void {
  try {
    const files = readdirSync(folder).map((name) => join(folder, name));
    if (files.length <= MAX_DRAFTS) return;
    const byAge = files.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at);
    for (const { path } of byAge.slice(MAX_DRAFTS)) rmSync(path, { force: true });
  } catch {
    // there is no folder yet, or another start sweeps as well
  }
}

/** With a session goes its draft. `logs` are the files of the sessions that were removed. */
export function dropDrafts(home: string, logs: readonly string[]): void {
  const names = new Set(logs.map((path) => `${basename(path, ".jsonl")}.txt`));
  const root = join(home, "drafts");
  try {
    for (const project of readdirSync(root)) {
      for (const name of readdirSync(join(root, project))) {
        if (names.has(name)) rmSync(join(root, project, name), { force: true });
      }
    }
  } catch {
    // nobody has kept one yet
  }
}
