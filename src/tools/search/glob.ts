/** The glob tool: files by the pattern of their name, the newest first. */
import { join } from "node:path";
import { type FileMap, fileMap, splitGlob } from "../../repository/index.ts";
import { defineTool, type ToolContext, type ToolDefinition, type ToolResult } from "../define.ts";
import { resolveToolPath } from "../paths.ts";
import { fitted } from "../refusal.ts";
import description from "./glob.md" with { type: "text" };
import { counted, fitItems, itemOf } from "./list.ts";
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

interface GlobInput {
  readonly pattern: string;
  readonly path?: string;
}

const MAX_FILES = 200;
/** Room for the notes below the list. */
const NOTES_BYTES = 1024;

export const globTool = (ports: SearchToolPorts): ToolDefinition => {
  const { workspace, home } = ports;
  /** A pattern may begin with folders, also absolute ones: the search begins there, and so does what it touches. */
  const split = ({ pattern, path = "." }: GlobInput, cwd: string) => {
    const { folder, pattern: rest } = splitGlob(pattern);
    const from = resolveToolPath(path, cwd, home);
    return { root: folder === "" ? from : resolveToolPath(folder, from, home), rest };
  };
  return defineTool({
    name: "glob",
    description: description.trim(),
    parameters: {
      pattern: ["string >= 1", "@", "As in **/*.test.ts or src/{a,b}/*.js; may be absolute"],
      "path?": ["string >= 1", "@", "The folder to look in; default the working directory"],
      "+": "reject",
    },
    readOnly: true,
    access: (input, cwd) => [{ kind: "path", op: "read", path: split(input, cwd).root }],
    async execute(input: GlobInput, context) {
      const possible = withoutNul(input.pattern, input.path);
      if (!possible.ok) return notSearched(possible.error, context);
      const { root, rest } = split(input, workspace.cwd());
      const place = await placeOf(ports, root);
      if (!place.ok) return notSearched(place.error, context);
      const found = await fileMap(portsOf(ports), {
        place: place.value,
        glob: rest,
        order: "newest",
        maxFiles: MAX_FILES,
        mayShow: ports.search.readableBelow(place.value.root),
        signal: context.signal,
      });
      if (!found.ok) return notSearched(failureOf(found.error), context);
      const where = { input, cwd: workspace.cwd(), root: place.value.root };
      const folder = found.value.total === 0 && (await isFolder(join(where.root, rest), where.root, ports));
      const none = folder ? folderText(input) : noneText(where);
      return present(found.value, { context, cwd: where.cwd, none });
    },
  });
};

/** Whether a pattern without wildcards names a folder, which is no file. */
async function isFolder(path: string, root: string, { workspace, search }: SearchToolPorts): Promise<boolean> {
  if (!search.readableBelow(root)(path)) return false;
  const looked = await workspace.readFile(path, { maxBytes: 0 });
  return !looked.ok && looked.error.kind === "is-directory";
}

interface Where {
  readonly input: GlobInput;
  readonly cwd: string;
  readonly root: string;
}

const folderText = ({ pattern, path }: GlobInput): string =>
  `${pattern} is a folder. For the files in it: ${JSON.stringify({ pattern: `${pattern}/**`, ...(path && { path }) })}`;

const noneText = ({ input, cwd, root }: Where): string =>
  `No file in ${saidPath(root, cwd)} fits ${input.pattern}; ignored files are left out.`;

interface Presentation {
  readonly context: ToolContext;
  readonly cwd: string;
  /** In place of a list without a file. */
  readonly none: string;
}

function present({ files, total, end, unreadable }: FileMap, { context, cwd, none }: Presentation): ToolResult {
  const maxBytes = Math.max(0, context.maxResultBytes - NOTES_BYTES);
  const items = files.map((path) => itemOf(shownPath(path, cwd)));
  const { text, shown } = fitItems(items, { maxItems: MAX_FILES, maxBytes });
  const lines = [
    total === 0 ? none : text,
    ...(shown < total ? [`[The newest ${shown} of ${total} files. Narrow the pattern for the others.]`] : []),
    ...(end === "complete" ? [] : ["[Stopped at a limit: there may be more. Narrow it with path.]"]),
    ...(unreadable ? ["[Some folders could not be opened.]"] : []),
  ];
  const summary = total === 0 ? "no files" : counted(total, "file");
  return { modelText: fitted(lines.join("\n"), context), ui: { kind: "search", summary, matchCount: total } };
}
