/**
 * The edit tool: replaces text in a file that the model has seen as it is now. It refuses rather than guesses, and a refusal
 * leaves every byte as it was.
 */
import { sha256, toBytes } from "../../shared/index.ts";
import type { FileContent } from "../../workspace/index.ts";
import { defineTool, type ToolContext, type ToolDefinition, type ToolResult } from "../define.ts";
import { displayPath, resolveToolPath } from "../paths.ts";
import type { FileToolPorts } from "../read.ts";
import { CANCELLED, fileRefusal, fitted, notSeen, type Refusal, refusal } from "../refusal.ts";
import { fileText } from "../text-file.ts";
import { applyEdit, type Edited } from "./apply.ts";
import { fileDiff } from "./diff.ts";
import description from "./edit.md" with { type: "text" };
import { explainRefusal } from "./explain.ts";
import { snippets } from "./snippets.ts";

interface EditInput {
  readonly file_path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

/** Everything about one call that its steps share. */
interface Call {
  readonly input: EditInput;
  readonly context: ToolContext;
  readonly path: string;
  readonly shown: string;
}

export const editTool = ({ workspace, home }: FileToolPorts): ToolDefinition =>
  defineTool({
    name: "edit",
    description: description.trim(),
    parameters: {
      file_path: ["string >= 1", "@", "Absolute, or relative to the working directory"],
      old_string: ["string", "@", "The text to replace"],
      new_string: ["string", "@", "The text to put there, taken literally"],
      "replace_all?": ["boolean", "@", "Replace every occurrence; default false"],
      "+": "reject",
    },
    readOnly: false,
    access: ({ file_path }, cwd) => [{ kind: "path", op: "write", path: resolveToolPath(file_path, cwd, home) }],
    async execute(input, context) {
      const path = resolveToolPath(input.file_path, workspace.cwd(), home);
      const call: Call = { input, context, path, shown: displayPath(path, workspace.cwd()) };
      const file = await workspace.readFile(path);
      if (!file.ok) return refused(call, fileRefusal(file.error, path));
      const edit = planned(file.value, call);
      if ("reason" in edit) return refused(call, edit);
      if (context.signal.aborted) return refused(call, CANCELLED);
      const { realPath, bytes } = file.value;
      await context.beforeWrite(realPath, bytes);
      const before = sha256(bytes);
      const written = await workspace.writeFile(realPath, toBytes(edit.after), { expectedSha256: before });
      if (!written.ok) return refused(call, fileRefusal(written.error, path));
      const { diff, diffStats } = await fileDiff(call.shown, edit.before, edit.after);
      const { sha256: afterSha256, mode } = written.value;
      const fact = {
        path: realPath,
        operation: "edit",
        diffStats,
        diff,
        beforeSha256: before,
        afterSha256,
        mode,
      } as const;
      const summary = `${call.shown}: +${diffStats.added} -${diffStats.removed}`;
      return {
        modelText: fitted(report(edit.edited, call.shown), context),
        ui: { kind: "edit", summary, diffStats },
        modified: [fact],
      };
    },
  });

interface Plan {
  readonly before: string;
  readonly after: string;
  readonly edited: Edited;
}

/** Judges the file and the edit; changes nothing. */
function planned(file: FileContent, { input, context, shown }: Call): Plan | Refusal {
  if (file.bytes.length < file.sizeBytes) {
    return { reason: "too-large", message: `${shown} has ${file.sizeBytes} bytes. Change it with bash, e.g. sed -i.` };
  }
  const content = fileText(file.bytes);
  if (content.kind === "binary")
    return { reason: "binary", message: `${shown} is ${content.what}, which has no text to edit.` };
  if (content.kind === "foreign") {
    const message = `${shown} is ${content.encoding}: writing it back would change other bytes. Use bash (iconv, sed).`;
    return { reason: "encoding", message };
  }
  const unseen = notSeen(file, context, { shown, next: "edit" });
  if (unseen) return unseen;
  const typed = { old: input.old_string, next: input.new_string };
  const edited = applyEdit(content.text, typed, input.replace_all ?? false);
  if (!edited.ok) return { reason: edited.error.kind, message: explainRefusal(edited.error, content.text, typed) };
  const bom = content.bom ? "\ufeff" : "";
  return { before: bom + content.text, after: bom + edited.value.text, edited: edited.value };
}

const refused = ({ shown, context }: Call, why: Refusal): ToolResult =>
  refusal(why, { shown, context, words: ["Nothing was edited", "not edited"] });

function report({ text, changed, matcher }: Edited, shown: string): string {
  const places = changed.length === 1 ? "" : ` in ${changed.length} places`;
  const slip = matcher.forgives === "" ? "" : ` (old_string was matched in spite of ${matcher.forgives})`;
  return `Edited ${shown}${places}${slip}. It now reads:\n${snippets(text, changed)}`;
}
