/** What did not work, as the conversation and the checks tell: calls that failed, commands with another exit code than 0, red checks. */
import type { VerificationState } from "../../session/index.ts";
import { type Message, sortedJson, type ToolResultBlock, type ToolUseBlock } from "../../shared/index.ts";
import { PLACEHOLDER } from "../prune.ts";
import { oneLine } from "./lists.ts";

const MAX_ATTEMPTS = 30;
const CALL_BYTES = 200;
const REASON_BYTES = 300;

export interface Attempts {
  /** The newest, oldest first, each said once. */
  readonly failed_attempts: readonly string[];
  /** All that was tried, whatever came of it: what such a line begins with. */
  readonly tried: readonly string[];
}

export function attempts(messages: readonly Message[], { results }: VerificationState): Attempts {
  const calls = lastCalls(messages);
  const red = new Set(results.filter(({ exitCode }) => exitCode !== 0).map(({ command }) => command));
  const failed = calls.flatMap(({ about, command, reason }) =>
    reason === undefined || red.has(command ?? "") ? [] : [`${about} → ${reason}`],
  );
  const checks = results.map(({ command, exitCode, summary }) => ({
    about: `check: ${oneLine(command, CALL_BYTES)}`,
    exitCode,
    summary: summary === "" ? "" : `: ${oneLine(summary, REASON_BYTES)}`,
  }));
  const failedChecks = checks
    .filter(({ exitCode }) => exitCode !== 0)
    .map(({ about, exitCode, summary }) => `${about} → exit code ${exitCode}${summary}`);
  return {
    failed_attempts: [...new Set([...failed, ...failedChecks])].slice(-MAX_ATTEMPTS),
    tried: [...new Set([...calls, ...checks].map(({ about }) => about))],
  };
}

/** Those of an earlier checkpoint of which nothing newer is known. */
export const stillFailed = (lines: readonly string[], tried: readonly string[]): readonly string[] =>
  lines.filter((line) => !tried.some((about) => line.startsWith(`${about} → `)));

interface EndedCall {
  readonly about: string;
  /** Of a command: the same one is the same call, whatever is said about it. */
  readonly command: string | undefined;
  /** Undefined when it worked. */
  readonly reason: string | undefined;
}

/** In the order in which they ended last: of the same call only that counts. */
function lastCalls(messages: readonly Message[]): readonly EndedCall[] {
  const calls = new Map<string, ToolUseBlock>();
  const last = new Map<string, EndedCall>();
  for (const block of messages.flatMap(({ content }): readonly Message["content"][number][] => content)) {
    if (block.type === "tool_use") calls.set(block.id, block);
    const call = block.type === "tool_result" ? calls.get(block.tool_use_id) : undefined;
    if (!call || block.type !== "tool_result" || wasNotRun(block)) continue;
    const command = call.name === "bash" ? fieldText(call.input, "command") : undefined;
    const key = `${call.name} ${command ?? sortedJson(call.input)}`;
    const hasFailed = block.is_error || (command !== undefined && EXIT_CODE.test(withoutNote(block.content)));
    last.delete(key); // it moves to the end
    last.set(key, { about: shownCall(call), command, reason: hasFailed ? reasonOf(block) : undefined });
  }
  return [...last.values()];
}

/** A call that was cancelled before it began tried nothing. */
const wasNotRun = ({ is_error, content }: ToolResultBlock): boolean =>
  is_error === true && /^\[[^\n]*not run\.\]$/.test(content);

/** What a call is about, by the fields that tools have for it. */
const TELLING = ["command", "file_path", "pattern", "path", "process_id"];

export function shownCall({ name, input }: Pick<ToolUseBlock, "name" | "input">): string {
  const telling = TELLING.map((field) => fieldText(input, field)).find((text) => text !== undefined);
  return `${name}: ${oneLine(telling ?? JSON.stringify(input ?? {}), CALL_BYTES)}`;
}

function fieldText(input: unknown, field: string): string | undefined {
  const fields = new Map<string, unknown>(typeof input === "object" && input !== null ? Object.entries(input) : []);
  const value = fields.get(field);
  return typeof value === "string" ? value : undefined;
}

const REFUSED = /^The user refused(?:: ?([\s\S]*)|\.)/;
/** How a command ended stands in brackets in its last line. A refusal has no such line, and no output is without. */
const ENDING = /(?:^|\n)(\[[^\n]+\])\s*$/;
const EXIT_CODE = /(?:^|\n)\[exit code -?\d+\]$/;
const TROUBLE = /\b(?:error|fail(?:ed|ure)?|exception|panic|fatal|cannot|denied|not found|refused)\b/i;

/** What the agent may add behind the ending, as `agent/result-budget.ts` says it. */
const withoutNote = (content: string): string =>
  content.replace(/\n\[The results of this turn are near their limit[^\n]*\]$/, "");

/** What was printed stands in quotes: whatever it says, nobody else has said it. */
function reasonOf(block: ToolResultBlock): string {
  const content = withoutNote(block.content);
  if (content === PLACEHOLDER) return "failed; what it said is not there any more";
  const ending = ENDING.exec(content)?.[1];
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  if (ending === undefined) return refusalOf(content) ?? oneLine(lines[0] ?? "", REASON_BYTES);
  const trouble = lines.slice(0, -1).find((line) => TROUBLE.test(line));
  if (trouble === undefined) return oneLine(ending, REASON_BYTES);
  return `${JSON.stringify(oneLine(trouble, REASON_BYTES))} ${oneLine(ending, REASON_BYTES)}`;
}

function refusalOf(content: string): string | undefined {
  const refused = REFUSED.exec(content);
  if (!refused) return undefined;
  const words = refused[1]?.trim();
  return words ? `refused by the user: ${oneLine(words, REASON_BYTES)}` : "refused by the user";
}
