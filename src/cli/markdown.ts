/** A session as Markdown, event by event: what was said and done. The results of calls are shortened; the log has all of them. */
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
import { callSummary, isOfSummary } from "./transcript.ts";
import { localMinute, unlistedText } from "./words.ts";

export interface Markdown {
  /** The text of this event; empty for events that only machines need. */
  take(event: LogEvent): string;
  end(): string;
}

const RESULT_LINES = 40;

export function createMarkdown(): Markdown {
  let isBegun = false;
  const summaries = new Set<string>();
  return {
    take(event) {
      if ("opaque" in event) return "";
      if (!isBegun) {
        isBegun = true;
        if (event.type === "session.started") return heading(event);
      }
      const text = isOfSummary(event, summaries) ? "" : section(event);
      return text === "" ? "" : `${text}\n\n`;
    },
    end: () => (isBegun ? "" : "(The log holds no event.)\n"),
  };
}

function heading({ sessionId, ts, payload }: DurableEvent<"session.started">): string {
  const { title, workingDirectory, gitBranch, model } = payload;
  const facts = [
    `- session: \`${sessionId}\``,
    `- begun: ${localMinute(ts)}`,
    `- folder: ${code(workingDirectory)}${gitBranch === null ? "" : `, branch ${code(gitBranch)}`}`,
    `- model: ${code(model)}`,
  ];
  return `# ${oneLine(title) || "A session"}\n\n${facts.join("\n")}\n\n`;
}

function section(event: DurableEvent): string {
  switch (event.type) {
    case "session.resumed": {
      const { fork } = event.payload;
      return fork ? `*Forked from \`${oneLine(fork.sessionId)}\` at event ${fork.seq}.*` : "";
    }
    case "session.renamed":
      return `*Named: ${oneLine(event.payload.title)}*`;
    case "session.model-changed":
      return `*The model is ${code(event.payload.to)} from here on.*`;
    case "user.message-created":
      return `## ${event.payload.by === "kernel" ? "KHAELOR" : "You"}\n\n${body(event.payload.text)}`;
    case "user.steering-queued":
      return `## You, meanwhile\n\n${body(event.payload.text)}`;
    case "user.steering-injected":
      return event.payload.seam === "withdrawn" ? "*Taken back before it was read.*" : "";
    case "model.text-block-completed":
      return body(event.payload.text);
    case "tool.requested":
      return `**${oneLine(event.payload.toolName)}** ${code(callSummary(event.payload.input))}`;
    case "tool.completed":
    case "tool.failed":
    case "tool.cancelled":
      return fenced(event.payload.modelText, "text");
    case "file.modified":
      return [changed(event.payload), ...unlistedText(event.payload.unlisted)].join("\n\n");
    default:
      return ending(event);
  }
}

const changed = ({ path, diff }: Payload<"file.modified">): string =>
  diff === undefined ? `Changed: ${code(path)}` : fenced(diff, "diff");

function ending(event: DurableEvent): string {
  switch (event.type) {
    case "verify.result": {
      const { command, exitCode } = event.payload;
      return `Check ${code(command)}: exit code ${exitCode}`;
    }
    case "permission.granted":
      return granted(event.payload);
    case "permission.denied":
      return `*Refused: ${oneLine(event.payload.feedback)}*`;
    case "user.interrupted":
      return "*Interrupted.*";
    case "context.compacted":
      return summedUp(event.payload);
    case "context.pruned":
      return `*${pruneText(event.payload)}*`;
    case "model.request-failed":
      return `*The request failed: ${oneLine(event.payload.message)}*`;
    case "task.completed":
      return ["**Done.**", ...event.payload.evidence.unresolvedIssues.map((issue) => `- ${oneLine(issue)}`)].join("\n");
    case "task.failed":
      return `**Failed:** ${oneLine(event.payload.detail)}`;
    default:
      return "";
  }
}

/** What stands in the conversation's place from here on. */
const summedUp = (payload: Payload<"context.compacted">): string =>
  [
    `*${compactionText(payload)}, ${oneLine(compactionBy(payload))}*`,
    ...(payload.checkpointYaml === "" ? [] : [fenced(payload.checkpointYaml, "yaml")]),
  ].join("\n\n");

function granted({ mode, budget }: Payload<"permission.granted">): string {
  if (budget !== undefined) return `*Budget: ${budgetText(budget)}.*`;
  return mode === undefined ? "" : `*Permission mode: ${mode}.*`;
}

const body = (text: string): string => sanitize(text).trim();
const oneLine = (text: string): string => sanitize(text).replace(/\s+/g, " ").trim();

/** With as many backticks around it as the text does not have in a row. */
function code(text: string): string {
  const line = oneLine(text);
  if (line === "") return "";
  const ticks = "`".repeat(longestRun(line) + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${gap}${line}${gap}${ticks}`;
}

function fenced(text: string, language: string): string {
  const lines = sanitize(text).replace(/\n+$/, "").split("\n");
  const kept = lines.slice(0, RESULT_LINES);
  const more = lines.length > kept.length ? [`… ${lines.length - kept.length} more lines`] : [];
  const fence = "`".repeat(Math.max(3, longestRun(kept.join("\n")) + 1));
  return [`${fence}${language}`, ...kept, ...more, fence].join("\n");
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
