/** The gate's judgement over every combination of what it looks at, and the evidence that a completion claims. */
import { describe, expect, test } from "bun:test";
import { type GateStep, gateStep } from "../../src/agent/evidence.ts";
import { completionEvidence, freshResults, isVerified } from "../../src/agent/index.ts";
import type { VerificationState } from "../../src/session/index.ts";
import { noVerification, openTurn, ranCheck } from "./states.ts";

const CHANGED_AT = 20;
const [green, red] = [ranCheck(0, CHANGED_AT), ranCheck(1, CHANGED_AT)];
const [staleGreen, staleRed] = [ranCheck(0, CHANGED_AT - 1), ranCheck(1, CHANGED_AT - 1)];
const otherGreen = ranCheck(0, CHANGED_AT + 3, "sh lint.sh");

const RESULTS = {
  none: [],
  "stale green": [staleGreen],
  "stale red": [staleRed],
  "fresh green": [green],
  "fresh red": [red],
  "fresh green, stale red": [otherGreen, staleRed],
  "fresh green and fresh red": [otherGreen, red],
} as const;
type Ran = keyof typeof RESULTS;

const ASKED = ["never", "before the change", "with checks", "without checks"] as const;

/** What the gate may have done so far. `asked` is the newest request: none, one with checks (before or after the change), one that found none. */
interface Situation {
  readonly ran: Ran;
  readonly attempts: 0 | 1 | 2;
  readonly asked: (typeof ASKED)[number];
  readonly nudged: boolean;
  readonly refused: boolean;
}

const SITUATIONS: readonly Situation[] = (Object.keys(RESULTS) as Ran[]).flatMap((ran) =>
  ([0, 1, 2] as const).flatMap((attempts) =>
    ASKED.flatMap((asked) =>
      [false, true].flatMap((nudged) => [false, true].map((refused) => ({ ran, attempts, asked, nudged, refused }))),
    ),
  ),
);

const verification = (
  { ran, attempts, asked, nudged, refused }: Situation,
  changedAt = CHANGED_AT,
): VerificationState => ({
  changedFiles: ["a.ts"],
  lastCodeChangeSeq: changedAt,
  attempts,
  ...(asked !== "never" && {
    requested: {
      seq: asked === "before the change" ? CHANGED_AT - 1 : CHANGED_AT + 10,
      detectedChecks: asked === "without checks" ? [] : ["sh test.sh"],
    },
  }),
  results: RESULTS[ran],
  nudged,
  refused,
});

const proof = (ran: Ran): "green" | "red" | "none" =>
  ran === "fresh red" || ran === "fresh green and fresh red"
    ? "red"
    : ran === "fresh green" || ran === "fresh green, stale red"
      ? "green"
      : "none";

/** The rules in the order in which a person would say them. */
const RULES: readonly (readonly [
  rule: string,
  applies: (s: Situation) => boolean,
  step: (s: Situation) => GateStep,
])[] = [
  ["green evidence ends it", (s) => proof(s.ran) === "green", () => ({ kind: "complete" })],
  [
    "red evidence is told to the model once for each time that its answer was withheld",
    (s) => proof(s.ran) === "red" && s.asked !== "never" && !s.nudged,
    () => ({ kind: "nudge", failing: red }),
  ],
  [
    "red evidence withholds the answer, twice",
    (s) => proof(s.ran) === "red" && s.attempts < 2,
    (s) => ({ kind: "withhold", attempt: s.attempts === 0 ? 1 : 2 }),
  ],
  ["after that the answer goes out with it", (s) => proof(s.ran) === "red", () => ({ kind: "complete" })],
  ["without a check there is no evidence to get", (s) => s.asked === "without checks", () => ({ kind: "complete" })],
  ["nor where it may not run", (s) => s.refused, () => ({ kind: "complete" })],
  ["a look that was begun over this state is ended first", (s) => s.asked === "with checks", () => ({ kind: "run" })],
  [
    "evidence is looked for, recording the attempt",
    (s) => s.attempts < 2,
    (s) => ({ kind: "run", attempt: s.attempts === 0 ? 1 : 2 }),
  ],
  ["after the last nudge it is looked for once more", () => true, () => ({ kind: "run" })],
];

describe("the gate", () => {
  test(`decides ${SITUATIONS.length} situations by ${RULES.length} rules, each of which is needed`, () => {
    const used = new Set<string>();
    for (const situation of SITUATIONS) {
      const [rule, , step] = RULES.find(([, applies]) => applies(situation)) ?? [];
      used.add(rule ?? "");
      expect([situation, gateStep(verification(situation))]).toEqual([situation, step?.(situation) as GateStep]);
    }
    expect([...used]).toHaveLength(RULES.length);
  });

  test("has nothing to do while nothing but documentation has changed", () => {
    const steps = SITUATIONS.map((situation) => gateStep(verification(situation, 0)));
    expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(["complete"]));
  });
});

describe("evidence", () => {
  test("covers the present state when no code has changed since it began to run", () => {
    const results = [staleGreen, green, otherGreen];
    const fresh = freshResults({ ...noVerification, lastCodeChangeSeq: CHANGED_AT, results });
    expect(fresh).toEqual([green, otherGreen]);
  });

  test("verifies only when there is some, all of it green, and all of it fresh", () => {
    const verified = (Object.keys(RESULTS) as Ran[]).filter((ran) =>
      isVerified({ ...noVerification, lastCodeChangeSeq: CHANGED_AT, results: RESULTS[ran] }),
    );
    expect(verified).toEqual(["fresh green", "fresh green, stale red"]);
  });

  const ROWS: readonly (readonly [what: string, state: Partial<VerificationState>, issues: readonly string[]])[] = [
    ["nothing changed", { lastCodeChangeSeq: 0 }, []],
    ["green", { results: [green] }, []],
    ["red", { results: [red, otherGreen] }, ["`sh test.sh` fails with exit code 1."]],
    [
      "no check",
      { requested: { seq: 30, detectedChecks: [] } },
      ["Not verified: no test command that can run here was found in this project."],
    ],
    ["never asked", {}, ["Not verified: no test command that can run here was found in this project."]],
    [
      "not allowed",
      { requested: { seq: 30, detectedChecks: ["npm test", "make test"] }, refused: true },
      ["Not verified: `npm test`, `make test` was not allowed to run."],
    ],
  ];
  for (const [what, state, unresolvedIssues] of ROWS) {
    test(`is claimed as it was recorded: ${what}`, () => {
      const turn = openTurn({
        verification: {
          ...noVerification,
          changedFiles: ["a.ts", "README.md"],
          lastCodeChangeSeq: CHANGED_AT,
          ...state,
        },
      });
      const checks = (state.results ?? []).map(({ command, exitCode, summary, durationMs }) => ({
        command,
        exitCode,
        summary,
        durationMs,
      }));
      expect(completionEvidence(turn)).toEqual({
        objective: "fix it",
        changedFiles: ["a.ts", "README.md"],
        checks,
        unresolvedIssues: [...unresolvedIssues],
      });
    });
  }

  test("that is stale is not claimed", () => {
    const stale = { ...noVerification, lastCodeChangeSeq: CHANGED_AT, results: [staleGreen] };
    expect(completionEvidence(openTurn({ verification: stale })).checks).toEqual([]);
  });
});

test("a check during which files always change is not run for ever, and proves nothing", () => {
  const overtaken = { ...ranCheck(0, CHANGED_AT - 1), seq: CHANGED_AT + 1 };
  const verification: VerificationState = {
    ...noVerification,
    changedFiles: ["a.ts"],
    lastCodeChangeSeq: CHANGED_AT,
    attempts: 2,
    results: [overtaken],
  };
  expect(gateStep({ ...verification, attempts: 1 })).toEqual({ kind: "run", attempt: 2 });
  expect(gateStep(verification)).toEqual({ kind: "complete" });
  expect(isVerified(verification)).toBe(false);
  expect(completionEvidence(openTurn({ verification })).unresolvedIssues).toEqual([
    "Not verified: files changed while the check ran.",
  ]);
});
