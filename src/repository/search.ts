/** Searches the content of files. What it gives back is bounded and in the order of paths, whatever order ripgrep took. */
import { relative } from "node:path";
import { err, ok, type Result } from "../shared/index.ts";
import { byName } from "./file-map.ts";
import { compileGlob } from "./glob.ts";
import {
  foundPath,
  type RunEnding,
  runRipgrep,
  type SearchPlace,
  type SearchPorts,
  type SearchTrouble,
} from "./ripgrep-run.ts";
import { createTally, type FoundFile } from "./search-tally.ts";
import { type MayShow, shownOf } from "./shown.ts";

export interface SearchQuery {
  readonly place: SearchPlace;
  /** A regular expression; one with `\n` or a line end in it may match over lines. */
  readonly pattern: string;
  /** A pattern of `compileGlob`, relative to the place. */
  readonly glob?: string;
  /** `files` counts one match a file, whatever is in it. Only `lines` brings text. */
  readonly want: "files" | "counts" | "lines";
  /** Lines of context around each match. */
  readonly context?: number;
  readonly mayShow: MayShow;
  readonly signal: AbortSignal;
}

export interface SearchFound extends RunEnding {
  /** Those with a match, by path. */
  readonly files: readonly FoundFile[];
  /** How many files were searched; undefined when the run was ended at a limit. Tells nothing about what is in them. */
  readonly searched?: number;
}

const MAX_CONTEXT_LINES = 50;

export async function search(ports: SearchPorts, query: SearchQuery): Promise<Result<SearchFound, SearchTrouble>> {
  const { place, pattern, want, signal } = query;
  const glob = query.glob === undefined ? undefined : compileGlob(query.glob);
  const tally = createTally(want === "lines");
  const ran = await runRipgrep(ports, {
    place,
    options: [
      "--json",
      ...flavour(pattern),
      ...(want === "files" ? ["--max-count=1"] : []),
      ...(want === "lines" ? [`--context=${Math.min(query.context ?? 0, MAX_CONTEXT_LINES)}`] : []),
      ...(glob?.name === undefined ? [] : byName(glob.name)),
    ],
    pattern,
    separator: "\n",
    take: tally.take,
    signal,
  });
  if (!ran.ok) return ran;
  const byPath = new Map(tally.files().map((file) => [foundPath(ports.projectRoot, place, file.path), file]));
  const fitting = [...byPath.keys()].filter(
    (path) => !glob || !place.isFolder || glob.matches(relative(place.root, path)),
  );
  const shown = await shownOf(fitting.sort(), query.mayShow, signal);
  if (signal.aborted) return err({ kind: "cancelled", message: "The search was interrupted." });
  const files = shown.flatMap((path) => {
    const file = byPath.get(path);
    return file ? [{ ...file, path }] : [];
  });
  const searched = tally.searched();
  return ok({ files, ...ran.value, ...(searched !== undefined && { searched }) });
}

/** PCRE2 only for what the quick engine cannot do; `$` also before a CRLF, unless the pattern itself speaks of CR. */
function flavour(pattern: string): readonly string[] {
  const spansLines = /\n|\\n/.test(pattern);
  const crlf = pattern.includes("$") && !/\r|\\r/.test(pattern);
  return ["--engine=auto", ...(spansLines ? ["--multiline"] : []), ...(crlf ? ["--crlf"] : [])];
}
