/** Looking for words in a log. */
import { expect, test } from "bun:test";
import { type SearchOptions, searchLog } from "../../src/session/index.ts";
import { line, lines, said, started, workshop } from "./workshop.ts";

const LOG = lines(
  started(),
  said(2, 'Please find the\nNeedle in “the” "hay\\stack"'),
  line(3, "model.text-block-completed", { requestId: "r", blockIndex: 0, text: "No NEEDLE here.\nÄrger" }),
  line(4, "model.thinking-block-completed", { requestId: "r", blockIndex: 0, thinking: "needle", signature: "s" }),
  line(5, "tool.requested", {
    requestId: "r",
    blockIndex: 1,
    toolUseId: "needle",
    toolName: "bash",
    input: { command: "grep -r needle .", more: [{ path: "ärger" }] },
  }),
  line(6, "tool.completed", {
    toolUseId: "needle",
    modelText: "a\nb needle\nc needle",
    durationMs: 1,
    ui: { kind: "exec", summary: "needle" },
  }),
  line(7, "session.renamed", { title: "Needles" }),
  "needle: no event",
  said(8, "the last"),
).concat(said(9, "needle: never accepted"));

async function found(words: string, options: Partial<SearchOptions> = {}): Promise<readonly string[]> {
  using room = workshop();
  room.write(LOG);
  const matches = await searchLog(room.log(), words, { limit: 10, ...options });
  return matches.map(({ seq, who, line: text }) => `${seq} ${who}: ${text}`);
}

test("finds what was said, asked for and answered, newest first, with the first line that holds it", async () => {
  expect(await found("neEDle")).toEqual([
    "7 title: Needles",
    "6 result: b needle",
    "5 call: grep -r needle .",
    "3 model: No NEEDLE here.",
    '2 user: Needle in “the” "hay\\stack"',
  ]);
});

test("takes words literally, also those that a line of JSON spells otherwise", async () => {
  expect(await found('"hay\\stack"')).toHaveLength(1);
  expect(await found("the\nneedle")).toEqual(["2 user: Please find the"]);
  expect(await found("ÄRGER")).toEqual(["5 call: ärger", "3 model: Ärger"]);
  expect(await found("n.edle")).toEqual([]);
});

test("keeps the newest when there are too many, and looks only where it is told", async () => {
  expect(await found("needle", { limit: 2 })).toEqual(["7 title: Needles", "6 result: b needle"]);
  expect(await found("needle", { only: ["user"] })).toEqual(['2 user: Needle in “the” "hay\\stack"']);
  expect(await found("needle", { skip: () => true })).toEqual([]);
});
