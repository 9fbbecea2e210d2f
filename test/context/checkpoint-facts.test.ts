/** What the folds tell of the part of a conversation that goes: nothing in it comes from a model's summary. */
import { describe, expect, test } from "bun:test";
import { CONTINUATIONS, continuation, nudgeText } from "../../src/agent/texts.ts";
import { captureContext } from "../../src/context/capture.ts";
import { checkpointFacts, type Facts } from "../../src/context/checkpoint/facts.ts";
import { shownCall } from "../../src/context/checkpoint/failed-attempts.ts";
import { checkpointMessage } from "../../src/context/checkpoint/message.ts";
import { isNearlySame, unsaid } from "../../src/context/checkpoint/similar.ts";
import { userWords } from "../../src/context/checkpoint/user-words.ts";
import { plainCompaction } from "../../src/context/plain-checkpoint.ts";
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
    PLACEHOLDER,
    '<mentioned path="a \\"b\\".ts">\ntext\n</mentioned>',
    "<mentioned>\nNot given\n</mentioned>",
    "<user-shell>\n$ ls\nfile\n</user-shell>",
    "<git>\nbranch: main\n</git>",
    "<processes>\np1: running: x\n</processes>",
    checkpointMessage({ yaml: FULL, words: [], isInTurn: true }),
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
    const message = checkpointMessage({ yaml: FULL, words: ["do x", "not y"], isInTurn: true });
    const later = [says(message), answers("a"), ...call("bash", { command: "x" }, "y"), says("hurry")];
    expect((await factsOf({ messages: later, turn: { objective: "do x" } })).words).toEqual(["do x\n\nnot y", "hurry"]);
    expect(
      (await factsOf({ messages: [...later, answers("b"), says("new")], turn: { objective: "new" } })).words,
    ).toEqual(["new"]);
  });
  test("the objective itself where an earlier break took it", async () => {
    const later = [says(plain[0] ?? ""), answers("a"), says("hurry")];
    expect((await factsOf({ messages: later, turn: { objective: "do x" } })).words).toEqual(["do x", "hurry"]);
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
  const LINES: readonly (readonly [name: string, messages: readonly Message[], lines: readonly string[]])[] = [
    [
      "a tool's first line",
      call("edit", { file_path: "a.ts", old_string: "x" }, "Not edited (ambiguous).\nmore"),
      ["edit: a.ts → Not edited (ambiguous)."],
    ],
    [
      "a command's trouble and its end",
      call("bash", { command: "make\n all" }, "cc a.c\nerror: no such file\nbye\n[timed out after 1 ms]"),
      ["bash: make all → error: no such file [timed out after 1 ms]"],
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
    const facts = await factsOf({ messages: call("bash", { command: "x" }, "no"), turn: { verification } });
    expect(facts.failed_attempts).toEqual(["bash: x → no", "check: npm test → exit code 1: 2 failed"]);
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
    const message = checkpointMessage({ yaml: FULL, words: [], isInTurn: false });
    expect((await factsOf({ messages: [texts(message, "more"), answers("a")] })).previous).toEqual(READ);
    const broken = checkpointMessage({ yaml: "later: form", words: [], isInTurn: false });
    expect((await factsOf({ messages: [says(broken)] })).previous).toBeUndefined();
    expect((await factsOf({ messages: [says("hi"), answers("a"), says(message)] })).previous).toBeUndefined();
  });
});

describe("what says the same", () => {
  const PAIRS: readonly (readonly [one: string, other: string, same: boolean])[] = [
    ["bash: npm test → exit code 1", "`bash`: npm test → exit code 1.", true],
    ["Tried to fix the parser by hand", "tried to fix the parser by hand again", true],
    ["edit: src/a.ts → not edited (ambiguous)", "edit: src/b.ts → not edited (ambiguous)", false],
    ["npm test fails with 1 error", "npm test fails with 2 errors", false],
    ["Use a map", "Delete the cache", false],
    ["", "x", false],
    ["", " ", true],
  ];
  test.each(PAIRS)("%j and %j: %p", (one, other, same) => {
    expect([isNearlySame(one, other), isNearlySame(other, one)]).toEqual([same, same]);
  });
  test("is said once", () => {
    expect(unsaid(["a b c", "d", "A b, c.", "e"], ["e"])).toEqual(["a b c", "d"]);
  });
});
