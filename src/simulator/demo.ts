/**
 * The demo's small project with a really failing test, and the scripted model that repairs it. The script decides from what
 * has succeeded in the conversation, so it also goes on sensibly after a kill: what was cut off is looked at again, not
 * assumed. It knows this one task and says so when asked for another.
 */
import type { Script, ScriptedBlock, ScriptedTurn, ScriptRequest, ScriptResult, StreamOptions } from "./types.ts";

const SOURCE = "lib/duration.sh";
const TEST = "sh test.sh";
const WRONG_LINE = "  minutes=$((total / 60))";
const RIGHT_LINE = "  minutes=$((total % 3600 / 60))";

const source = `# Durations for people. Source this file, then call format_duration.

# format_duration SECONDS prints "9s", "5m 09s" or "1h 05m 09s".
format_duration() {
  total=$1
  hours=$((total / 3600))
${WRONG_LINE}
  seconds=$((total % 60))
  if [ "$hours" -gt 0 ]; then
    printf '%dh %02dm %02ds\\n' "$hours" "$minutes" "$seconds"
  elif [ "$minutes" -gt 0 ]; then
    printf '%dm %02ds\\n' "$minutes" "$seconds"
  else
    printf '%ds\\n' "$seconds"
  fi
}
`;

const test = `#!/bin/sh
# Checks format_duration. Prints one line for each check, and fails if one does.
cd "$(dirname "$0")" || exit 2
. ./lib/duration.sh

count=0
failed=0

check() {
  count=$((count + 1))
  actual=$(format_duration "$1")
  if [ "$actual" = "$2" ]; then
    echo "ok $count - $1 seconds are $2"
  else
    failed=$((failed + 1))
    echo "not ok $count - $1 seconds are $2"
    echo "#   got: $actual"
  fi
}

check 9 "9s"
check 60 "1m 00s"
check 309 "5m 09s"
check 3600 "1h 00m 00s"
check 3909 "1h 05m 09s"
check 90061 "25h 01m 01s"

echo "1..$count"
echo "# $((count - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
`;

export const demoProject: {
  readonly files: Readonly<Record<string, { readonly content: string; readonly executable?: true }>>;
  readonly task: string;
} = {
  files: {
    "README.md": {
      content:
        "# duration\n\n`format_duration SECONDS` prints a duration for people. Run the checks with `sh test.sh`.\n",
    },
    [SOURCE]: { content: source },
    "test.sh": { content: test, executable: true },
  },
  task: "The checks in test.sh fail. Find out why, repair it, and show that they pass.",
};

/** Slow enough that a person sees the text arrive, and that a kill can hit the middle of it. */
export const demoPace: StreamOptions = { deltaChars: 6, deltaMs: 12 };

const MAX_TEST_RUNS = 6;
const MAX_FAILURES_IN_A_ROW = 3;

type Step = "run" | "read" | "edit" | "run-again" | "report" | "other-task" | "give-up";

export const demoScript: Script = (request) => {
  const turns: Readonly<Record<Step, () => ScriptedTurn>> = {
    run: () =>
      runTests(
        "I will run the checks first, to see what fails.",
        "The task is about test.sh. Run it before touching anything.",
      ),
    read: () => readSource(),
    edit: () => repair(),
    "run-again": () =>
      runTests("The line is repaired. Running the checks again.", "The edit is in place. Only a green run proves it."),
    report: () => report(),
    "other-task": () =>
      say("I am a scripted model and know only this one task: the checks in test.sh, which pass now."),
    "give-up": () => say("I could not finish: the last calls failed. Ask me again when they are allowed and working."),
  };
  return turns[nextStep(request)]();
};

/** What the conversation proves so far, by the positions of results in it. */
interface Progress {
  readonly runs: number;
  readonly lastRun: number;
  readonly isGreen: boolean;
  readonly lastRead: number;
  readonly readText: string;
  readonly lastEditTried: number;
  readonly lastEditDone: number;
}

function nextStep(request: ScriptRequest): Step {
  const results = request.toolResults();
  const recent = results.slice(-MAX_FAILURES_IN_A_ROW);
  const stuck = recent.length === MAX_FAILURES_IN_A_ROW && recent.every(isRefusal);
  const progress = readProgress(results);
  if (stuck || progress.runs >= MAX_TEST_RUNS) return "give-up";
  if (progress.isGreen && progress.lastEditTried < progress.lastRun)
    return hasReported(request) ? "other-task" : "report";
  if (progress.runs === 0) return "run";
  const sinceRun = Math.max(progress.lastRun, progress.lastEditTried);
  if (progress.lastEditDone > progress.lastRun && progress.lastEditDone === progress.lastEditTried) return "run-again";
  if (progress.lastRead < sinceRun) return "read";
  return progress.readText.includes(WRONG_LINE.trim()) ? "edit" : "run-again";
}

function readProgress(results: readonly ScriptResult[]): Progress {
  const last = (fits: (result: ScriptResult) => boolean) => results.findLastIndex(fits);
  const lastRun = last(isTestRun);
  const lastRead = last(isSourceRead);
  const isEdit = (result: ScriptResult) => result.name === "edit";
  return {
    runs: results.filter(isTestRun).length,
    lastRun,
    isGreen: lastRun >= 0 && !/^not ok\b/m.test(results[lastRun]?.text ?? ""),
    lastRead,
    readText: results[lastRead]?.text ?? "",
    lastEditTried: last(isEdit),
    lastEditDone: last((result) => isEdit(result) && !result.isError),
  };
}

/** A run counts when its summary is there, whatever the exit code made of the result. */
const isTestRun = ({ name, input, text }: ScriptResult): boolean =>
  name === "bash" && String(input.command).includes("test.sh") && /\d+ passed, \d+ failed/.test(text);

/** An error that trying again will not cure; a call that was cut off is none. */
const isRefusal = ({ isError, text: words }: ScriptResult): boolean =>
  isError && !/cancelled|program ended|interrupted/i.test(words);

const isSourceRead = ({ name, input, isError, text }: ScriptResult): boolean =>
  name === "read" && !isError && String(input.file_path).endsWith(SOURCE) && text.includes("format_duration");

const hasReported = (request: ScriptRequest): boolean =>
  request.assistantTurns().some((blocks) => blocks.some((block) => String(block.text).includes(REPORT_MARK)));

const REPORT_MARK = "All 6 checks pass";

const thinking = (text: string): ScriptedBlock => ({ type: "thinking", thinking: text });
const text = (words: string): ScriptedBlock => ({ type: "text", text: words });
const say = (words: string): ScriptedTurn => ({ content: [text(words)] });

const runTests = (words: string, thought: string): ScriptedTurn => ({
  content: [
    thinking(thought),
    text(words),
    { type: "tool_use", name: "bash", input: { command: TEST, description: "Run the checks" } },
  ],
});

const readSource = (): ScriptedTurn => ({
  content: [
    thinking(
      "Hours and seconds come out right; minutes go past 59 as soon as there is an hour. Look at how they are computed.",
    ),
    text(`The minutes are wrong once there is an hour. Reading \`${SOURCE}\`.`),
    { type: "tool_use", name: "read", input: { file_path: SOURCE } },
  ],
});

const repair = (): ScriptedTurn => ({
  content: [
    thinking("total / 60 counts the minutes of the hours as well. Take the hours off first: total % 3600 / 60."),
    text("`total / 60` also counts the minutes that the hours already show. The hours have to come off first."),
    { type: "tool_use", name: "edit", input: { file_path: SOURCE, old_string: WRONG_LINE, new_string: RIGHT_LINE } },
  ],
});

const report = (): ScriptedTurn =>
  say(
    `${REPORT_MARK}.\n\n- Cause: \`format_duration\` computed the minutes as \`total / 60\`, so 3909 seconds became \`1h 65m 09s\`.\n- Repair: \`${SOURCE}\` now uses \`total % 3600 / 60\`.\n- Evidence: \`${TEST}\` failed before the edit and passes after it.`,
  );
