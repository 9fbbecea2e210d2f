/**
 * The write tool: makes a file, or replaces one that the model has seen as it is now. The content is taken literally; of an
 * old file only what its text does not show stays: its mode, and a byte order mark. A refusal leaves every byte as it was.
 */
import { sha256, toBytes } from "../shared/index.ts";
import type { FileContent, WriteReceipt } from "../workspace/index.ts";
import { defineTool, type ToolContext, type ToolDefinition, type ToolResult } from "./define.ts";
import { fileDiff } from "./edit/diff.ts";
import { displayPath, resolveToolPath } from "./paths.ts";
import type { FileToolPorts } from "./read.ts";
import { CANCELLED, fileRefusal, fitted, notSeen, type Refusal, refusal } from "./refusal.ts";
import { fileText } from "./text-file.ts";
import description from "./write.md" with { type: "text" };

/** Everything about one call that its steps share. */
interface Call {
  readonly content: string;
  readonly context: ToolContext;
  readonly path: string;
  readonly shown: string;
}

export const writeTool = ({ workspace, home }: FileToolPorts): ToolDefinition =>
  defineTool({
    name: "write",
    description: description.trim(),
    parameters: {
      file_path: ["string >= 1", "@", "Absolute, or relative to the working directory"],
      content: ["string", "@", "The whole text of the file"],
      "+": "reject",
    },
    readOnly: false,
    access: ({ file_path }, cwd) => [{ kind: "path", op: "write", path: resolveToolPath(file_path, cwd, home) }],
    async execute({ file_path, content }, context) {
      const path = resolveToolPath(file_path, workspace.cwd(), home);
      const call: Call = { content, context, path, shown: displayPath(path, workspace.cwd()) };
      const file = await workspace.readFile(path);
      if (!file.ok && file.error.kind !== "not-found") return refused(call, fileRefusal(file.error, path));
      const old = file.ok ? file.value : undefined;
      const plan = planned(old, call);
      if ("reason" in plan) return refused(call, plan);
      const before = plan.old?.sha256 ?? null;
      if (before === sha256(plan.bytes)) return unchanged(call);
      const target = old?.realPath ?? path;
      await context.beforeWrite(target, old?.bytes ?? null);
      const written = await workspace.writeFile(target, plan.bytes, { expectedSha256: before });
      return written.ok ? done(call, plan, written.value) : refused(call, fileRefusal(written.error, path));
    },
  });

interface Plan {
  /** Absent: there was no file. */
  readonly old?: { readonly sha256: string; readonly crlf: boolean };
  readonly before: string;
  readonly after: string;
  readonly bytes: Uint8Array;
}

/** Judges the file and the content; changes nothing. */
function planned(old: FileContent | undefined, { content, context, shown }: Call): Plan | Refusal {
  if (context.signal.aborted) return CANCELLED;
  if (!content.isWellFormed())
    return { reason: "invalid-input", message: "content holds half a character (a lone surrogate)." };
  if (!old) return { before: "", after: content, bytes: toBytes(content) };
  if (old.bytes.length < old.sizeBytes)
    return { reason: "too-large", message: `${shown} has ${old.sizeBytes} bytes, too many to have been read whole.` };
  const text = fileText(old.bytes);
  if (text.kind === "binary")
    return {
      reason: "binary",
      message: `${shown} is ${text.what}. If text shall stand in its place, remove it first.`,
    };
  if (text.kind === "foreign") {
    const message = `${shown} is ${text.encoding}, and would become UTF-8. Convert it with bash (iconv), or remove it first.`;
    return { reason: "encoding", message };
  }
  const bom = text.bom ? "\ufeff" : "";
  const after = content.startsWith(bom) ? content : bom + content;
  const bytes = toBytes(after);
  const before = sha256(old.bytes);
  const unseen = sha256(bytes) === before ? undefined : notSeen(old, context, { shown, next: "write" });
  const known = { sha256: before, crlf: text.text.includes("\r\n") };
  return unseen ?? { old: known, before: bom + text.text, after, bytes };
}

async function done(call: Call, plan: Plan, { realPath: path, sha256: afterSha256, mode }: WriteReceipt) {
  const { diff, diffStats } = await fileDiff(call.shown, plan.before, plan.after);
  const counts = `+${diffStats.added} -${diffStats.removed}`;
  const summary = `${call.shown}: ${plan.old ? counts : `new, +${diffStats.added}`}`;
  const beforeSha256 = plan.old?.sha256 ?? null;
  return {
    modelText: fitted(report(call, plan, counts), call.context),
    ui: { kind: "edit", summary, diffStats },
    modified: [{ path, operation: "write", diffStats, diff, beforeSha256, afterSha256, mode }],
  } as const;
}

const refused = ({ shown, context }: Call, why: Refusal): ToolResult =>
  refusal(why, { shown, context, words: ["Nothing was written", "not written"] });

/** What is there already is no change, whoever has seen it. */
const unchanged = ({ shown, context }: Call): ToolResult => ({
  modelText: fitted(`${shown} holds exactly this already. Nothing was written.`, context),
  ui: { kind: "edit", summary: `${shown}: unchanged`, diffStats: { added: 0, removed: 0 } },
});

function report({ shown }: Call, { old, after }: Plan, counts: string): string {
  if (!old) return `Created ${shown}.`;
  const converted = old.crlf && !after.includes("\r\n") ? " Its lines ended in CRLF; now they end in LF." : "";
  return `Replaced ${shown} (${counts} lines).${converted}`;
}
