/** What stands below the line of a card: output, changes, why it failed. */
import type { Line } from "../line.ts";
import type { CallItem, FileChangeView } from "../model/items.ts";
import { oneName, spellOut } from "../spelling.ts";
import { fieldOf, linesPieces, wentWrong } from "./call-words.ts";
import { type DiffRow, parseDiff } from "./diff.ts";
import { digitsOf, unifiedLines } from "./diff-lines.ts";
import { bodyMargin, roomOf, row } from "./margin.ts";
import { excerptRows, hint, tailRows, wholeRows } from "./output.ts";
import { widthOf } from "./span.ts";
import type { LayoutContext } from "./types.ts";
import { wrapPieces } from "./wrap.ts";

const LIVE_ROWS = 3;
const RED_ROWS = 4;
const ERROR_ROWS = 12;
const EDIT_ROWS = 8;

/** Folded: what matters now. */
export function foldedBody(call: CallItem, context: LayoutContext): readonly Line[] {
  const { state, output, isCut } = call;
  if (context.isCompact) return [];
  if (state === "running") return tailRows(output, LIVE_ROWS, context, "muted");
  if (state !== "done") return [];
  const why = wentWrong(call) ? excerptRows(output, RED_ROWS, context, { tone: "muted", isCut }) : [];
  return [...why, ...changesRows(call, context)];
}

/** All that is kept; of a failure its end. */
export function openBody(call: CallItem, context: LayoutContext): readonly Line[] {
  const { state, output, isCut, name } = call;
  if (state === "failed") return excerptRows(output, ERROR_ROWS, context, { tone: "fg", isCut });
  const command = commandRows(call, context);
  if (state !== "done" && state !== "running") return command;
  const changes = changesRows(call, context);
  const isPrinted = name === "bash" || name === "process" || state === "running";
  const told = changes.length > 0 && !isPrinted;
  const printed = told ? [] : wholeRows(output, context, { tone: "muted", isCut, isTail: isPrinted });
  return [...command, ...printed, ...changes];
}

/** A command that its line does not show whole. */
function commandRows(call: CallItem, context: LayoutContext): readonly Line[] {
  const command = fieldOf(call.input, "command");
  const room = roomOf(context) - widthOf(bodyMargin(context)) - 8;
  if (!command.includes("\n") && context.measure(command) < room) return [];
  const margin = bodyMargin(context);
  const options = { width: roomOf(context), measure: context.measure };
  return command.split("\n").flatMap((line, index) => {
    const sign = { text: index === 0 ? "$ " : "  ", width: 2, tone: "faint" } as const;
    const rest = { text: "  ", width: 2, tone: "fg" } as const;
    return wrapPieces([{ tone: "fg", text: spellOut(line) }], {
      ...options,
      first: [...margin, sign],
      rest: [...margin, rest],
    });
  });
}

const changesRows = (call: CallItem, context: LayoutContext): readonly Line[] =>
  call.changes.flatMap((change) => changeRows(change, call, context));

function changeRows(change: FileChangeView, call: CallItem, context: LayoutContext): readonly Line[] {
  const { path, diff, diffStats, unlisted = 0 } = change;
  const isOnly = call.changes.length === 1 && call.diffStats !== undefined;
  const title: readonly Line[] = isOnly
    ? []
    : [
        row(
          [{ tone: "muted", text: `changed ${oneName(path)}` }, ...linesPieces(diffStats)],
          bodyMargin(context),
          context,
        ),
      ];
  const more = unlisted > 0 ? [hint(`… and ${unlisted} more ${unlisted === 1 ? "file" : "files"}`, context)] : [];
  if (diff === undefined || (context.isCompact && !context.isOpen)) return [...title, ...more];
  const { hunks, notes } = parseDiff(diff);
  const rows = hunks.map((hunk) => hunk.rows);
  const all = rows.flat();
  const shown = context.isOpen ? rows : firstRows(rows);
  const left = changedIn(all) - changedIn(shown.flat());
  const look = {
    width: roomOf(context),
    measure: context.measure,
    path,
    digits: digitsOf(all),
    isWrapped: context.isOpen,
    margin: bodyMargin(context),
  };
  const lines = shown.flatMap((hunk, index) => [
    ...(index > 0 ? [hint("⋯", context)] : []),
    ...hunk.flatMap((one) => unifiedLines(one, look)),
  ]);
  const said = context.isOpen ? notes.map((note) => hint(note, context)) : [];
  return [
    ...title,
    ...lines,
    ...said,
    ...(left > 0
      ? [hint(`… ${left.toLocaleString("en")} more changed ${left === 1 ? "line" : "lines"}`, context)]
      : []),
    ...more,
  ];
}

const changedIn = (rows: readonly DiffRow[]): number => rows.filter(({ kind }) => kind !== "context").length;

/** The first change with a line around it, and what follows as far as there is room. */
function firstRows(hunks: readonly (readonly DiffRow[])[]): readonly (readonly DiffRow[])[] {
  const [first] = hunks;
  if (!first) return [];
  const change = first.findIndex(({ kind }) => kind !== "context");
  const from = Math.max(0, change - 1);
  const last = first.findLastIndex(({ kind }) => kind !== "context");
  const to = Math.min(last + 2, from + EDIT_ROWS);
  return [first.slice(from, to)];
}
