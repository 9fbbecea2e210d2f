/** An event in one line, for people who look through a log: number, time, type, and what says most of it. */
import { budgetText, compactionBy, compactionText, type LogEvent, pruneText } from "../shared/index.ts";
import { callSummary } from "./transcript.ts";
import { excerpt, tornText } from "./words.ts";

const WIDTH = 110;
const TYPE_COLUMN = 30;

/** With its newline. Foreign text is in it: it goes through `show`. */
export function eventLine(event: LogEvent): string {
  const time = new Date(event.ts).toTimeString().slice(0, 8);
  const head = `${String(event.seq).padStart(5)}  ${time}  ${event.type.padEnd(TYPE_COLUMN)}`;
  return `${head} ${excerpt(gist(event), "", WIDTH)}`.trimEnd().concat("\n");
}

/** In this order, for a type that has no line of its own below. */
const TELLING = ["title", "text", "message", "detail", "path", "command", "descriptor", "summary", "name", "feedback"];
const NAMING = ["toolUseId", "requestId", "permissionRequestId", "processId", "id"];

function gist(event: LogEvent): string {
  if ("opaque" in event) return "(of a newer version)";
  switch (event.type) {
    case "session.resumed": {
      const { fork, model, tornBytes } = event.payload;
      if (tornBytes !== undefined) return `${model}; ${tornText(tornBytes)} aside`;
      return fork ? `a fork of ${fork.sessionId} at ${fork.seq}` : model;
    }
    case "permission.granted": {
      const { permissionRequestId, scope, mode, budget } = event.payload;
      if (budget !== undefined) return `budget: ${budgetText(budget)}`;
      return mode === undefined ? `${permissionRequestId} ${scope}` : `permission mode ${mode}`;
    }
    case "session.model-changed":
      return `${event.payload.from} → ${event.payload.to}`;
    case "tool.requested":
      return `${event.payload.toolName} ${callSummary(event.payload.input)}`;
    case "tool.completed":
      return event.payload.ui.summary;
    case "tool.failed":
    case "tool.cancelled":
      return event.payload.modelText;
    case "model.request-started":
      return `${event.payload.model}, ${event.payload.purpose}`;
    case "model.thinking-block-completed":
      return event.payload.thinking;
    case "model.response-completed": {
      const { stopReason, usage } = event.payload;
      const sent = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
      return `${stopReason}; ${sent} tokens in, ${usage.cacheReadTokens} of them cached, ${usage.outputTokens} out`;
    }
    case "context.compacted":
      return `${compactionText(event.payload)}, ${compactionBy(event.payload)}`;
    case "context.pruned":
      return pruneText(event.payload);
    case "process.exited": {
      const { processId, cause, exitCode, signal } = event.payload;
      return `${processId} ${cause}, ${exitCode === null ? (signal ?? "nobody saw how") : `exit code ${exitCode}`}`;
    }
    case "verify.result":
      return `${event.payload.command}: exit code ${event.payload.exitCode}`;
    default:
      return generally(event.payload);
  }
}

function generally(payload: object): string {
  const entries = new Map(Object.entries(payload));
  const said = [...TELLING, ...NAMING].map((key) => entries.get(key)).find((value) => typeof value === "string");
  return typeof said === "string" ? said : JSON.stringify(payload);
}
