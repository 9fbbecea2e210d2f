/** What running a check gave, in the words of a shell: its exit code, and what it printed. */
import { constants } from "node:os";
import { type Result, sanitize } from "../shared/index.ts";
import type { ExecError, ProcessResult } from "../workspace/index.ts";

/** What a shell reports for a command that it cannot execute (POSIX, Shell Command Language, 2.8.2). */
const CANNOT_EXECUTE = 126;
/** What timeout(1) reports when the limit struck. */
const TIMED_OUT = 124;
/** What a shell adds to the number of the signal that ended a command. */
const SIGNALLED = 128;
const SUMMARY_CHARACTERS = 200;

export function checkOutcome(ran: Result<ProcessResult, ExecError>): {
  readonly output: string;
  readonly exitCode: number;
  readonly durationMs: number;
} {
  if (!ran.ok) return { output: ran.error.message, exitCode: CANNOT_EXECUTE, durationMs: 0 };
  const { exitCode, durationMs } = ran.value;
  return { output: decoded(ran.value), exitCode: exitCode ?? codeWithout(ran.value), durationMs };
}

function codeWithout({ ended, signal }: ProcessResult): number {
  if (ended === "timeout") return TIMED_OUT;
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  return number === undefined ? CANNOT_EXECUTE : SIGNALLED + number;
}

function decoded({ head, tail, omittedBytes }: ProcessResult): string {
  const text = new TextDecoder();
  if (omittedBytes === 0) return sanitize(text.decode(head) + text.decode(tail));
  return sanitize(`${text.decode(head)}\n[${omittedBytes} bytes left out]\n${text.decode(tail)}`);
}

const TOTALS = /\d+\s+(pass|fail|test|ok|error|assert)|(pass|fail|test)\w*:?\s+\d+/i;
/** The exit code, and the lines in which npm, pnpm, yarn and bun name what they run. */
const SAYS_NOTHING = /^(?:\[?exit code\b|[>$] )/i;

/** The line that gives the totals, where test runners put them near the end; else the last line that says something. */
export function summaryOf(output: string, exitCode: number): string {
  const lines = output.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "" && !SAYS_NOTHING.test(line));
  const chosen = said.findLast((line) => TOTALS.test(line)) ?? said.at(-1) ?? `exit code ${exitCode}`;
  return chosen.slice(0, SUMMARY_CHARACTERS);
}
