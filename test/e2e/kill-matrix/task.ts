/**
 * One task with everything in it that a kill could cut: thinking, redacted thinking, parallel calls, edits, a new file, commands
 * that change files, a background process, a command with a child, checks, output that fills a small window, a second message.
 * The scripted model goes by what is on the disk, so after a kill it looks, and does what is still to be done and nothing twice.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  Script,
  ScriptedBlock,
  ScriptedTurn,
  ScriptRequest,
  StreamOptions,
} from "../../../src/simulator/index.ts";
import { asksForSummary, SUMMARY } from "../../support/summing-model.ts";

export const FIRST = "FIRST TASK: bring the counter to 2, and keep the ledger.";
export const SECOND = "SECOND TASK: bring the counter to 3.";
export const STEERING = "Keep it short.";

export const MODEL = "claude-opus-5-5";
/** So small that the outputs of the task do not fit: it is summed up in the middle of the first turn. */
export const WINDOW_TOKENS = 20_000;
export const PACE: StreamOptions = { deltaChars: 12, deltaMs: 2, pingEvery: 7 };

const STEPS = ["one", "background", "slow", "big-1", "big-2", "big-3", "big-4", "big-5", "big-6"] as const;
const MORE = ["big-7", "big-8"] as const;

export const FILES: Readonly<Record<string, string>> = {
  "README.md": "# A counter\n\n`counter.sh` holds it, `test.sh` checks it.\n",
  "counter.sh": "n=0\n",
  "ledger.txt": "",
  "print.sh": "echo $1 >> ledger.txt\necho $1; head -c 7000 /dev/zero | tr '\\0' x; echo\n",
  "test.sh": ". ./counter.sh\n[ $n -ge 2 ] && echo ok counter is $n || { echo not ok counter is $n; exit 1; }\n",
};

/** What the files hold when all is done: each change once. */
export const FINAL: Readonly<Record<string, string>> = {
  ...FILES,
  "counter.sh": "n=3\n",
  "ledger.txt": [...STEPS, ...MORE].map((step) => `${step}\n`).join(""),
  "notes/made.md": "# Made\n\nby the task: déjà vu 👩‍💻\n",
};

const bash = (command: string): ScriptedBlock => ({ type: "tool_use", name: "bash", input: { command } });
const read = (path: string): ScriptedBlock => ({ type: "tool_use", name: "read", input: { file_path: path } });
const edit = (from: number): ScriptedBlock => ({
  type: "tool_use",
  name: "edit",
  input: { file_path: "counter.sh", old_string: `n=${from}`, new_string: `n=${from + 1}` },
});
const thinking = (words: string): ScriptedBlock => ({ type: "thinking", thinking: words });
const text = (words: string): ScriptedBlock => ({ type: "text", text: words });
const CHECK = "sh test.sh";

/** What each step of the ledger takes; the line in the ledger is the step's own trace. */
const COMMANDS: Readonly<Record<string, readonly ScriptedBlock[]>> = {
  one: [bash("echo one >> ledger.txt")],
  background: [
    { type: "tool_use", name: "process", input: { action: "start", command: "exec sleep 401", wait: 0 } },
    bash("echo background >> ledger.txt"),
  ],
  slow: [
    bash(
      "trap '' TERM; sleep 402 & echo begun; sleep 0.2; echo slow >> ledger.txt; echo half; sleep 0.1; kill -9 $!; wait $! 2>/dev/null; echo ended",
    ),
  ],
};

interface Disk {
  readonly counter: number;
  readonly ledger: readonly string[];
  readonly isNoted: boolean;
}

function look(project: string): Disk {
  const textOf = (name: string) => {
    try {
      return readFileSync(join(project, name), "utf8");
    } catch {
      return undefined;
    }
  };
  return {
    counter: Number(/n=(\d)/.exec(textOf("counter.sh") ?? "")?.[1]),
    ledger: (textOf("ledger.txt") ?? "").split("\n"),
    isNoted: textOf("notes/made.md") !== undefined,
  };
}

export const modelFor =
  (project: string): Script =>
  (request) => {
    if (asksForSummary(request)) return { content: [text(SUMMARY)], stream: { deltaChars: 40, deltaMs: 2 } };
    return nextTurn(request, look(project));
  };

function nextTurn(request: ScriptRequest, disk: Disk): ScriptedTurn {
  const { counter, ledger, isNoted } = disk;
  const left = STEPS.filter((step) => !ledger.includes(step));
  const more = MORE.filter((step) => !ledger.includes(step));
  if (counter === 0) return firstEdit(request, disk);
  if (!isNoted) return { content: [text("The note is missing."), note()] };
  const [next] = left;
  if (next) return nextStep(next, left);
  if (more.length > 0) return { content: [text("And the last outputs."), ...more.map(print)] };
  if (counter === 1) return change(request, 1);
  const isSecond = JSON.stringify(request.body.messages).includes(SECOND);
  if (isSecond && counter === 2) return change(request, 2);
  // The second time it leaves the proof to the gate.
  const isDone = isSecond || checked(request);
  return isDone ? { content: [thinking("It is done and proved."), text(report(counter))] } : check();
}

const report = (counter: number) => `The counter is ${counter}, the ledger is kept, and the check passes.`;
const note = (): ScriptedBlock => ({
  type: "tool_use",
  name: "write",
  input: { file_path: "notes/made.md", content: FINAL["notes/made.md"] },
});
const print = (step: string): ScriptedBlock => bash(`sh print.sh ${step}`);

function firstEdit(request: ScriptRequest, { isNoted, ledger }: Disk): ScriptedTurn {
  if (!knowsCounter(request)) {
    return {
      content: [
        thinking("I look at the files first: the counter, the ledger, and what checks them."),
        { type: "redacted_thinking" },
        text("I read what is there: naïve café, 漢字, 👩‍💻."),
        read("counter.sh"),
        read("ledger.txt"),
        { type: "tool_use", name: "grep", input: { pattern: "counter" } },
      ],
    };
  }
  return {
    content: [
      thinking("The counter comes first; the note and the ledger are independent of it."),
      text("Three changes at once."),
      edit(0),
      ...(isNoted ? [] : [note()]),
      ...(ledger.includes("one") ? [] : [bash("echo one >> ledger.txt")]),
    ],
  };
}

function nextStep(next: string, left: readonly string[]): ScriptedTurn {
  const own = COMMANDS[next];
  if (own) return { content: [thinking(`Now ${next}.`), ...own] };
  return { content: [text(`Printing ${next}.`), ...left.slice(0, 2).map(print)] };
}

/** A file whose content the model did not see after a cut call has to be read again. */
const change = (request: ScriptRequest, from: number): ScriptedTurn =>
  knowsCounter(request)
    ? { content: [thinking("One more."), text(`From ${from} to ${from + 1}.`), edit(from)] }
    : { content: [text("I look at the counter again."), read("counter.sh")] };

function knowsCounter(request: ScriptRequest): boolean {
  const touching = request.toolResults().filter(({ input }) => input.file_path === "counter.sh");
  return touching.at(-1)?.isError === false;
}

const check = (): ScriptedTurn => ({ content: [thinking("Only a check proves it."), bash(CHECK)] });

function checked(request: ScriptRequest): boolean {
  const results = request.toolResults();
  const run = results.findLastIndex(({ input, text: said }) => input.command === CHECK && said.includes("ok counter"));
  return run > results.findLastIndex(({ name }) => name === "edit");
}
