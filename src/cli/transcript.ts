/** Events as plain lines for people: what was said, done, changed and proved. Foreign text is cleaned before it is shown. */
import {
  budgetText,
  compactionBy,
  compactionText,
  type DurableEvent,
  type LogEvent,
  type Payload,
  pruneText,
  sanitize,
} from "../shared/index.ts";
import { tornText, unlistedText } from "./words.ts";

/**
 * Takes the events of one log, in order: lines with their newline; nothing for events that only machines need. What a model
 * wrote to sum the conversation up is no answer of its.
 */
export function createEventLines(): (event: LogEvent) => readonly string[] {
  const summaries = new Set<string>();
  return (event) => {
    if ("opaque" in event) return [`? ${event.type} (of a newer version)\n`];
    if (isOfSummary(event, summaries)) return [];
    return shown(event).map((line) => `${line}\n`);
  };
}

/** Notes requests for a summary as they begin; true for a text of one of them. */
export function isOfSummary({ type, payload }: DurableEvent, summaries: Set<string>): boolean {
  if (type === "model.request-started" && payload.purpose === "compaction") summaries.add(payload.requestId);
  return type === "model.text-block-completed" && summaries.has(payload.requestId);
}

function shown(event: DurableEvent): readonly string[] {
  switch (event.type) {
    case "session.started":
      return [`session ${event.sessionId} in ${event.payload.workingDirectory}, ${event.payload.model}`];
    case "user.message-created":
      return ["", ...marked(event.payload.by === "kernel" ? "khaelor:" : "you:", event.payload.text)];
    case "user.steering-queued":
      return marked("you, meanwhile:", event.payload.text);
    case "user.steering-injected":
      return event.payload.seam === "withdrawn" ? ["you took back what was queued"] : [];
    case "model.text-block-completed":
      return ["", ...clean(event.payload.text)];
    case "tool.requested":
      return ["", `▸ ${event.payload.toolName} ${callSummary(event.payload.input)}`];
    case "tool.completed":
      return [`  ${sanitize(event.payload.ui.summary)}`];
    case "tool.failed":
    case "tool.cancelled":
      return indented(event.payload.modelText, FAILURE_LINES);
    case "file.modified":
      return [
        ...indented(event.payload.diff ?? `${event.payload.path} changed`, DIFF_LINES),
        ...unlistedText(event.payload.unlisted).map((line) => `  ${line}`),
      ];
    default:
      return endings(event);
  }
}

const FAILURE_LINES = 12;
const DIFF_LINES = 80;

function endings(event: DurableEvent): readonly string[] {
  switch (event.type) {
    case "verify.result": {
      const { command, exitCode, summary } = event.payload;
      return [`${exitCode === 0 ? "✓" : "✗"} ${command}: exit code ${exitCode}, ${sanitize(summary)}`];
    }
    case "permission.requested":
      return [`? ${event.payload.descriptor}`];
    case "permission.granted":
      return granted(event.payload);
    case "session.resumed": {
      const { fork, tornBytes } = event.payload;
      if (tornBytes !== undefined) return ["", `— resumed; ${tornText(tornBytes)} aside —`];
      return fork ? ["", `— forked from ${sanitize(fork.sessionId)} at event ${fork.seq} —`] : [];
    }
    case "process.exited": {
      const { processId, exitCode } = event.payload;
      return [`■ process ${sanitize(processId)} ${exitCode === null ? "was ended" : `exited with code ${exitCode}`}`];
    }
    case "user.interrupted":
      return ["■ interrupted"];
    case "model.request-failed":
      return [`! ${event.payload.message}`];
    case "context.compacted":
      return [`— ${compactionText(event.payload)}, ${sanitize(compactionBy(event.payload))} —`];
    case "context.pruned":
      return [`— ${pruneText(event.payload)} —`];
    case "task.completed":
      return ["", "■ done", ...event.payload.evidence.unresolvedIssues.map((issue) => `  ${issue}`)];
    case "task.failed":
      return ["", `■ failed: ${event.payload.detail}`];
    default:
      return [];
  }
}

const granted = ({ mode, budget }: Payload<"permission.granted">): readonly string[] => [
  ...(mode === undefined ? [] : [`— permission mode: ${mode} —`]),
  ...(budget === undefined ? [] : [`— budget: ${budgetText(budget)} —`]),
];

/** A call in one line: the argument that says most. */
export function callSummary(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const { command, file_path: path } = input as { readonly command?: unknown; readonly file_path?: unknown };
  const said = typeof command === "string" ? command : typeof path === "string" ? path : JSON.stringify(input);
  const [first = "", ...rest] = sanitize(said).split("\n");
  return rest.length > 0 ? `${first} …` : first;
}

const clean = (text: string): readonly string[] => sanitize(text).replace(/\n+$/, "").split("\n");

function marked(who: string, text: string): readonly string[] {
  const [first = "", ...rest] = clean(text);
  return [`${who} ${first}`, ...rest.map((line) => `  ${line}`)];
}

export function indented(text: string, maxLines: number): readonly string[] {
  const lines = clean(text);
  const kept = lines.slice(0, maxLines).map((line) => `  ${line}`);
  return lines.length > maxLines ? [...kept, `  … ${lines.length - maxLines} more lines`] : kept;
}
