/** The files of a project or of any folder, as ripgrep sees them: without what ignore files leave out. */
import { relative } from "node:path";
import { err, ok, type Result } from "../shared/index.ts";
import { compileGlob } from "./glob.ts";
import {
  foundPath,
  type RunEnding,
  runRipgrep,
  type SearchPlace,
  type SearchPorts,
  type SearchTrouble,
} from "./ripgrep-run.ts";
import { type MayShow, shownOf } from "./shown.ts";

export interface FileMapQuery {
  readonly place: SearchPlace;
  readonly mayShow: MayShow;
  /** A pattern of `compileGlob`, relative to the place. Absent: every file. */
  readonly glob?: string;
  readonly order: "path" | "newest";
  /** How many names come back at most. */
  readonly maxFiles: number;
  readonly signal: AbortSignal;
}

export interface FileMap extends RunEnding {
  /** Absolute. */
  readonly files: readonly string[];
  /**
   * How many there are; at least so many when `end` says that not all were seen. Among many thousands those that come late are
   * counted whether they may be shown or not: a count of names tells nothing of what is in a file.
   */
  readonly total: number;
}

/** How many names are looked at. */
const MAX_NAMES = 200_000;
/** How many of them are judged: more than anybody asks for, and a tenth of a second. */
const MAX_JUDGED = 2_000;

export async function fileMap(ports: SearchPorts, query: FileMapQuery): Promise<Result<FileMap, SearchTrouble>> {
  const { place, order, signal } = query;
  const glob = query.glob === undefined ? undefined : compileGlob(query.glob);
  const found: string[] = [];
  const ran = await runRipgrep(ports, {
    place,
    options: [
      "--files",
      "--null",
      ...(order === "newest" ? ["--sortr=modified"] : []),
      ...(glob?.name === undefined ? [] : byName(glob.name)),
    ],
    separator: "\0",
    take(record) {
      const path = foundPath(ports.projectRoot, place, record);
      if (!glob || glob.matches(relative(place.root, path))) found.push(path);
      return found.length < MAX_NAMES;
    },
    signal,
  });
  if (!ran.ok) return ran;
  if (order === "path") found.sort();
  const files = await shownOf(found.slice(0, MAX_JUDGED), query.mayShow, signal);
  if (signal.aborted) return err({ kind: "cancelled", message: "The search was interrupted." });
  const total = files.length + Math.max(0, found.length - MAX_JUDGED);
  return ok({ files: files.slice(0, query.maxFiles), total, ...ran.value });
}

/** Unlike `--glob`, a type brings no ignored file back. */
export const byName = (name: string): readonly string[] => [`--type-add=wanted:${name}`, "--type=wanted"];
