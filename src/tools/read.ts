/** The read tool: a range of a text file, and the hash of the whole file, by which staleness is judged later. */
import { bytePrefix, sha256, wellFormed } from "../shared/index.ts";
import type { FileContent, Workspace } from "../workspace/index.ts";
import { defineTool, type ToolContext, type ToolDefinition, type ToolResult } from "./define.ts";
import { ERROR_KINDS, fileTrouble } from "./failures.ts";
import { type NumberedLines, numberedLines } from "./lines.ts";
import { displayPath, resolveToolPath } from "./paths.ts";
import description from "./read.md" with { type: "text" };
import { type FileText, fileText } from "./text-file.ts";

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const DEFAULT_LINES = 2000;
/** Room for the notes below the lines. */
const NOTES_BYTES = 1024;

export interface FileToolPorts {
  readonly workspace: Workspace;
  /** The user's home folder, for `~/`. */
  readonly home: string;
}

interface ReadInput {
  readonly file_path: string;
  readonly offset?: number;
  readonly limit?: number;
}

export const readTool = ({ workspace, home }: FileToolPorts): ToolDefinition =>
  defineTool({
    name: "read",
    description: description.trim(),
    parameters: {
      file_path: ["string >= 1", "@", "Absolute, or relative to the working directory"],
      "offset?": ["number.integer >= 1", "@", "The first line to show, from 1"],
      "limit?": ["number.integer >= 1", "@", "How many lines to show at most"],
      "+": "reject",
    },
    readOnly: true,
    access: ({ file_path }, cwd) => [{ kind: "path", op: "read", path: resolveToolPath(file_path, cwd, home) }],
    async execute(input, context) {
      const path = resolveToolPath(input.file_path, workspace.cwd(), home);
      const file = await workspace.readFile(path, { maxBytes: MAX_FILE_BYTES });
      const shown = displayPath(path, workspace.cwd());
      if (file.ok) return present(file.value, shown, input, context);
      const { kind, nearby } = file.error;
      const shows = kind === "is-directory" && nearby ? ({ shows: "names" } as const) : {};
      return refuse(shown, fileTrouble(file.error, path), { errorKind: ERROR_KINDS[kind], ...shows }, context);
    },
  });

function present(file: FileContent, shown: string, input: ReadInput, context: ToolContext): ToolResult {
  const wrong = { errorKind: "invalid-input" } as const;
  if (file.bytes.length < file.sizeBytes) {
    const how = `Look at a part of it with bash, e.g. sed -n '1,200p' or grep -n.`;
    return refuse(shown, `${shown} has ${file.sizeBytes} bytes, too many to read at once. ${how}`, wrong, context);
  }
  const content = fileText(file.bytes);
  if (content.kind === "binary") {
    const how = "Its content cannot be shown as text; bash can inspect it (file, xxd | head).";
    return refuse(shown, `${shown} is ${content.what} of ${file.sizeBytes} bytes. ${how}`, wrong, context);
  }
  const maxBytes = Math.max(0, context.maxResultBytes - NOTES_BYTES);
  const lines = numberedLines(content.text, {
    first: Math.min(input.offset ?? 1, Number.MAX_SAFE_INTEGER), // beyond, one more is the same number
    count: input.limit ?? DEFAULT_LINES,
    maxBytes,
  });
  return {
    modelText: fitted(modelText(lines, content, shown, input), context),
    ...(lines.last >= lines.first && { shows: "lines" }),
    ui: { kind: "read", summary: summary(lines, shown) },
    read: [readFact(file, lines)],
  };
}

const fitted = (text: string, { maxResultBytes }: ToolContext): string => bytePrefix(wellFormed(text), maxResultBytes);

function refuse(
  shown: string,
  message: string,
  failure: Required<Pick<ToolResult, "errorKind">> & Pick<ToolResult, "shows">,
  context: ToolContext,
): ToolResult {
  return { modelText: fitted(message, context), ...failure, ui: { kind: "read", summary: `${shown}: not read` } };
}

function modelText(
  lines: NumberedLines,
  content: Exclude<FileText, { kind: "binary" }>,
  shown: string,
  input: ReadInput,
) {
  if (lines.total === 0) return `${shown} is empty.`;
  if (lines.last < lines.first) return `${shown} has only ${lines.total} lines; there is no line ${lines.first}.`;
  return [lines.text, ...notes(lines, content, input)].join("\n");
}

function notes(lines: NumberedLines, content: FileText, input: ReadInput): string[] {
  const found: string[] = [];
  if (content.kind === "utf8" && content.bom) found.push("[It begins with a UTF-8 BOM, which edit keeps.]");
  if (content.kind === "utf8" && content.text.includes("\r\n")) {
    found.push("[Its lines end in CRLF, which edit keeps: write plain line ends.]");
  }
  if (content.kind === "foreign")
    found.push(`[Its encoding is ${content.encoding}: shown approximately, edit refuses it.]`);
  if (lines.last < lines.total) {
    const next = JSON.stringify({ ...input, offset: lines.last + 1 });
    found.push(`[Lines ${lines.first}-${lines.last} of ${lines.total}. For more: read ${next}]`);
  }
  return found;
}

function summary({ first, last, total }: NumberedLines, shown: string): string {
  if (total === 0) return `${shown}: empty`;
  return first === 1 && last === total
    ? `${shown}: ${total} ${total === 1 ? "line" : "lines"}`
    : `${shown}: lines ${first}-${last} of ${total}`;
}

function readFact(file: FileContent, { first, last, total }: NumberedLines) {
  const whole = first === 1 && last === total;
  return {
    path: file.realPath,
    ...(!whole && last >= first && { range: { start: first, end: last } }),
    bytes: file.sizeBytes,
    mtimeMs: file.mtimeMs,
    sha256: sha256(file.bytes),
  };
}
