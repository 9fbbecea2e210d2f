/** The process tool: starts, lists, reads, writes to and stops background processes, each named by its id. */
import { byteLength, type Infer, wellFormed } from "../../shared/index.ts";
import type { Workspace } from "../../workspace/index.ts";
import { defineTool, type ToolContext, type ToolDefinition, type ToolResult } from "../define.ts";
import type { ManagedProcess } from "./managed-process.ts";
import type { ProcessManager, StartError } from "./manager.ts";
import description from "./process.md" with { type: "text" };
import { untilNews } from "./waiting.ts";
import { listing, news, stateOf, unknownProcess } from "./words.ts";

export interface ProcessToolPorts {
  readonly processes: ProcessManager;
  readonly workspace: Workspace;
}

const MAX_INPUT_BYTES = 32 * 1024;
/** Enough for a server to say that its port is taken, or for a shell to answer. */
const FIRST_WORDS_SECONDS = 1;

const PARAMETERS = {
  action: "'start' | 'list' | 'read' | 'write' | 'stop'",
  "id?": ["string >= 1", "@", "For read, write, stop"],
  "command?": ["string >= 1", "@", "For start: bash text"],
  "input?": ["string", "@", "For write: text for its stdin, with its newline; empty closes stdin"],
  "wait?": ["0 <= number <= 600", "@", "Seconds that start, read or write wait for output; default 1, for read 0"],
  "+": "reject",
} as const;

type ProcessInput = Infer<typeof PARAMETERS>;

export const processTool = (ports: ProcessToolPorts): ToolDefinition =>
  defineTool({
    name: "process",
    description: description.trim(),
    parameters: PARAMETERS,
    readOnly: false,
    access({ action, id, command = "", input = "" }: ProcessInput, cwd) {
      if (action === "start" && command !== "") return [{ kind: "command", command, cwd }];
      const process = action === "write" ? running(ports, id) : undefined;
      if (!process || byteLength(input) > MAX_INPUT_BYTES) return []; // it will be refused, so it touches nothing
      return [{ kind: "input", command: process.command, text: process.openLine() + input, cwd }];
    },
    async execute(input: ProcessInput, context) {
      switch (input.action) {
        case "start":
          return start(ports, input, context);
        case "list":
          return told(listing(ports.processes.all()), "listed");
        case "read":
          return onProcess(ports, input, (process) => read(process, input, { ports, context }));
        case "write":
          return onProcess(ports, input, (process) => write(process, input, { ports, context }));
        case "stop":
          return onProcess(ports, input, (process) => stop(process, { ports, context }));
      }
    },
  });

interface Surroundings {
  readonly ports: ProcessToolPorts;
  readonly context: ToolContext;
}

const told = (modelText: string, summary: string): ToolResult => ({ modelText, ui: { kind: "process", summary } });

const refused = (message: string, errorKind: NonNullable<ToolResult["errorKind"]>): ToolResult => ({
  ...told(wellFormed(message), "refused"),
  errorKind,
});

const find = ({ processes }: ProcessToolPorts, id: string | undefined) =>
  processes.all().find((process) => process.id === id);

const running = (ports: ProcessToolPorts, id: string | undefined) => {
  const process = find(ports, id);
  return process?.ending() ? undefined : process;
};

async function onProcess(
  ports: ProcessToolPorts,
  { action, id }: ProcessInput,
  act: (process: ManagedProcess) => Promise<ToolResult>,
): Promise<ToolResult> {
  const process = find(ports, id);
  if (process) return act(process);
  const message = unknownProcess(action, id, ports.processes);
  return refused(message, id === undefined ? "invalid-input" : "not-found");
}

const START_ERRORS: Readonly<Record<StartError["kind"], NonNullable<ToolResult["errorKind"]>>> = {
  "no-such-directory": "exec-error",
  "no-shell": "exec-error",
  "too-long": "invalid-input",
  "too-many": "exec-error",
  closed: "exec-error",
  io: "exec-error",
};

async function start(ports: ProcessToolPorts, { command, wait }: ProcessInput, context: ToolContext) {
  if (command === undefined) {
    return refused('start needs a command: {"action":"start","command":"npm run dev"}.', "invalid-input");
  }
  if (command.includes("\0")) return refused("The command holds a NUL character.", "invalid-input");
  const started = await ports.processes.start(wellFormed(command), context.toolUseId);
  if (!started.ok) return refused(started.error.message, START_ERRORS[started.error.kind]);
  const process = started.value;
  await untilNews(process, { from: 0, ms: (wait ?? FIRST_WORDS_SECONDS) * 1000, signal: context.signal });
  const result = await news(process, { workspace: ports.workspace, context });
  return { ...result, ui: { ...result.ui, summary: `started as ${result.ui.summary}` } };
}

async function read(process: ManagedProcess, { wait = 0 }: ProcessInput, { ports, context }: Surroundings) {
  const from = process.printedBytes() - process.unreadBytes();
  if (wait > 0) await untilNews(process, { from, ms: wait * 1000, signal: context.signal });
  return news(process, { workspace: ports.workspace, context, waited: wait > 0 });
}

async function write(
  process: ManagedProcess,
  { input, wait = FIRST_WORDS_SECONDS }: ProcessInput,
  { ports, context }: Surroundings,
): Promise<ToolResult> {
  const { id } = process;
  if (input === undefined) {
    return refused(`write needs an input: {"action":"write","id":"${id}","input":"text\\n"}.`, "invalid-input");
  }
  const bytes = byteLength(wellFormed(input));
  if (bytes > MAX_INPUT_BYTES) {
    return refused(
      `The input has ${bytes} bytes, and ${MAX_INPUT_BYTES} can be written at once: write a file instead.`,
      "invalid-input",
    );
  }
  if (process.ending()) return refused(`Nothing was written: ${stateOf(process)}.`, "exec-error");
  const from = process.printedBytes();
  if (input === "") process.endInput();
  const taken = input === "" ? 0 : process.write(wellFormed(input));
  if (taken === "closed") return refused(`Nothing was written: ${id} has closed its stdin.`, "exec-error");
  if (taken < bytes) {
    return refused(
      `Only the first ${taken} of ${bytes} bytes were written: ${id} does not read its stdin.`,
      "exec-error",
    );
  }
  await untilNews(process, { from, ms: wait * 1000, signal: context.signal });
  return news(process, { workspace: ports.workspace, context });
}

async function stop(process: ManagedProcess, { ports, context }: Surroundings): Promise<ToolResult> {
  await ports.processes.stop(process.id);
  return news(process, { workspace: ports.workspace, context });
}
