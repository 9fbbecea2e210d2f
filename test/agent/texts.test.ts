/** The words that the program says to the model, and what is drawn from a check's output. */
import { describe, expect, test } from "bun:test";
import { checkOutcome, summaryOf } from "../../src/agent/check-outcome.ts";
import { CANCELLED, CONTINUATIONS, LOOP_REFUSED, NOBODY_TO_ASK, nudgeText } from "../../src/agent/texts.ts";
import { err, isBlank, ok } from "../../src/shared/index.ts";
import type { ProcessResult } from "../../src/workspace/index.ts";

const failing = { command: "sh test.sh", exitCode: 2, summary: "1 passed, 1 failed", durationMs: 5 };

describe("a nudge", () => {
  test("says what failed and shows the end of the output", () => {
    expect(nudgeText(failing, "not ok 2\n1 passed, 1 failed\n\n")).toBe(
      [
        "The check `sh test.sh` fails with exit code 2 after your changes. Its output ends with:",
        "```",
        "not ok 2\n1 passed, 1 failed",
        "```",
        "Fix the cause, or, if the failure has nothing to do with your changes, explain why.",
      ].join("\n"),
    );
  });

  test("shows the recorded summary where the output is not known any more", () => {
    expect(nudgeText(failing, "")).toContain("```\n1 passed, 1 failed\n```");
  });
});

test("no text of the program's own is blank: the API would refuse it", () => {
  const texts = [
    ...Object.values(CONTINUATIONS),
    ...Object.values(CANCELLED).flatMap((words) => Object.values(words)),
    NOBODY_TO_ASK,
    LOOP_REFUSED,
  ];
  expect(texts.filter((text) => isBlank(text))).toEqual([]);
  expect(new Set(texts).size).toBe(texts.length);
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const ran = (changes: Partial<ProcessResult>): ProcessResult => ({
  exitCode: 0,
  signal: null,
  ended: "exited",
  head: bytes("fine\n"),
  tail: bytes(""),
  omittedBytes: 0,
  totalBytes: 5,
  durationMs: 7,
  ...changes,
});

describe("a check's outcome", () => {
  const ROWS = [
    [
      "its own exit code",
      ran({ exitCode: 3, head: bytes("\u001b[1mfine\u001b[0m\n") }),
      { output: "fine\n", exitCode: 3, durationMs: 7 },
    ],
    ["a time limit", ran({ exitCode: null, ended: "timeout" }), { output: "fine\n", exitCode: 124, durationMs: 7 }],
    ["a signal", ran({ exitCode: null, signal: "SIGKILL" }), { output: "fine\n", exitCode: 137, durationMs: 7 }],
    [
      "output with a gap and with colours",
      ran({ head: bytes("\u001b[31ma\u001b[0m"), tail: bytes("z"), omittedBytes: 9 }),
      { output: "a\n[9 bytes left out]\nz", exitCode: 0, durationMs: 7 },
    ],
  ] as const;
  for (const [what, result, outcome] of ROWS) {
    test(what, () => expect(checkOutcome(ok(result))).toEqual(outcome));
  }

  test("a command that could not be started is a failure, never a success", () => {
    const outcome = checkOutcome(err({ kind: "no-shell", message: "there is no shell" }));
    expect(outcome).toEqual({ output: "there is no shell", exitCode: 126, durationMs: 0 });
  });
});

describe("a check's summary", () => {
  const ROWS: readonly (readonly [output: string, summary: string])[] = [
    ["ok 1\nnot ok 2\n# 1 passed, 1 failed\n", "# 1 passed, 1 failed"],
    [
      "Tests:       1 failed, 5 passed, 6 total\nTime:        1.2 s\nRan all test suites.\n",
      "Tests:       1 failed, 5 passed, 6 total",
    ],
    ["============ 3 passed in 0.01s ============\n", "============ 3 passed in 0.01s ============"],
    [" 12 pass\n 0 fail\nRan 12 tests across 2 files. [9ms]\n", "Ran 12 tests across 2 files. [9ms]"],
    ["make: *** [all] Error 2\n[exit code 2]\n", "make: *** [all] Error 2"],
    ["\n\n  \n", "exit code 2"],
    ["", "exit code 2"],
    ["\n> web@1.0.0 test\n> node test.js\n\n", "exit code 2"],
    ["$ jest\nassertion\n", "assertion"],
  ];
  for (const [output, summary] of ROWS) {
    test(`of ${JSON.stringify(output)}`, () => expect(summaryOf(output, 2)).toBe(summary));
  }

  test("is bounded", () => expect(summaryOf("x".repeat(5000), 0)).toHaveLength(200));
});
