/** The grep tool: which files, which lines or how many. A search that finds nothing has succeeded. */
import { type SearchFound, search } from "../../repository/index.ts";
import { defineTool, type ToolContext, type ToolDefinition, type ToolResult } from "../define.ts";
import { resolveToolPath } from "../paths.ts";
import { fitted } from "../refusal.ts";
import description from "./grep.md" with { type: "text" };
import { contentItems, counted, type Fitted, fitItems, itemOf } from "./list.ts";
import {
  failureOf,
  notSearched,
  placeOf,
  portsOf,
  type SearchToolPorts,
  saidPath,
  shownPath,
  withoutNul,
} from "./scope.ts";

type OutputMode = "files_with_matches" | "content" | "count";

interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly output_mode?: OutputMode;
  readonly context?: number;
}

const MAX_FILES = 200;
const MAX_LINES = 500;
/** Room for the notes below the list. */
const NOTES_BYTES = 1024;

const WANTED = { files_with_matches: "files", content: "lines", count: "counts" } as const;

export const grepTool = (ports: SearchToolPorts): ToolDefinition => {
  const { workspace, home } = ports;
  const rootOf = ({ path = "." }: GrepInput, cwd: string) => resolveToolPath(path, cwd, home);
  return defineTool({
    name: "grep",
    description: description.trim(),
    parameters: {
      pattern: ["string >= 1", "@", "A regular expression"],
      "path?": ["string >= 1", "@", "A file or folder; default the working directory"],
      "glob?": ["string >= 1", "@", "Only files that fit, as in *.ts or src/**/*.{js,ts}"],
      "output_mode?": [
        "'files_with_matches' | 'content' | 'count'",
        "@",
        "Default files_with_matches; content gives lines with their numbers",
      ],
      "context?": ["0 <= number.integer <= 50", "@", "With content: lines around each match"],
      "+": "reject",
    },
    readOnly: true,
    access: (input, cwd) => [{ kind: "path", op: "read", path: rootOf(input, cwd) }],
    async execute(input: GrepInput, context) {
      const { pattern, glob, output_mode: mode = "files_with_matches" } = input;
      const possible = withoutNul(pattern, glob, input.path);
      if (!possible.ok) return notSearched(possible.error, context);
      const place = await placeOf(ports, rootOf(input, workspace.cwd()));
      if (!place.ok) return notSearched(place.error, context);
      const found = await search(portsOf(ports), {
        place: place.value,
        pattern,
        ...(glob !== undefined && { glob: fromRoot(glob, place.value.root) }),
        want: WANTED[mode],
        ...(input.context !== undefined && { context: input.context }),
        mayShow: ports.search.readableBelow(place.value.root),
        signal: context.signal,
      });
      if (!found.ok) {
        const failure = failureOf(found.error);
        const hint = found.error.kind === "bad-pattern" ? `\n${fixedTextHint(pattern)}` : "";
        return notSearched({ ...failure, message: failure.message + hint }, context);
      }
      return present(found.value, { input, mode, context, cwd: workspace.cwd(), root: place.value.root });
    },
  });
};

/** An absolute pattern is meant from the root of the search. */
const fromRoot = (glob: string, root: string): string => (glob.startsWith(`${root}/`) ? glob.slice(root.length) : glob);

const fixedTextHint = (pattern: string): string =>
  `If you meant fixed text: ${JSON.stringify({ pattern: pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") })}`;

interface Presentation {
  readonly input: GrepInput;
  readonly mode: OutputMode;
  readonly context: ToolContext;
  readonly cwd: string;
  readonly root: string;
}

function present(found: SearchFound, presentation: Presentation): ToolResult {
  const { mode, context } = presentation;
  const matches = found.files.reduce((sum, file) => sum + file.matches, 0);
  const notes = [...endNotes(found)];
  const ui = { kind: "search", summary: summaryOf(found, matches, mode), matchCount: matches } as const;
  if (found.files.length === 0)
    return { modelText: fitted([nothing(found, presentation), ...notes].join("\n"), context), ui };
  const list = listed(found, presentation);
  const omission = omitted(found, { list, matches, mode });
  return { modelText: fitted([list.text, ...omission, ...notes].join("\n"), context), ui };
}

function listed({ files }: SearchFound, { mode, context, cwd }: Presentation): Fitted {
  const maxBytes = Math.max(0, context.maxResultBytes - NOTES_BYTES);
  const nameOf = (path: string) => shownPath(path, cwd);
  if (mode === "content") return fitItems(contentItems(files, nameOf), { maxItems: MAX_LINES, maxBytes });
  const items = files.map(({ path, matches }) =>
    itemOf(mode === "count" ? `${nameOf(path)}:${matches}` : nameOf(path)),
  );
  return fitItems(items, { maxItems: MAX_FILES, maxBytes });
}

interface Shown {
  readonly list: Fitted;
  readonly matches: number;
  readonly mode: OutputMode;
}

const NARROWER = "Narrow it with path, glob or a more exact pattern.";

function omitted({ files, end }: SearchFound, { list, matches, mode }: Shown): readonly string[] {
  const atLeast = end === "complete" ? "" : "at least ";
  if (mode === "content") {
    if (list.shown >= matches) return [];
    return [
      `[${list.shown} of ${atLeast}${matches} matching lines shown, in ${counted(files.length, "file")}. ${NARROWER}]`,
    ];
  }
  const total =
    mode === "count" ? [`[${atLeast}${counted(matches, "matching line")} in ${counted(files.length, "file")}]`] : [];
  if (list.shown >= files.length) return total;
  return [...total, `[${list.shown} of ${atLeast}${files.length} files shown. ${NARROWER}]`];
}

function* endNotes({ end, unreadable }: SearchFound): Generator<string> {
  if (end === "time") yield `[Stopped at the time limit of 20 s: there may be more. ${NARROWER}]`;
  if (end === "size") yield `[Stopped, because so much matches: there is more. ${NARROWER}]`;
  if (unreadable) yield "[Some files or folders could not be opened and were not searched.]";
}

function nothing({ searched }: SearchFound, { input, cwd, root }: Presentation): string {
  const { pattern, glob } = input;
  const where = `${saidPath(root, cwd)}${glob === undefined ? "" : ` (${glob})`}`;
  if (searched === 0) return `No file to search in ${where}: there is none, or ignore files leave them out.`;
  if (glob?.includes("/"))
    return `No matches for ${pattern} in ${where}. The glob is taken from ${saidPath(root, cwd)}.`;
  const how = searched === undefined ? "" : ` ${counted(searched, "file")} searched.`;
  return `No matches for ${pattern} in ${where}.${how}`;
}

function summaryOf({ files }: SearchFound, matches: number, mode: OutputMode): string {
  const inFiles = counted(files.length, "file");
  if (files.length === 0) return "no matches";
  return mode === "files_with_matches" ? inFiles : `${counted(matches, "match")} in ${inFiles}`;
}
