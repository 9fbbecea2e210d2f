/** Each kind of item at each width, and what holds for all of them. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { layoutItem } from "../../src/tui/layout/item.ts";
import { createLive } from "../../src/tui/layout/live.ts";
import type { LayoutContext } from "../../src/tui/layout/types.ts";
import { measureBy } from "../../src/tui/layout/width.ts";
import { EMPTY_LINE, type Line } from "../../src/tui/line.ts";
import type { CallItem, Item } from "../../src/tui/model/items.ts";
import cases from "../cases/terminal.json" with { type: "json" };
import { expectFrame, expectSound, textOf } from "../support/frames.ts";

const measure = measureBy("unicode");
const contextOf = (width: number, isOpen = false): LayoutContext => ({
  width,
  measure,
  isOpen,
  isCompact: width < 40,
});

const base = { id: "1", seq: 1 };
const call = (changes: Partial<CallItem>): CallItem => ({
  ...base,
  kind: "call",
  toolUseId: "t",
  name: "bash",
  input: {},
  state: "done",
  output: "",
  changes: [],
  ...changes,
});

const DIFF = `--- src/session/store.ts
+++ src/session/store.ts
@@ -117,4 +117,5 @@
   const buf = read()
   const end = lastNewline(buf)
-  closeDangling(events)
+  await fh.truncate(end + 1)
+  closeDangling(replay(buf.subarray(0, end + 1)))
   return end
`;

const TURN: readonly Item[] = [
  {
    ...base,
    kind: "user",
    text: "Resume drops the last tool result when the log ends mid-line.\nFix it.",
    mentions: [{ path: "log.ts" }, { path: "gone.ts", notGiven: "/project/gone.ts does not exist." }],
    images: ["shot.png"],
  },
  { ...base, kind: "thinking", text: "The tail is torn.\n\nSo the call dangles." },
  {
    ...base,
    kind: "answer",
    text: "The torn tail is cut, but the **dangling call** is closed before the cut index is known:\n\n1. reproduce it in `torn.test.ts`\n2. move the close\n\n```ts\nconst end = lastNewline(buf); // the cut\n```\n\n| step | state |\n|---|---:|\n| read | done |\n| write | open |",
  },
  call({
    name: "read",
    input: { file_path: "/home/me/khaelor/src/session/store.ts" },
    summary: "src/session/store.ts: lines 1-214 of 300",
    output: "1\timport x",
  }),
  call({ name: "grep", input: { pattern: "torn", path: "src/session" }, summary: "6 matches in 2 files" }),
  call({
    name: "edit",
    input: { file_path: "src/session/store.ts" },
    summary: "src/session/store.ts: +9 -4",
    diffStats: { added: 9, removed: 4 },
    changes: [{ path: "src/session/store.ts", operation: "edit", diffStats: { added: 9, removed: 4 }, diff: DIFF }],
  }),
  call({
    state: "running",
    input: { command: "bun test src/session" },
    output: "first\nstore.test.ts  41 pass\n\u001b[32mtorn.test.ts\u001b[0m   12 pass · running\n\n",
  }),
  call({
    input: { command: "bun test" },
    exitCode: 1,
    summary: "exit code 1",
    durationMs: 83_000,
    output: "one\ntwo\nthree\n(fail) torn tail\n1 fail\n",
  }),
  call({ name: "read", input: { file_path: "missing.ts" }, state: "failed", output: "missing.ts does not exist." }),
  call({ input: { command: "git push origin fix/torn-tail" }, state: "asking" }),
  call({ input: { command: "sleep 100" }, state: "cancelled", output: "interrupted" }),
  { ...base, kind: "notice", tone: "warn", text: "Stopped." },
  { ...base, kind: "user", text: "go on", mentions: [], images: [], isSteering: true },
  { ...base, kind: "shell", command: "git status --short", exitCode: 0, output: " M src/session/store.ts\n" },
  { ...base, kind: "shell", command: "false", exitCode: 1, output: "" },
  { ...base, kind: "shell", command: "sleep 30", exitCode: null, output: "[cancelled and killed]" },
  { ...base, kind: "shell", command: "rm -rf /", exitCode: null, output: "[Not run: it removes the root folder]" },
  {
    ...base,
    kind: "divider",
    text: "summed up: 120K → about 14K tokens",
    about: "by claude-haiku-5-5, $0.021",
    detail: 'objective: **fix it**\ncompleted:\n  - "it ``` was read"\n',
  },
  { ...base, kind: "divider", text: "7 old results taken out, about 12K tokens" },
  { ...base, kind: "note", text: "## Cost\n\n$0.42 so far." },
  { ...base, kind: "note", tone: "ok", text: "✓ Copied." },
  { ...base, kind: "answer", text: "Half an ans", isPartial: true },
  {
    ...base,
    kind: "outcome",
    isDone: true,
    detail: "",
    changedFiles: ["src/session/store.ts", "test/torn.test.ts"],
    checks: [{ command: "bun test src/session", exitCode: 0, durationMs: 4200 }],
    issues: [],
  },
  {
    ...base,
    kind: "outcome",
    isDone: true,
    detail: "",
    changedFiles: ["a.ts"],
    checks: [{ command: "bun test", exitCode: 1, durationMs: 900 }],
    issues: ["The check was not run again after the last change."],
  },
  {
    ...base,
    kind: "outcome",
    isDone: true,
    detail: "",
    changedFiles: ["a", "b", "c", "d", "e", "f", "g"],
    checks: [],
    issues: ["Not verified: no test command that can run here was found in this project."],
  },
  {
    ...base,
    kind: "outcome",
    isDone: false,
    detail: "The model did not answer: overloaded.",
    changedFiles: [],
    checks: [],
    issues: [],
  },
];

const layAll = (items: readonly Item[], context: LayoutContext): readonly Line[] =>
  items.flatMap((item, index) => layoutItem(item, { ...context, follows: items[index - 1] }));

describe("every kind, as golden frames", () => {
  test.each([100, 60, 10])("folded at %p columns", (width) => {
    expectFrame(`items-${width}`, layAll(TURN, contextOf(width)));
  });
  test.each([60])("unfolded at %p columns", (width) => {
    expectFrame(`items-open-${width}`, layAll(TURN, contextOf(width, true)));
  });
});

test("only what is proven is called verified", () => {
  const outcome = (checks: readonly number[], issues: readonly string[] = []): string => {
    const item: Item = {
      ...base,
      kind: "outcome",
      isDone: true,
      detail: "",
      changedFiles: ["a"],
      checks: checks.map((exitCode) => ({ command: "c", exitCode, durationMs: 1 })),
      issues,
    };
    return layoutItem(item, contextOf(80)).map(textOf).join("\n");
  };
  expect(outcome([0, 0])).toContain("verified · 1 file changed");
  expect(outcome([])).toContain("not verified");
  expect(outcome([0, 1])).not.toContain("verified");
  expect(outcome([0], ["doubt"])).toContain("not verified");
});

test("how a command of the user's own ended without an exit code", () => {
  const told = (output: string) =>
    textOf(
      layoutItem({ ...base, kind: "shell", command: "c", exitCode: null, output }, contextOf(40))[0] ?? EMPTY_LINE,
    );
  expect(told("[Not run: a [b] c]")).toBe("   ! c  not run");
  expect(told("one\n[Not run: ]")).toBe("   ! c  not run");
  expect(told("[Not run: a]\none]")).toBe("   ! c  killed");
  expect(told("one\n[cancelled and killed]")).toBe("   ! c  stopped");
  expect(told("[Not run: ".repeat(100_000))).toBe("   ! c  killed");
});

test("an open card shows everything that is kept, and says where the rest is", () => {
  const output = Array.from({ length: 150 }, (_, index) => `line ${index}`).join("\n");
  const item = call({ input: { command: "seq" }, exitCode: 0, output, isCut: true });
  const lines = layoutItem(item, contextOf(80, true)).map(textOf);
  expect(lines).toContain("       … what came before is in the full output");
  for (const line of output.split("\n")) expect(lines).toContain(`       ${line}`);
});

test("what a call answers does not make its card longer than its bound, while it is folded", () => {
  const output = "x\n".repeat(1000);
  for (const item of [call({ state: "running", output }), call({ exitCode: 2, output })]) {
    expect(layoutItem(item, contextOf(80)).length).toBeLessThanOrEqual(6);
  }
  expect(layoutItem(call({ state: "failed", output }), contextOf(80, true)).length).toBeLessThanOrEqual(14);
});

const evil = fc
  .array(
    fc.constantFrom(
      "\u001b[31m",
      "\u001b]52;c;cm0gLXJm\u0007",
      "\u202e",
      "\r",
      "\n",
      "\t",
      "漢",
      "👍🏽",
      "e\u0301",
      "\u200b",
      "\u00ad",
      "\u2028",
      "a",
      "word ",
      "`",
      "**",
      "\u009b31m",
      "x".repeat(70),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(""));

function itemsOf(text: string): readonly Item[] {
  const change = {
    path: text,
    operation: "edit",
    diffStats: { added: 1, removed: 1 },
    diff: `@@ -1 +1 @@\n-${text}\n+b`,
  };
  return [
    { ...base, kind: "user", text, mentions: [{ path: text, notGiven: text }], images: [text] },
    { ...base, kind: "answer", text, isPartial: true },
    { ...base, kind: "thinking", text, isRedacted: true },
    call({ name: text, input: { command: text }, output: text, summary: text, exitCode: 3 }),
    call({ name: "edit", input: { file_path: text }, output: text, summary: `${text}: +1 -1`, changes: [change] }),
    call({ name: "grep", input: { pattern: text, path: text }, state: "failed", output: text, isCut: true }),
    call({ state: "running", output: text, input: { action: text } }),
    { ...base, kind: "shell", command: text, exitCode: null, output: text },
    { ...base, kind: "notice", tone: "warn", text },
    { ...base, kind: "divider", text, detail: text },
    { ...base, kind: "note", text },
    { ...base, kind: "note", text, tone: "warn" },
    {
      ...base,
      kind: "outcome",
      isDone: true,
      detail: text,
      changedFiles: [text],
      checks: [{ command: text, exitCode: 1, durationMs: 5 }],
      issues: [text],
    },
    { ...base, kind: "outcome", isDone: false, detail: text, changedFiles: [], checks: [], issues: [] },
  ];
}

test("whatever is in an item: no line is wider than the screen, none holds a control character", () => {
  fc.assert(
    fc.property(evil, fc.integer({ min: 1, max: 120 }), fc.boolean(), (text, width, isOpen) => {
      for (const item of itemsOf(text)) expectSound(layoutItem(item, contextOf(width, isOpen)), width);
      for (const kind of ["answer", "thinking", "call"] as const) {
        const live = createLive({ kind, name: text, what: text }, contextOf(width, isOpen));
        expectSound([...live.push(text), ...live.tail()], width);
      }
    }),
    { numRuns: 300 },
  );
});

test("what streams looks as what is settled", () => {
  const text = "# a\n\nb **c** d\n\n```ts\nx\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n\nend";
  const item: Item = { ...base, kind: "answer", text };
  const follows = TURN[0];
  for (const width of [10, 60, 140]) {
    const context = { ...contextOf(width), follows };
    const live = createLive({ kind: "answer" }, context);
    const lines = [...text].flatMap((char) => live.push(char));
    expect([...lines, ...live.tail()]).toEqual([...layoutItem(item, context)]);
    expect([...lines, ...live.end()]).toEqual([...layoutItem(item, context)]);
  }
});

describe("the handed cases of model text and tool output, in cards and answers", () => {
  const given = cases.cases.filter(({ where }) => where === "model-text" || where === "tool-output");
  test.each(given.map((one) => [one.id, one] as const))("%s", (_id, { where, input, expect: expected }) => {
    const text = String(input);
    const item: Item = where === "model-text" ? { ...base, kind: "answer", text } : call({ output: text, exitCode: 0 });
    const lines = layoutItem(item, contextOf(200, true));
    expectSound(lines, 200);
    const shown = lines.map((line) => textOf(line).trim());
    for (const part of expected.visible_contains ?? []) expect(shown).toContain(part);
    if (expected.visible !== undefined) expect(shown.join("\n")).toEndWith(expected.visible);
  });
});
