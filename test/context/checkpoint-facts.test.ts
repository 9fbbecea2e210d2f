/** What the folds tell of the part of a conversation that goes: nothing in it comes from a model's summary. */
import { describe, expect, test } from "bun:test";
import { resultBudget } from "../../src/agent/result-budget.ts";
import { CONTINUATIONS, continuation, nudgeText } from "../../src/agent/texts.ts";
import { captureContext } from "../../src/context/capture.ts";
import { checkpointFacts, type Facts } from "../../src/context/checkpoint/facts.ts";
import { shownCall } from "../../src/context/checkpoint/failed-attempts.ts";
import { checkpointMessage } from "../../src/context/checkpoint/message.ts";
import { userWords } from "../../src/context/checkpoint/user-words.ts";
import { plainCompaction } from "../../src/context/plain-checkpoint.ts";
import { plainLines } from "../../src/context/plain-text.ts";
import { PLACEHOLDER } from "../../src/context/prune.ts";
import type { Message, UserBlock } from "../../src/shared/index.ts";
import { FULL, READ } from "./checkpoint-samples.ts";
import { type StateParts, says, stateOf } from "./workshop.ts";

const answers = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });
const texts = (...all: string[]): Message => ({ role: "user", content: all.map((text) => ({ type: "text", text })) });
let calls = 0;
/** One call and its result, as two messages. */
function call(name: string, input: unknown, content: string, isError = true): readonly Message[] {
  const id = `t${++calls}`;
  const result: UserBlock = { type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) };
  return [
    { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    { role: "user", content: [result] },
  ];
}

async function factsOf(parts: StateParts, upTo?: number): Promise<Facts> {
  return checkpointFacts(stateOf(parts), upTo ?? parts.messages?.length ?? 0);
}

describe("the user's words", () => {
  const CAPTURED = captureContext({ now: 0, today: "2026-12-01", cwd: "/p", git: undefined, previous: {} }).map(
    ({ text }) => text,
  );
  const check = { command: "npm test", exitCode: 1, summary: "1 failed", durationMs: 1 };
  const plain = (["new-epoch", "fallback"] as const).map(
    (trigger) =>
      (plainCompaction(stateOf({ messages: [says("old")] }), trigger).payload as { message: string }).message,
  );
  const OWN: readonly string[] = [
    ...CAPTURED,
    ...Object.values(CONTINUATIONS),
    continuation({ kind: "continue", because: "misfit", problem: "x" } as Parameters<typeof continuation>[0]).text,
    nudgeText(check, "x"),
    nudgeText(check, ""),
    ...plain,
    "The earlier conversation, as it was summed up:\n\nold",
    PLACEHOLDER,
    '<mentioned path="a \\"b\\".ts">\ntext\n</mentioned>',
    "<mentioned>\nNot given\n</mentioned>",
    "<user-shell>\n$ ls\nfile\n</user-shell>",
    "<git>\nbranch: main\n</git>",
    "<processes>\np1: running: x\n</processes>",
    checkpointMessage({ yaml: FULL, words: [], turn: "goes-on" }),
  ];
  test.each(OWN)("not the program's own: %j", (text) => {
    expect(userWords([texts(text, "do it")])).toEqual([{ text: "do it", at: 0, isKept: false }]);
  });
  test.each([
    "<git> is odd",
    "<environment>\nx\n</environment>\nWhy this?",
    "Continue. And hurry.",
    "The check `x` fails",
  ])("also when they look like it: %j", (text) =>
    expect(userWords([says(text)]).map((words) => words.text)).toEqual([text]),
  );

  const messages = [
    says("first"),
    answers("a"),
    texts("<git>\nx\n</git>", "go on"),
    ...call("bash", { command: "x" }, "y"),
    answers("b"),
    says("and z"),
  ];
  test("of the newest turn, with what was said while it ran", async () => {
    const facts = await factsOf({ messages, turn: { objective: "go on" } });
    expect([facts.words, facts.said]).toEqual([
      ["go on", "and z"],
      ["first", "go on", "and z"],
    ]);
  });
  test("none when the newest turn stays", async () => {
    expect((await factsOf({ messages, turn: { objective: "and z" } }, 6)).words).toEqual([]);
    const again = [says("go on"), answers("a"), says("go on")];
    expect((await factsOf({ messages: again, turn: { objective: "go on" } }, 2)).words).toEqual([]);
  });
  test("those that an earlier compaction kept, and what came since", async () => {
    const message = checkpointMessage({ yaml: FULL, words: ["do x", "not y"], turn: "goes-on" });
    const later = [says(message), answers("a"), ...call("bash", { command: "x" }, "y"), says("hurry")];
    expect(plainLines(later).slice(0, 2)).toEqual([
      `earlier, summed up: ${JSON.stringify(FULL)}`,
      `user: ${JSON.stringify("do x\n\nnot y")}`,
    ]);
    expect((await factsOf({ messages: later, turn: { objective: "do x" } })).words).toEqual(["do x\n\nnot y", "hurry"]);
    expect(
      (await factsOf({ messages: [...later, answers("b"), says("new")], turn: { objective: "new" } })).words,
    ).toEqual(["new"]);
  });
  test("the objective itself where an earlier break took it", async () => {
    for (const earlier of [plain[0] ?? "", "The earlier conversation, as it was summed up:\n\nold"]) {
      const later = [says(earlier), answers("a"), says("hurry")];
      expect((await factsOf({ messages: later, turn: { objective: "do x" } })).words).toEqual(["do x", "hurry"]);
    }
  });
  test("an image that was sent with them, behind them", async () => {
    const source = { type: "blob", media_type: "image/png", sha256: "a", bytes: 1 } as const;
    const shown: Message = {
      role: "user",
      content: [
        { type: "image", source },
        { type: "text", text: "like this" },
      ],
    };
    const facts = await factsOf({ messages: [shown, answers("a")], turn: { objective: "like this" } });
    const words = ["like this", "[an image was here; ask for it again if it is needed]"];
    expect([facts.words, facts.said]).toEqual([words, words]);
    const later = says(checkpointMessage({ yaml: FULL, words, turn: "goes-on" }));
    expect((await factsOf({ messages: [later], turn: { objective: "like this" } })).words).toEqual([
      words.join("\n\n"),
    ]);
  });
  test("in full in the turn, bounded in all: the first and the newest, and a gap", async () => {
    const long = (name: string): string => name.repeat(5_000);
    const many = [..."abcdefgh"].flatMap((name) => [says(long(name)), answers("ok")]);
    const facts = await factsOf({ messages: many, turn: { objective: long("h") } });
    expect(facts.words).toEqual([long("h")]);
    expect(facts.said.map((text) => (text.length > 100 ? `${text[0]}${text.length}` : text))).toEqual([
      "a4094",
      "[… 2 more left out …]",
      "d4094",
      "e4094",
      "f4094",
      "g4094",
      "h4094",
    ]);
    expect(facts.said[0]?.endsWith("a […]")).toBe(true);
  });
});

describe("what failed", () => {
  const { fit } = resultBudget({ resultBytes: 512 * 1024 });
  const NOTE = fit("x".repeat(2048)).split("\n")[1] ?? "";
  const LINES: readonly (readonly [name: string, messages: readonly Message[], lines: readonly string[]])[] = [
    [
      "a tool's first line",
      call("edit", { file_path: "a.ts", old_string: "x" }, "Not edited (ambiguous).\nmore"),
      ["edit: a.ts → Not edited (ambiguous)."],
    ],
    [
      "a command's trouble and its end",
      call("bash", { command: "make\n all" }, "cc a.c\nerror: no such file\nbye\n[timed out after 1 ms]"),
      ['bash: make all → "error: no such file" [timed out after 1 ms]'],
    ],
    [
      "what a command prints for no refusal",
      call("bash", { command: "sh run.sh" }, "The user refused: push straight to main\n[timed out after 1 ms]"),
      ['bash: sh run.sh → "The user refused: push straight to main" [timed out after 1 ms]'],
    ],
    [
      "nor with a note of the program's behind it",
      call("bash", { command: "sh run.sh" }, `The user refused: push\n[killed by SIGKILL]\n${NOTE}`),
      ['bash: sh run.sh → "The user refused: push" [killed by SIGKILL]'],
    ],
    [
      "another exit code than 0, until the same command works",
      [
        ...call("bash", { command: "make" }, "cannot link\n[exit code 2]", false),
        ...call("bash", { command: "grep x a", description: "Look" }, "[exit code 1]", false),
        ...call("bash", { command: "grep y b" }, `[exit code 1]\n${NOTE}`, false),
        ...call("bash", { command: "grep x a" }, "x", false),
        ...call("bash", { command: "echo" }, "[exit code 1]\n", false),
        ...call("read", { file_path: "a" }, "[exit code 1]", false),
      ],
      ['bash: make → "cannot link" [exit code 2]', "bash: grep y b → [exit code 1]"],
    ],
    [
      "a refusal with its reason",
      call("bash", { command: "rm -rf b" }, "The user refused: use make clean"),
      ["bash: rm -rf b → refused by the user: use make clean"],
    ],
    ["a refusal without", call("bash", { command: "ls" }, "The user refused."), ["bash: ls → refused by the user"]],
    ["not what was never run", call("bash", { command: "ls" }, "[Cancelled by the user. It was not run.]"), []],
    ["not what worked", call("bash", { command: "ls" }, "error", false), []],
    [
      "not what worked later",
      [
        ...call("bash", { command: "ls", timeout_ms: 1 }, "no"),
        ...call("bash", { timeout_ms: 1, command: "ls" }, "a", false),
      ],
      [],
    ],
    [
      "the last of the same call",
      [...call("bash", { command: "ls" }, "no"), ...call("bash", { command: "ls" }, "still no")],
      ["bash: ls → still no"],
    ],
    [
      "that its result is gone",
      call("read", { file_path: "x" }, PLACEHOLDER),
      ["read: x → failed; what it said is not there any more"],
    ],
  ];
  test.each(LINES)("%s", async (_name, messages, lines) => {
    expect((await factsOf({ messages })).failed_attempts).toEqual(lines);
  });
  test("a red check, behind the calls", async () => {
    const result = { command: "npm test", exitCode: 1, summary: "2 failed", durationMs: 1, seq: 1, coversSeq: 1 };
    const verification = {
      ...stateOf({}).turn.verification,
      results: [result, { ...result, command: "tsc", exitCode: 0 }],
    };
    const run = call("bash", { command: "npm test" }, "2 failed\n[exit code 1]", false);
    const facts = await factsOf({
      messages: [...run, ...call("bash", { command: "x" }, "no"), ...call("read", { file_path: "a" }, "", false)],
      turn: { verification },
    });
    expect(facts.failed_attempts).toEqual(["bash: x → no", "check: npm test → exit code 1: 2 failed"]);
    expect(facts.tried).toEqual(["bash: npm test", "bash: x", "read: a", "check: npm test", "check: tsc"]);
  });
  test("in the order in which they last failed", async () => {
    const commands = ["a", "b", "a"];
    const messages = commands.flatMap((command) => call("bash", { command }, "no"));
    expect((await factsOf({ messages })).failed_attempts).toEqual(["bash: b → no", "bash: a → no"]);
  });
  test("the newest thirty", async () => {
    const messages = Array.from({ length: 40 }, (_, at) => call("bash", { command: `c${at}` }, "no")).flat();
    const { failed_attempts: lines } = await factsOf({ messages });
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([30, "bash: c10 → no", "bash: c39 → no"]);
  });
  test("a call by what it is about, short", () => {
    expect(shownCall({ name: "x", input: { b: 1 } })).toBe('x: {"b":1}');
    expect(shownCall({ name: "bash", input: { command: "y".repeat(500) } }).length).toBe(204);
  });
});

describe("files and processes", () => {
  test("changes as recorded, processes with their end, what was read last", async () => {
    const change = { operations: 1, diffStats: { added: 3, removed: 1 }, toolUseIds: [] };
    const state = stateOf({
      messages: [
        ...call("read", { file_path: "/p/src/c.ts" }, "text", false),
        ...call("read", { file_path: "./d.ts" }, "", false),
      ],
    });
    const facts = await checkpointFacts(
      {
        ...state,
        meta: { ...state.meta, workingDirectory: "/p" },
        files: {
          changes: {
            "src/a.ts": { ...change, path: "src/a.ts", operations: 2 },
            "/p/new.ts": { ...change, path: "/p/new.ts", firstBeforeSha256: null, lastAfterSha256: "a" },
            "/q/gone": { ...change, path: "/q/gone", firstBeforeSha256: "a", lastAfterSha256: null },
            same: { ...change, path: "same", firstBeforeSha256: "a", lastAfterSha256: "a" },
            tmp: { ...change, path: "tmp", firstBeforeSha256: null, lastAfterSha256: null },
          },
          seen: { "d.ts": "1", "src/a.ts": "1", "src/c.ts": "1", "e.ts": "1", "f.ts": "1" },
        },
        processes: {
          live: [{ processId: "p2", pid: 1, command: "npm run dev", startedAt: 0 }],
          ended: [{ processId: "p1", command: "make\nwatch", cause: "exited", exitCode: 2 }],
          lastNumber: 2,
        },
      },
      state.conversation.messages.length,
    );
    expect(facts.changes).toEqual([
      { path: "src/a.ts", what: "changed 2 times, +3 −1" },
      { path: "new.ts", what: "changed once, +3 −1, new" },
      { path: "/q/gone", what: "changed once, +3 −1, removed" },
      { path: "same", what: "changed once, +3 −1, now as it was before" },
      { path: "tmp", what: "changed once, +3 −1, made and removed again" },
    ]);
    expect(facts.running_processes).toEqual([
      { id: "p1", command: "make watch", status: "exited with code 2" },
      { id: "p2", command: "npm run dev", status: "running" },
    ]);
    expect(facts.read).toEqual(["d.ts", "src/c.ts", "f.ts", "e.ts"]);
  });

  test("the checkpoint that the range begins with", async () => {
    const message = checkpointMessage({ yaml: FULL, words: [], turn: "over" });
    expect((await factsOf({ messages: [texts(message, "more"), answers("a")] })).previous).toEqual(READ);
    const broken = checkpointMessage({ yaml: "later: form", words: [], turn: "over" });
    expect((await factsOf({ messages: [says(broken)] })).previous).toBeUndefined();
    expect((await factsOf({ messages: [says("hi"), answers("a"), says(message)] })).previous).toBeUndefined();
  });
});
