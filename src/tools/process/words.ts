/** What a model reads about processes: their state, their new output within the result's size, and the way out of a mistake. */
import { byteLength, toBytes } from "../../shared/index.ts";
import type { Workspace } from "../../workspace/index.ts";
import type { ToolContext, ToolResult } from "../define.ts";
import { outputText, type Spill, withOmission } from "../output-text.ts";
import { keepWhole } from "../spill.ts";
import { BUFFER_BYTES, type Ending, type ManagedProcess } from "./managed-process.ts";
import type { ProcessManager } from "./manager.ts";

/** Room for the notes around the output. */
const NOTES_BYTES = 1024;
const MAX_COMMAND_CHARACTERS = 80;

export function stateOf(process: ManagedProcess): string {
  const ending = process.ending();
  return `${process.id} ${ending ? endingWords(ending) : "is running"}`;
}

function endingWords({ cause, exitCode, signal }: Ending): string {
  if (cause === "stopped-by-tool" || cause === "khaelor-shutdown") return "was stopped";
  return exitCode === null ? `was killed by ${signal ?? "an unknown signal"}` : `exited with code ${exitCode}`;
}

interface Telling {
  readonly workspace: Workspace;
  readonly context: ToolContext;
  /** The age is told too, so that waiting again is not the same call with the same result. */
  readonly waited?: boolean;
}

/** What is new, and the state behind it. */
export async function news(process: ManagedProcess, { workspace, context, waited }: Telling): Promise<ToolResult> {
  const { text, droppedBytes } = process.read();
  const room = Math.max(0, context.maxResultBytes - NOTES_BYTES);
  const output = outputText({ head: toBytes(text), tail: new Uint8Array(), omittedBytes: 0 }, room);
  const spill: Spill = output.omittedBytes > 0 ? await keepWhole(toBytes(text), workspace, context) : {};
  const shown = output.omittedBytes > 0 ? withOmission(output, spill, byteLength(text)) : output.text;
  const gap =
    droppedBytes === 0
      ? ""
      : `[… ${droppedBytes} bytes dropped: only the last ${BUFFER_BYTES} are kept for a read …]\n`;
  const state = stateOf(process);
  const age = waited && !process.ending() ? `, ${process.ageSeconds()} s after its start` : "";
  const body = shown.trim() === "" ? "(no new output)" : shown;
  return {
    modelText: `${gap}${body}${body.endsWith("\n") ? "" : "\n"}[${state}${age}]`,
    ...(spill.file !== undefined && { spillFile: spill.file }),
    ui: { kind: "process", summary: state },
  };
}

export function listing(processes: readonly ManagedProcess[]): string {
  if (processes.length === 0) return "There are no processes.";
  return processes.map((process) => `${stateOf(process)}: ${named(process)}${unread(process)}`).join("\n");
}

const unread = (process: ManagedProcess): string =>
  process.unreadBytes() === 0 ? "" : ` (${process.unreadBytes()} bytes unread)`;

function named({ command }: ManagedProcess): string {
  const line = command.replace(/\s+/g, " ").trim();
  return line.length > MAX_COMMAND_CHARACTERS ? `${line.slice(0, MAX_COMMAND_CHARACTERS)}…` : line;
}

/** For a call that names no process, or none that is known. */
export function unknownProcess(action: string, id: string | undefined, processes: ProcessManager): string {
  const all = processes.all();
  const [first] = all;
  const call = first
    ? `{"action":"${action}","id":"${first.id}"}`
    : '{"action":"start","command":"npm run dev"} starts one';
  if (id === undefined) return `${action} needs an id, as in ${call}.\n${listing(all)}`;
  const what = processes.isPast(id) ? `${id} has ended, and its output is gone.` : `There is no process ${id}.`;
  return `${what} ${first ? `The correct call names one of these, as in ${call}.` : `${call}.`}\n${listing(all)}`;
}
