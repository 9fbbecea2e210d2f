/**
 * A command of the user's own (`!cmd`). Whoever types it wants it, so nobody is asked; the floor and the deny rules hold.
 * What came out is recorded and told to the model with the next request; by itself it asks the model nothing.
 */
import { join } from "node:path";
import type { PermissionEvaluator } from "../permissions/index.ts";
import type { SessionHandle } from "../session/index.ts";
import { byteLength, bytePrefix, type NewId, type Payload } from "../shared/index.ts";
import type { SpillRoom, ToolContext, ToolDefinition, ToolResult } from "../tools/index.ts";

/**
 * Resolves with the message to record, also after an abort. What the command does to files is the user's own change, and is
 * not recorded as one of this session's.
 */
export type UserShell = (command: string, signal: AbortSignal) => Promise<Payload<"user.message-created">>;

export interface UserShellDeps {
  readonly session: SessionHandle;
  readonly evaluator: PermissionEvaluator;
  readonly bashTool: ToolDefinition;
  readonly cwd: string;
  readonly spillFolder: string;
  /** As for the commands of the model. */
  readonly spillRoom: () => Promise<SpillRoom>;
  readonly newId: NewId;
}

const TIMEOUT_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 32 * 1024;
/** A longer command is shown cut: the model need not read a script to know what came out of it. */
const MAX_SHOWN_BYTES = 4 * 1024;

export const createUserShell =
  (deps: UserShellDeps): UserShell =>
  async (command, signal) => {
    const refusal = signal.aborted ? INTERRUPTED : refusalOf(deps, command);
    if (refusal !== undefined) return messageOf(command, { modelText: `[Not run: ${refusal}]` });
    await deps.session.sync(); // what was said before it must be known after a crash
    const context = { ...contextOf(deps, signal), spillRoom: await deps.spillRoom() };
    const ran = await deps.bashTool.execute({ command, timeout_ms: TIMEOUT_MS }, context);
    return messageOf(command, ran);
  };

const INTERRUPTED = "the user interrupted before it began";

/** What only asks, or what a mode keeps the model from, is the user's to do. */
function refusalOf({ evaluator, cwd }: UserShellDeps, command: string): string | undefined {
  const { action, tier, because } = evaluator.evaluate({ kind: "command", command, cwd });
  return action === "deny" && tier !== "mode" ? because : undefined;
}

function contextOf({ session, spillFolder, newId }: UserShellDeps, signal: AbortSignal): ToolContext {
  return {
    signal,
    emitOutput: () => undefined,
    beforeWrite: () => Promise.resolve(),
    lastSeenSha256: () => undefined,
    spillFile: join(spillFolder, `${session.id}-shell-${newId()}.txt`),
    maxResultBytes: MAX_OUTPUT_BYTES,
  };
}

type Outcome = Pick<ToolResult, "modelText" | "spillFile"> & { readonly ui?: ToolResult["ui"] };

/** The model reads the context entry, as text like all that is captured; the fields beside it are for screens. */
function messageOf(command: string, { modelText: output, spillFile, ui }: Outcome): Payload<"user.message-created"> {
  const shown = byteLength(command) > MAX_SHOWN_BYTES ? `${bytePrefix(command, MAX_SHOWN_BYTES)} […]` : command;
  const text = `<user-shell>\n$ ${shown}\n${output}\n</user-shell>`;
  const shell = { command, exitCode: ui?.exitCode ?? null, output, ...(spillFile !== undefined && { spillFile }) };
  return { text: "", mentions: [], by: "user", context: [{ name: "shell", text }], shell };
}
