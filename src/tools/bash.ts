/** The bash tool: one command to its end, its output as text, and in words how it ended. */
import { bytePrefix, wellFormed } from "../shared/index.ts";
import type { ExecError, ProcessResult, Workspace } from "../workspace/index.ts";
import description from "./bash.md" with { type: "text" };
import { defineTool, type ToolContext, type ToolDefinition, type ToolResult } from "./define.ts";
import { createLiveOutput } from "./live-output.ts";
import { outputText, type Spill, withOmission } from "./output-text.ts";
import { keepWhole, noSpill, spillOptions } from "./spill.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
/** Much more than a result holds, because cleaning can shrink it: a progress bar collapses to its last state. */
const KEPT_BYTES = 1024 * 1024;
/** Room for the omission, the file's name and the ending. */
const NOTES_BYTES = 1024;

interface BashInput {
  readonly command: string;
  readonly timeout_ms?: number;
  readonly description?: string;
}

export const bashTool = ({ workspace }: { readonly workspace: Workspace }): ToolDefinition =>
  defineTool({
    name: "bash",
    description: description.trim(),
    parameters: {
      command: ["string >= 1", "@", "Bash text"],
      "timeout_ms?": ["1 <= number.integer <= 600000", "@", "Then the command is killed; default 120000"],
      "description?": ["string", "@", "What it does, in five to ten words, for the user"],
      "+": "reject",
    },
    readOnly: false,
    access: ({ command }, cwd) => [{ kind: "command", command, cwd }],
    async execute(input: BashInput, context) {
      if (input.command.includes("\0")) return notRun("The command holds a NUL character.", "invalid-input");
      const timeoutMs = input.timeout_ms ?? DEFAULT_TIMEOUT_MS;
      const live = createLiveOutput(context.emitOutput);
      const ran = await workspace.exec({
        command: wellFormed(input.command),
        timeoutMs,
        signal: context.signal,
        onOutput: live.push,
        maxOutputBytes: KEPT_BYTES,
        ...spillOptions(context),
      });
      live.end();
      if (!ran.ok) return notRun(ran.error.message, EXEC_ERRORS[ran.error.kind]);
      return present(ran.value, { timeoutMs, context, workspace });
    },
  });

const EXEC_ERRORS: Readonly<Record<ExecError["kind"], NonNullable<ToolResult["errorKind"]>>> = {
  "no-such-directory": "exec-error",
  "no-shell": "exec-error",
  "too-long": "invalid-input",
  io: "exec-error",
};

const notRun = (message: string, errorKind: NonNullable<ToolResult["errorKind"]>): ToolResult => ({
  modelText: wellFormed(message),
  errorKind,
  ui: { kind: "exec", summary: "did not run" },
});

interface Presentation {
  readonly timeoutMs: number;
  readonly context: ToolContext;
  readonly workspace: Workspace;
}

async function present(ran: ProcessResult, { timeoutMs, context, workspace }: Presentation): Promise<ToolResult> {
  const output = outputText(ran, Math.max(0, context.maxResultBytes - NOTES_BYTES));
  const spill = output.omittedBytes > 0 ? await wholeOutput(ran, workspace, context) : {};
  const ending = endingOf(ran, timeoutMs);
  const isBlank = output.text.trim() === ""; // a result of blanks alone could not be sent
  const whole = isBlank ? "(no output)" : output.text;
  const shown = output.omittedBytes > 0 ? withOmission(output, spill, ran.totalBytes) : whole;
  const modelText = ending.words === "" ? shown : `${shown}${shown.endsWith("\n") ? "" : "\n"}[${ending.words}]`;
  return {
    modelText: bytePrefix(modelText, context.maxResultBytes),
    ...(ending.errorKind && { errorKind: ending.errorKind }),
    ...(spill.file !== undefined && { spillFile: spill.file }),
    ui: {
      kind: "exec",
      summary: ending.words || "exit code 0",
      ...(ran.exitCode !== null && { exitCode: ran.exitCode }),
    },
  };
}

/** The workspace has kept the whole output if it was more than was kept here; otherwise this call does. */
async function wholeOutput(ran: ProcessResult, workspace: Workspace, context: ToolContext): Promise<Spill> {
  if (ran.omittedBytes === 0) return keepWhole(ran.head, workspace, context);
  const trouble = ran.spillError === undefined ? noSpill(context) : { trouble: ran.spillError };
  return { ...trouble, ...(ran.spillFile !== undefined && { file: ran.spillFile }) };
}

interface Ending {
  /** Empty when there is nothing to say: exit code 0. */
  readonly words: string;
  readonly errorKind?: NonNullable<ToolResult["errorKind"]>;
}

/** An exit code other than 0 is a result like any other: a red test is what was asked for. */
function endingOf({ ended, exitCode, signal }: ProcessResult, timeoutMs: number): Ending {
  if (ended === "timeout") {
    const advice = "give more time with timeout_ms (at most 600000), or start it with process";
    return { words: `timed out after ${timeoutMs} ms and was killed; ${advice}`, errorKind: "timeout" };
  }
  if (ended === "cancelled") return { words: "cancelled and killed", errorKind: "exec-error" };
  if (exitCode === null) return { words: `killed by ${signal ?? "an unknown signal"}`, errorKind: "exec-error" };
  return { words: exitCode === 0 ? "" : `exit code ${exitCode}` };
}
