/** The script for recorded conversations, on small ones made up here: every oddity is read, counted, and survives. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readTranscript } from "../../scripts/transcripts/formats.ts";
import { pairingProblem } from "../../scripts/transcripts/pairing-rule.ts";
import { type FileReport, type Report, renderReport } from "../../scripts/transcripts/report.ts";
import type { Transcript } from "../../scripts/transcripts/types.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const LONG = "a line of what the tool printed\n".repeat(60);
const HALF = "\ud83d";

const lines = (...entries: readonly unknown[]): string =>
  `${entries.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))).join("\n")}\n`;

const text = (words: string) => ({ type: "text", text: words });

const pi = (role: string, content: unknown, more: object = {}) => ({
  type: "message",
  timestamp: "2026-01-02T03:04:05.000Z",
  message: { role, content, ...more },
});
const piCall = (id: string, args: unknown = { path: "a.ts" }) => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: args,
});
const piResult = (toolCallId: string, words: string, isError = false) =>
  pi("toolResult", [text(words)], { toolCallId, toolName: "read", isError });
const HEADER = { type: "session", id: "one", timestamp: "2026-01-02T03:04:00.000Z", cwd: "/p" };
const USAGE = { input: 900, output: 40, cacheRead: 0, cacheWrite: 100 };

/** In a row: a broken line, two entries on one, an answer that was stopped, a command of the user's, a compaction. */
const PI_ROW = lines(
  HEADER,
  pi("user", [text(`read it ${HALF}`), { type: "image", data: PIXEL, mimeType: "image/png" }]),
  pi("assistant", [{ type: "thinking", thinking: "hm", thinkingSignature: "s" }, piCall("c1"), piCall("c2", [1])], {
    stopReason: "toolUse",
    usage: USAGE,
  }),
  `${JSON.stringify(piResult("c2", LONG))}${JSON.stringify(piResult("c1", ""))}`,
  '{"type":"message","message":{"role":"user"',
  pi("assistant", [text("It says so.")], { stopReason: "stop" }),
  { type: "compaction", summary: "It was read.", firstKeptEntryIndex: 0, timestamp: "2026-01-02T03:05:00.000Z" },
  pi("bashExecution", undefined, { command: "ls", output: "a.ts", exitCode: 0 }),
  { type: "thinking_level_change", thinkingLevel: "high" },
  pi("user", "change it"),
  pi("assistant", [text("I will"), piCall("c3")], { stopReason: "aborted", errorMessage: "stopped" }),
  pi("user", "no, this way"),
  pi("assistant", [], { stopReason: "error", errorMessage: "overloaded" }),
  pi("assistant", [text("Done.")], { stopReason: "stop" }),
);

const node = (id: string, parentId: string | null, entry: object) => ({ ...entry, id, parentId });

/** As a tree: one branch was left, and what was learnt on it stands in a summary. */
const PI_TREE = lines(
  { ...HEADER, version: 3 },
  node("a", null, pi("user", "first way")),
  node("b", "a", pi("assistant", [piCall("x")], { stopReason: "toolUse" })),
  node("c", "b", piResult("x", "no such file", true)),
  node("d", "a", { type: "branch_summary", summary: "The first way leads nowhere.", fromId: "c" }),
  node("e", "d", pi("assistant", [piCall("y")], { stopReason: "toolUse" })),
  node("f", "e", piResult("y", LONG)),
  node("g", "f", pi("assistant", [text("This one does.")], { stopReason: "stop" })),
);

const cc = (uuid: string, parentUuid: string | null, line: { type: string; content: unknown } & object) => {
  const { type, content, id, model, stop_reason, ...more } = line as Record<string, unknown>;
  const message = { role: type, content, ...(id !== undefined && { id, model, stop_reason }) };
  return { uuid, parentUuid, isSidechain: false, type, message, timestamp: "2026-02-03T04:05:06.000Z", ...more };
};
const asked = (content: unknown, more: object = {}) => ({ type: "user", content, ...more });
const answered = (id: string, block: object, model = "claude-x") => ({
  type: "assistant",
  content: [block],
  id,
  model,
});
const use = (id: string, name = "Bash") => ({ type: "tool_use", id, name, input: { command: "make" } });
const used = (id: string, content: unknown, is_error = false) => [
  { type: "tool_result", tool_use_id: id, content, is_error },
];

/** Side by side calls, a sidechain, results nobody asked for, a call never answered, an id used twice, empty blocks. */
const CLAUDE = lines(
  { type: "summary", summary: "a title", leafUuid: "z" },
  cc("u1", null, asked([text("build it"), text(" ")])),
  cc("u2", "u1", asked("and test it")),
  cc("a1", "u2", answered("m1", { type: "thinking", thinking: "", signature: "sig" })),
  cc("a2", "a1", answered("m1", use("t1"))),
  cc(
    "r1",
    "a2",
    asked(
      used("t1", [text(LONG), { type: "image", source: { type: "base64", data: PIXEL, media_type: "image/png" } }]),
    ),
  ),
  cc("a3", "a2", answered("m1", use("t2", "mcp__a tool.with a name that no schema may have"))),
  { ...cc("s1", "a3", asked("look there")), isSidechain: true },
  cc("r2", "a3", asked(used("t2", `red ${HALF}`, true))),
  cc("a4", "r2", answered("m2", text(""))),
  cc("r0", "a4", asked(used("ghost", "who asked?"))),
  cc("a5", "r0", answered("m3", use("t3"))),
  cc("u3", "a5", asked([text("[Request interrupted by user for tool use]")])),
  cc("u4", "u3", asked("go on", { isMeta: true })),
  cc("a6", "u4", answered("m4", use("t1"))),
  cc("e1", "a6", answered("m5", text("API Error: 529"), "<synthetic>")),
  cc("a7", "e1", answered("m6", { type: "server_thing" })),
  { type: "system", subtype: "compact_boundary", uuid: "b1", parentUuid: null, logicalParentUuid: "a7" },
  cc("u5", "b1", asked("This session is continued.", { isCompactSummary: true })),
  cc("a8", "u5", answered("m7", text("All is green."))),
);

const condensed = (type: string, content: unknown, more: object = {}) => ({
  ...{ v: 1, agent: "some-agent", cli_version: "1", ts: "2026-03-04T05:06:07.000Z", type, content },
  ...more,
});
const within = (id: string, result?: object) => ({
  type: "tool_use",
  id,
  name: "Read",
  input: {},
  ...(result && { result }),
});

const CONDENSED = lines(
  condensed("user", [{ id: "p", text: "" }]),
  condensed("user", [{ id: "p", text: "what is in it?" }]),
  condensed("assistant", [text("Let me see."), within("k1", { output: LONG, status: "success" })], { id: "m" }),
  condensed("assistant", [within("k2", { output: LONG, status: "error" }), within("k3")], {
    id: "n",
    input_tokens: 5,
  }),
);

const root = mkdtempSync(join(tmpdir(), "khaelor-transcripts-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function git(cwd: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
  const { exitCode, stderr } = Bun.spawnSync(["git", "-C", cwd, ...identity, ...args], {
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
}

/** Plain files, and a repository without a work tree in which one of them is only in the history. */
function laidOut(): string {
  write("folder/plain/row.jsonl", PI_ROW);
  write("folder/plain/deeper/tree.jsonl", PI_TREE);
  write("folder/plain/condensed.jsonl", CONDENSED);
  write("folder/plain/other.jsonl", lines({ task: 1 }));
  write("folder/plain/broken.jsonl", "no json at all\n");
  write("folder/plain/asked-only.jsonl", lines(HEADER, pi("user", "anybody there?")));
  write("work/gone.jsonl", CLAUDE);
  git(join(root, "work"), "init", "-q");
  git(join(root, "work"), "add", ".");
  git(join(root, "work"), "commit", "-q", "-m", "one");
  git(join(root, "work"), "rm", "-q", "gone.jsonl");
  git(join(root, "work"), "commit", "-q", "-m", "two");
  git(root, "clone", "-q", "--bare", "work", "folder/mirror");
  return join(root, "folder");
}

const read = (content: string): Transcript => {
  const found = readTranscript(content);
  if (typeof found === "string") throw new Error(found);
  return found;
};

test("the whole way over a folder: every conversation becomes a log that can be cut, pruned, compacted and played", () => {
  const script = join(import.meta.dir, "../../scripts/transcripts.ts");
  const ran = Bun.spawnSync([process.execPath, script, laidOut(), "--json"]);
  expect([ran.exitCode, ran.stderr.toString().includes("error")]).toEqual([0, false]);
  const report = JSON.parse(ran.stdout.toString()) as Report;
  const byName = new Map(report.files.map((file) => [file.name.replace(/@.*/, ""), file]));
  const summary = (file: FileReport | undefined) => file && [file.source, file.leftOut ?? file.format, file.answers];
  expect(Object.fromEntries([...byName].map(([name, file]) => [name, summary(file)]))).toEqual({
    "gone.jsonl": ["mirror", "claude", 7],
    "plain/asked-only.jsonl": ["folder", "a pi transcript in which no model answers", 0],
    "plain/broken.jsonl": ["folder", "no line of it is a JSON object", 0],
    "plain/condensed.jsonl": ["folder", "condensed", 2],
    "plain/deeper/tree.jsonl": ["folder", "pi", 2],
    "plain/other.jsonl": ["folder", "no transcript of a known format (its first line has task)", 0],
    "plain/row.jsonl": ["folder", "pi", 5],
  });
  expect(report.files.flatMap(({ problems }) => problems)).toEqual([]);
  expect(byName.get("plain/row.jsonl")?.tally).toEqual({
    "broken lines": 1,
    "lines that are no part of the conversation: thinking_level_change": 1,
    "signed thinking blocks": 1,
    "calls whose input was no object, kept as text": 1,
    "answers that the user stopped": 1,
    "calls that were never answered, cancelled": 1,
    "answers that failed": 1,
  });
  expect(byName.get("gone.jsonl")?.tally).toEqual({
    "lines of sidechains": 1,
    "lines that are no part of the conversation: summary": 1,
    "lines that are no part of the conversation: system": 1,
    "image blocks in results": 1,
    "answer blocks of type server_thing": 1,
    "signed thinking blocks": 1,
    "results of calls that nobody made": 1,
    "calls whose id was taken, renamed": 1,
    "calls that were never answered, cancelled": 2,
    "answers that failed": 1,
    "words put in where an answer follows nothing that was said": 1,
  });
  expect(byName.get("plain/condensed.jsonl")?.checked?.pruned).toBe(1);
  const logs = report.files.flatMap(({ checked }) => checked ?? []);
  expect(logs.map(({ compacted, safeCuts }) => [compacted.length, safeCuts > 0])).toEqual(logs.map(() => [3, true]));
  expect(report.longest?.events).toBeGreaterThan(20);
  expect(renderReport(report)).toContain("nothing was refused, and nothing differs");
});

describe("reading", () => {
  test("two entries on one line are both read, and half a line is counted", () => {
    const { entries, tally } = read(PI_ROW);
    expect(entries.map(({ kind }) => kind).join(" ")).toBe(
      "said answer result result answer said shell said answer said answer answer",
    );
    expect(tally.counts.get("broken lines")).toBe(1);
  });

  test("of a tree only the way to the newest entry is the conversation", () => {
    const { entries, tally } = read(PI_TREE);
    expect(entries.flatMap((entry) => (entry.kind === "said" ? entry.parts : []))).toEqual([
      { type: "text", text: "first way" },
      { type: "text", text: "The first way leads nowhere." },
    ]);
    expect([...tally.counts]).toEqual([["entries on a branch that was left", 2]]);
  });
});

test("the second opinion on pairing sees what is wrong", () => {
  const call = { type: "tool_use", id: "1", name: "n", input: {} } as const;
  const result = { type: "tool_result", tool_use_id: "1", content: "r" } as const;
  const said = { type: "text", text: "t" } as const;
  const user = (...content: (typeof result | typeof said)[]) => ({ role: "user" as const, content });
  const model = (...content: (typeof call | typeof said)[]) => ({ role: "assistant" as const, content });
  const begun = [user(said), model(call)];
  expect(
    [
      [...begun, user(result, said)],
      [...begun, user(said)],
      [...begun, user(said, result)],
      [user(said), user(said)],
      [user(said), model(said), user(result)],
      [...begun, user(result), model(call), user(result)],
      [user()],
    ].map((messages) => pairingProblem(messages)),
  ).toEqual([
    undefined,
    "message 2 answers [] where [1] was asked",
    "message 2 has words before results",
    "message 1 follows another of the user's",
    "message 2 answers [1] where [] was asked",
    "message 3 repeats the call 1",
    "message 0 is empty",
  ]);
});
