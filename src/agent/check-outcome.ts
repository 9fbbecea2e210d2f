/** What running a check gave, in the words of a shell: its exit code, and what it printed. */
import { type Result, sanitize } from "../shared/index.ts";
import type { ExecError, ProcessResult } from "../workspace/index.ts";

/** What a shell reports for a command that it cannot execute (POSIX, Shell Command Language, 2.8.2). */
const CANNOT_EXECUTE = 126;
/** What timeout(1) reports when the limit struck. */
const TIMED_OUT = 124;
const SUMMARY_CHARACTERS = 200;

export function checkOutcome(ran: Result<ProcessResult, ExecError>): {
  readonly output: string;
  readonly exitCode: number;
  readonly durationMs: number;
} {
  if (!ran.ok) return { output: ran.error.message, exitCode: CANNOT_EXECUTE, durationMs: 0 };
  const { exitCode, ended, durationMs } = ran.value;
  const instead = ended === "timeout" ? TIMED_OUT : CANNOT_EXECUTE;
  return { output: decoded(ran.value), exitCode: exitCode ?? instead, durationMs };
}

function decoded({ head, tail, omittedBytes }: ProcessResult): string {
  const text = new TextDecoder();
  if (omittedBytes === 0) return sanitize(text.decode(head) + text.decode(tail));
  return sanitize(`${text.decode(head)}\n[${omittedBytes} bytes left out]\n${text.decode(tail)}`);
}

const TOTALS = /\d+\s+(pass|fail|test|ok|error|assert)|(pass|fail|test)\w*:?\s+\d+/i;
const EXIT_LINE = /^\[?exit code\b/i;

/** The line that gives the totals, where test runners put them near the end; else the last line that says something. */
export function summaryOf(output: string, exitCode: number): string {
  const lines = output.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "" && !EXIT_LINE.test(line));
  const chosen = said.findLast((line) => TOTALS.test(line)) ?? said.at(-1) ?? `exit code ${exitCode}`;
  return chosen.slice(0, SUMMARY_CHARACTERS);
}
