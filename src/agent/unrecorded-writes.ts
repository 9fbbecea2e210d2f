/**
 * What a crash hid: files that a running call had already changed when the program ended, before it could be recorded. Found
 * by comparing hashes, for calls that had started and declared a write; for what a command did see change-watch.ts.
 */
import type { SessionHandle } from "../session/index.ts";
import { type DurableInput, sha256 } from "../shared/index.ts";
import { fileDiff, type ToolRegistry } from "../tools/index.ts";
import type { FileContent, Workspace } from "../workspace/index.ts";
import { inputProblem } from "./tool-input.ts";
import { recordedPath } from "./tool-run.ts";

interface Parts {
  readonly session: SessionHandle;
  readonly tools: ToolRegistry;
  readonly workspace: Workspace;
}

/** To be published before the calls are closed: once they are, nobody looks again. A second look finds nothing new. */
export async function unrecordedWrites(parts: Parts): Promise<readonly DurableInput[]> {
  const { session, tools, workspace } = parts;
  const found: DurableInput[] = [];
  for (const { stage, toolName, input, toolUseId } of session.state().turn.pending) {
    const tool = tools.get(toolName);
    if (stage !== "started" || !tool || inputProblem(tool, input)) continue;
    for (const access of tool.access(input, workspace.cwd())) {
      const isWrite = access.kind === "path" && access.op === "write";
      const change = isWrite ? await changeAt(parts, access.path, contentOf(input)) : undefined;
      if (change) found.push({ type: "file.modified", payload: { ...change, toolUseId } });
    }
  }
  return found;
}

/** The whole text that a call was to write, where it names one. */
function contentOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("content" in input)) return undefined;
  return typeof input.content === "string" ? input.content : undefined;
}

/**
 * The change to a file whose content the model knew, or to one that it did not know and that holds what the call was to write.
 * It is recorded as `exec`, for the model has not seen what the call left: it has to read the file before it may edit it again.
 */
async function changeAt({ session, workspace }: Parts, path: string, content: string | undefined) {
  const file = await workspace.readFile(path);
  if (!file.ok) return undefined;
  const { realPath, bytes, mode } = file.value;
  const { seen, changes } = session.state().files;
  const recorded = recordedPath(workspace.cwd(), realPath);
  const before = seen[recorded];
  const after = sha256(bytes);
  if (before === after || changes[recorded]?.lastAfterSha256 === after) return undefined;
  if (before === undefined) {
    const isMade = content !== undefined && sha256(content) === after;
    const made = { path: recorded, operation: "exec", diffStats: NOTHING_COUNTED, afterSha256: after, mode } as const;
    return isMade ? made : undefined;
  }
  const difference = await differenceFrom(await session.blobs.get(before), file.value, recorded);
  const hashes = { beforeSha256: before, afterSha256: after, mode };
  return { path: recorded, operation: "exec", ...difference, ...hashes } as const;
}

const NOTHING_COUNTED = { added: 0, removed: 0 };

/** Without the content before, that it changed is all that can be said. */
async function differenceFrom(before: Uint8Array | undefined, { bytes }: FileContent, path: string) {
  if (!before) return { diffStats: NOTHING_COUNTED };
  const text = new TextDecoder("utf-8", { ignoreBOM: true });
  return fileDiff(path, text.decode(before), text.decode(bytes));
}
