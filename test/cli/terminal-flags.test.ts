/** On a terminal every flag of a run is heeded, or refused with a reason; nothing is silently without effect. */
import { describe, expect, test } from "bun:test";
import { parseArguments } from "../../src/cli/args.ts";
import { FLAGS } from "../../src/cli/flags/table.ts";
import { asResumeFlag } from "../../src/cli/resume-words.ts";
import { refusedOnTerminal } from "../../src/cli/terminal-flags.ts";

function typed(...words: readonly string[]) {
  const parsed = parseArguments(words);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

/** Flags that make it another kind of run, and so never meet a terminal. */
const ELSEWHERE = ["print", "outputFormat", "inputFormat", "includePartialMessages", "help", "version"];

const HEEDED = [
  ...["continueLast", "resume", "fork", "forkSession", "sessionId", "name", "noSession", "file", "image", "cwd"],
  ...["color", "debug", "logLevel", "model", "auxModel", "fallbackModel", "effort", "maxTurns", "maxBudgetUsd"],
  ...["systemPrompt", "systemPromptFile", "appendSystemPrompt", "appendSystemPromptFile", "permissionMode", "yolo"],
  ...["allow", "deny", "tools", "addDir", "settings", "config", "profile", "safeMode", "bare"],
  ...["theme", "noAltScreen", "noMouse", "screenReader"],
];

test("each flag of a run is decided", () => {
  const ofRuns = FLAGS.filter(({ of, key }) => !of && !ELSEWHERE.includes(key));
  const refused = ofRuns.filter(({ key }) => !HEEDED.includes(key));
  for (const { names, takes } of refused) {
    const words = takes === "switch" ? [names[0]] : [names[0], "x"];
    expect(refusedOnTerminal(typed(...words)) ?? `${names[0]} is heeded`).toStartWith(`--`);
    expect(refusedOnTerminal(typed(...words))).toContain(" goes with -p: ");
  }
  const heeded = ofRuns.filter(({ key }) => HEEDED.includes(key));
  expect(heeded.map(({ key }) => key).sort()).toEqual([...HEEDED].sort());
  for (const { names, takes, oneOf } of heeded) {
    const words = takes === "switch" ? [names[0]] : [names[0], oneOf?.[0] ?? "x"];
    expect(refusedOnTerminal(typed(...words))).toBeUndefined();
  }
});

describe("a single word", () => {
  test("that is nearly a subcommand is not sent to a model", () => {
    expect(refusedOnTerminal(typed("sesions"))).toBe(
      'there is no subcommand sesions; did you mean sessions? As a prompt: khaelor "sesions …"',
    );
  });

  test("or more of them are a prompt all the same", () => {
    for (const words of [["explain"], ["sesions", "are", "what?"], ["Sesions?"], []]) {
      expect(refusedOnTerminal(typed(...words))).toBeUndefined();
    }
  });
});

test("khaelor resume WORDS is --resume WORDS, and names its session once", () => {
  const { resume, operands, subcommand } = asResumeFlag(typed("resume", "the", "apples"));
  expect([resume, operands, subcommand]).toEqual(["the apples", [], undefined]);
  expect(() => asResumeFlag(typed("resume", "x", "--continue"))).toThrow("resume names the session itself");
});
