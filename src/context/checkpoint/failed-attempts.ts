/** What did not work, as the conversation and the checks tell: calls that failed and never succeeded later, and red checks. */
import type { VerificationState } from "../../session/index.ts";
import { type Message, sortedJson, type ToolResultBlock, type ToolUseBlock } from "../../shared/index.ts";
import { PLACEHOLDER } from "../prune.ts";
import { oneLine } from "./lists.ts";

const MAX_ATTEMPTS = 30;
const CALL_BYTES = 200;
const REASON_BYTES = 300;

/** The newest, oldest first, each said once. */
export function failedAttempts(messages: readonly Message[], { results }: VerificationState): readonly string[] {
  const checks = results
    .filter(({ exitCode }) => exitCode !== 0)
    .map(
      ({ command, exitCode, summary }) =>
        `check: ${oneLine(command, CALL_BYTES)} → exit code ${exitCode}${summary === "" ? "" : `: ${oneLine(summary, REASON_BYTES)}`}`,
    );
  return [...new Set([...failedCalls(messages), ...checks])].slice(-MAX_ATTEMPTS);
}

/** By what was called: of the same call only how it ended last counts. */
function failedCalls(messages: readonly Message[]): readonly string[] {
  const calls = new Map<string, ToolUseBlock>();
  const last = new Map<string, string | undefined>();
  for (const block of messages.flatMap(({ content }): readonly Message["content"][number][] => content)) {
    if (block.type === "tool_use") calls.set(block.id, block);
    const call = block.type === "tool_result" ? calls.get(block.tool_use_id) : undefined;
    if (!call || block.type !== "tool_result" || wasNotRun(block)) continue;
    const key = `${call.name} ${sortedJson(call.input)}`;
    last.delete(key); // it moves to the end
    last.set(key, block.is_error ? `${shownCall(call)} → ${reasonOf(block)}` : undefined);
  }
  return [...last.values()].filter((line) => line !== undefined);
}

/** A call that was cancelled before it began tried nothing. */
const wasNotRun = ({ content }: ToolResultBlock): boolean => /^\[[^\n]*not run\.\]$/.test(content);

/** What a call is about, by the fields that tools have for it. */
const TELLING = ["command", "file_path", "pattern", "path", "process_id"];

export function shownCall({ name, input }: Pick<ToolUseBlock, "name" | "input">): string {
  const fields = new Map<string, unknown>(typeof input === "object" && input !== null ? Object.entries(input) : []);
  const telling = TELLING.map((field) => fields.get(field)).find((value) => typeof value === "string");
  return `${name}: ${oneLine(typeof telling === "string" ? telling : JSON.stringify(input ?? {}), CALL_BYTES)}`;
}

const REFUSED = /^The user refused(?:: ?([\s\S]*)|\.)/;
/** How a command ended stands in brackets in its last line. */
const ENDING = /(?:^|\n)(\[[^\n]+\])\s*$/;
const TROUBLE = /\b(?:error|fail(?:ed|ure)?|exception|panic|fatal|cannot|denied|not found|refused)\b/i;

function reasonOf({ content }: ToolResultBlock): string {
  if (content === PLACEHOLDER) return "failed; what it said is not there any more";
  const refused = REFUSED.exec(content);
  if (refused) {
    const words = refused[1]?.trim();
    return words ? `refused by the user: ${oneLine(words, REASON_BYTES)}` : "refused by the user";
  }
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const ending = ENDING.exec(content)?.[1];
  if (ending === undefined) return oneLine(lines[0] ?? "", REASON_BYTES);
  const trouble = lines.slice(0, -1).find((line) => TROUBLE.test(line));
  return oneLine(trouble === undefined ? ending : `${trouble} ${ending}`, REASON_BYTES);
}
