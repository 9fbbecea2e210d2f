/** A log that anybody may have written, with hostile text in all of its strings: what is shown of it is text and nothing else. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { DurableInput } from "../../src/shared/index.ts";
import { measureBy } from "../../src/tui/layout/width.ts";
import type { Line } from "../../src/tui/line.ts";
import { createAttentionWatch, terminalTitle } from "../../src/tui/model/attention.ts";
import { createViewModel, type ViewState } from "../../src/tui/model/view-model.ts";
import type { SessionFacts } from "../../src/tui/ports.ts";
import { noticeText, titleSequence } from "../../src/tui/screen/sequences.ts";
import { createAskLine } from "../../src/tui/view/ask-line.ts";
import { chipLines } from "../../src/tui/view/chips.ts";
import { createChoose } from "../../src/tui/view/choose.ts";
import { createDiffViewer } from "../../src/tui/view/diff-viewer.ts";
import { headerLine } from "../../src/tui/view/header.ts";
import { createHistorySearch } from "../../src/tui/view/history-search.ts";
import { createMentionPalette } from "../../src/tui/view/mention-palette.ts";
import { createMissingKey } from "../../src/tui/view/missing-key.ts";
import { panelLines } from "../../src/tui/view/permission/panel-lines.ts";
import { createSessionPicker } from "../../src/tui/view/session-picker.ts";
import { statusLine } from "../../src/tui/view/status-bar.ts";
import { createTextViewer } from "../../src/tui/view/text-viewer.ts";
import { createTranscript } from "../../src/tui/view/transcript.ts";
import * as w from "../session/log-words.ts";
import { anyLog } from "../support/generators.ts";
import { isHarmless, strangers } from "../support/terminal-bytes.ts";

const measure = measureBy("unicode");
const RUNS = Number(process.env.HOSTILE_RUNS ?? 150);

const HOSTILE = [
  ...[
    "\x1b[31337mA",
    "\x1b]0;EVIL\x07B",
    "\x1b]52;c;RVZJTA==\x1b\\C",
    "\x1bP31337\x1b\\D",
    "\u009b31337mE",
    "\u009d52;c;x\u009cF",
  ],
  ...[
    "\u202eG\u2066",
    "\ufeffH",
    "I\ud800",
    "\udc00J",
    "hidden\rK",
    "\x07\b\x7f\0L",
    "M\u0085N\u2028",
    "\x1b]31337;open",
    "\t`O`\n",
  ],
  ...["```\x1b[2J\nx\n```", "| \x1b[2J |\n| --- |\n| \u009b2J |", "bash", "edit", "read", "src/\x1b[2J.ts", "a"],
] as const;
const strings = fc.array(fc.constantFrom(...HOSTILE), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));

const factsWith = (text: string): SessionFacts => ({
  ...{ title: text, folder: text, branch: text, changedFiles: 1, model: text, thinking: text, effort: text },
  ...{ permissionMode: "ask", contextTokens: 1, contextWindow: 2, costUsd: 1, processes: 1 },
});

/** Everything that is drawn of this state at this width. */
function linesOf(state: ViewState, text: string, width: number): readonly Line[] {
  const transcript = createTranscript({ measure: () => measure });
  transcript.update(state);
  const bar = { facts: factsWith(text), activity: state.activity, now: 1, measure, stopKey: "Esc" };
  return [
    ...[true, false].flatMap((isOpen) => [...transcript.lines({ width, isOpen })]),
    ...chipLines({ queued: state.queued, measure, takeBackKey: "Alt+↑" }, width),
    ...state.questions.flatMap((question) => {
      const shown = { question, waiting: 2, offset: 0, isAside: false, isElsewhere: false, measure };
      return panelLines(shown, { width, height: 40 }).lines;
    }),
    headerLine(bar, width),
    statusLine(bar, width),
    statusLine({ ...bar, message: { text, tone: "fg" } }, width),
  ];
}

const isHarmlessLine = ({ spans }: Line): boolean => spans.every(({ text }) => isHarmless(text));

test("items, questions, chips, header, status, title and notifications", () => {
  let items = 0;
  const holds = fc.property(anyLog(24, strings), strings, fc.constantFrom(100, 38, 12), (log, text, width) => {
    const model = createViewModel();
    const watch = createAttentionWatch();
    const told: string[] = [titleSequence(text), noticeText(text)];
    for (const event of log) {
      model.replay(event);
      told.push(noticeText(watch.update(model.state())?.text ?? ""), titleSequence(terminalTitle(text, model.state())));
    }
    const state = model.state();
    items += state.items.length;
    expect(linesOf(state, text, width).filter((line) => !isHarmlessLine(line))).toEqual([]);
    expect(told.flatMap((one) => strangers(one))).toEqual([]);
  });
  fc.assert(holds, { numRuns: RUNS, seed: 11 });
  expect(items).toBeGreaterThan(RUNS);
});

/** Calls with all that belongs to them, for a log of chance has few that fit together. */
function calls(text: string): readonly DurableInput[] {
  const input = {
    command: text,
    file_path: text,
    pattern: text,
    path: text,
    old_string: text,
    new_string: `${text}\n`,
  };
  const events = ["bash", "read", "edit", "grep", "process", text].flatMap((toolName, at) => {
    const [requestId, toolUseId] = [`r${at}`, `t${at}`];
    const diff = `--- a/${text}\n+++ b/${text}\n@@ -1,2 +1,2 @@\n-${text}\n+${text}\n ${text}\n`;
    const change = { path: text, operation: "edit", diffStats: { added: 1, removed: 1 }, diff, toolUseId } as const;
    const ui = { kind: "exec", summary: text, exitCode: at } as const;
    return [
      w.asked(requestId),
      w.event("tool.requested", { requestId, blockIndex: 0, toolUseId, toolName, input }),
      w.ended(requestId, "tool_use"),
      w.event("permission.requested", {
        ...{ permissionRequestId: toolUseId, toolUseId, capability: text, descriptor: text, because: text },
        suggestion: { capability: text, pattern: text },
      }),
      ...(at === 2 ? [] : [w.granted(toolUseId), w.started(toolUseId)]),
      ...(at % 2 === 0 ? [w.event("file.modified", change)] : []),
      ...(at === 3 ? [w.broken(toolUseId, text)] : []),
      ...([2, 3].includes(at) ? [] : [w.event("tool.completed", { toolUseId, modelText: text, durationMs: 1, ui })]),
    ];
  });
  const shell = { command: text, exitCode: 1, output: text, durationMs: 1 };
  return [w.begun, w.said(text), w.said("", { shell }), ...events];
}

test("calls of every tool with their questions, changes and outputs", () => {
  for (const text of [...HOSTILE, HOSTILE.join(" ")]) {
    const model = createViewModel();
    for (const event of w.given(calls(text))) model.replay(event);
    for (const width of [100, 38, 12]) {
      const lines = linesOf(model.state(), text, width);
      expect(lines.length).toBeGreaterThan(20);
      expect(lines.filter((line) => !isHarmlessLine(line))).toEqual([]);
    }
  }
});

test("lists, viewers and lines to type into, whatever they are made of", async () => {
  for (const text of [...HOSTILE, HOSTILE.join(" ")]) {
    const nothing = () => undefined;
    const parts = { measure: () => measure, onChange: nothing, onClose: nothing, onDone: nothing, onChoose: nothing };
    const row = {
      id: text,
      title: text,
      updatedAt: 1,
      userMessages: 1,
      pendingApprovals: 1,
      costUsd: 1,
      excerpt: text,
    };
    const queries = {
      sessions: async () => [row],
      findFiles: async () => [{ path: text, matched: [0] }],
      noteAccess: nothing,
    };
    const editor = { text: () => text, chips: () => [], setText() {}, setCursor() {}, insert() {}, insertChip() {} };
    const diff = `--- a/${text}\n+++ b/${text}\n@@ -1 +1 @@ ${text}\n-${text}\n+${text}\nBinary files ${text} differ\n`;
    const files = [{ path: text, diff, added: 1, removed: 1 }];
    const mentions = createMentionPalette({ ...parts, queries, editor: () => editor });
    mentions.update({ start: 0, query: text, range: "" });
    const layers = [
      mentions,
      createSessionPicker({ ...parts, queries, now: () => 1, text, onOpen: nothing, onTrouble: nothing }),
      createHistorySearch({ ...parts, texts: [text] }),
      createChoose({ ...parts, question: { title: text, rows: [{ value: text, label: text, detail: text }] } }),
      createAskLine({ ...parts, label: text, initial: text }),
      createTextViewer({ ...parts, title: text, text, format: "plain" }),
      createTextViewer({ ...parts, title: text, text, format: "markdown" }),
      createDiffViewer({ ...parts, title: text, files, copy: nothing, request: nothing }),
      createMissingKey({
        ...parts,
        message: text,
        storeKey: async () => undefined,
        reopen: async () => undefined,
        onQuit: nothing,
      }),
    ];
    await new Promise((resolve) => setTimeout(resolve));
    for (const layer of layers) {
      for (const width of [120, 60, 12]) {
        const strange = layer.rows({ width, height: 20 }).filter((line) => !isHarmlessLine(line));
        expect({ layer: layer.name, strange }).toEqual({ layer: layer.name, strange: [] });
      }
    }
  }
});
