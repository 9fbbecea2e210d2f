/** What happened beside the conversation: a command of the user's own, a notice, how a turn ended, a line across. */
import { durationWords } from "../duration.ts";
import type { Line } from "../line.ts";
import type { DividerItem, NoticeItem, OutcomeItem, ShellItem } from "../model/items.ts";
import { oneLine, oneName, spellOut } from "../spelling.ts";
import { bodyMargin, roomOf, row, textMargin, wrappedRow } from "./margin.ts";
import { excerptRows, hint, wholeRows } from "./output.ts";
import { noteLines } from "./said.ts";
import { fittingStart, lineOf, type Piece, spanOf, widthOf } from "./span.ts";
import type { LayoutContext } from "./types.ts";

const SHELL_ROWS = 10;

export function shellLines({ command, exitCode, output, isCut }: ShellItem, context: LayoutContext): readonly Line[] {
  const isWell = exitCode === 0;
  const end: readonly Piece[] = isWell
    ? []
    : [{ tone: "error", text: `  ${exitCode === null ? endWithoutCode(output) : `exit ${exitCode}`}` }];
  const mark: Piece = { tone: "you", text: "! " };
  const head = context.isCompact
    ? [row([mark, { tone: "fg", text: oneLine(command) }, ...end], textMargin(context), context)]
    : wrappedRow([{ tone: "fg", bold: true, text: spellOut(command) }, ...end], textMargin(context), context, [mark]);
  if (context.isOpen) return [...head, ...wholeRows(output, context, { tone: "muted", isCut, isTail: true })];
  return context.isCompact ? head : [...head, ...excerptRows(output, SHELL_ROWS, context, { tone: "muted", isCut })];
}

/** The last line says how a command ended that has no exit code. */
function endWithoutCode(output: string): string {
  if (output.endsWith("[cancelled and killed]")) return "stopped";
  const last = output.slice(output.lastIndexOf("\n") + 1);
  return last.includes("[Not run: ") && last.endsWith("]") ? "not run" : "killed";
}

const NOTICE_SIGNS = { muted: "·", ok: "✓", warn: "!", error: "✗" } as const;

export function noticeLines(
  { tone, text }: Pick<NoticeItem, "tone" | "text">,
  context: LayoutContext,
): readonly Line[] {
  return text.split("\n").flatMap((line, index) => {
    const mark: Piece = { tone, text: index === 0 ? `${NOTICE_SIGNS[tone]} ` : "  " };
    return wrappedRow([{ tone, text: spellOut(line) }], textMargin(context), context, [mark]);
  });
}

const SHOWN_FILES = 5;
const SHOWN_CHECKS = 10;

/** "Verified" is said only of checks that ran and came back with 0. */
export function outcomeLines(item: OutcomeItem, context: LayoutContext): readonly Line[] {
  const { checks, changedFiles } = item;
  const issues = isUnproven(item) ? item.issues.map(withoutVerdict) : item.issues;
  const head = outcomeHead(item, context);
  if (context.isCompact && !context.isOpen) return head.slice(0, 1);
  const files = context.isOpen ? changedFiles : changedFiles.slice(0, SHOWN_FILES);
  const more = changedFiles.length - files.length;
  return [
    ...head,
    ...checks.slice(0, SHOWN_CHECKS).map((check) => checkRow(check, context)),
    ...(checks.length > SHOWN_CHECKS ? [hint(`… ${checks.length - SHOWN_CHECKS} more checks`, context)] : []),
    ...files.map((path) => row([{ tone: "muted", text: oneName(path) }], bodyMargin(context), context)),
    ...(more > 0 ? [hint(`… ${more} more`, context)] : []),
    ...issues.flatMap((issue) =>
      wrappedRow([{ tone: "warn", text: spellOut(issue) }], bodyMargin(context), context, [
        { tone: "warn", text: "! " },
      ]),
    ),
  ];
}

const failedOf = ({ checks }: Pick<OutcomeItem, "checks">): number =>
  checks.filter(({ exitCode }) => exitCode !== 0).length;

/** No check failed, and none proves it either: the head says that it is not verified. */
const isUnproven = (item: OutcomeItem): boolean =>
  item.isDone && failedOf(item) === 0 && (item.checks.length === 0 || item.issues.length > 0);

/** Why it is not, where the head has said that it is not. */
const withoutVerdict = (issue: string): string =>
  issue.replace(/^Not verified: (.)/, (_, first: string) => first.toUpperCase());

function outcomeHead(item: OutcomeItem, context: LayoutContext) {
  const { isDone, detail, checks, changedFiles } = item;
  const failed = failedOf(item);
  const isVerified = isDone && failed === 0 && !isUnproven(item);
  const files = changedFiles.length;
  const counted = files === 0 ? [] : [`${files} ${files === 1 ? "file" : "files"} changed`];
  const margin = textMargin(context);
  if (!isDone) {
    const words = spellOut(detail === "" ? "not done" : detail);
    if (context.isCompact && !context.isOpen) return [row([{ tone: "error", text: `✗ ${words}` }], margin, context)];
    return wrappedRow([{ tone: "error", text: words }], margin, context, [{ tone: "error", text: "✗ " }]);
  }
  if (isVerified) return [headRow("✓", "ok", ["verified", ...counted])];
  const failures = checks.length === 1 ? "check failed" : `${failed} of ${checks.length} checks failed`;
  const lack = failed > 0 ? failures : "not verified";
  return [headRow(failed > 0 ? "✗" : "●", failed > 0 ? "error" : "warn", ["done", ...counted, lack])];

  function headRow(sign: string, tone: "ok" | "warn" | "error", words: readonly string[]): Line {
    const [first = "", ...rest] = words;
    return row(
      [
        { tone, text: `${sign} ${first}` },
        { tone: "muted", text: rest.map((word) => ` · ${word}`).join("") },
      ],
      margin,
      context,
    );
  }
}

function checkRow({ command, exitCode, durationMs }: OutcomeItem["checks"][number], context: LayoutContext): Line {
  const isWell = exitCode === 0;
  return row(
    [
      { tone: isWell ? "ok" : "error", text: isWell ? "✓ " : "✗ " },
      { tone: "fg", text: oneLine(command) },
      { tone: "muted", text: `  ${isWell ? "" : `exit ${exitCode}  `}${durationWords(durationMs)}` },
    ],
    bodyMargin(context),
    context,
  );
}

/** On one line when it fits; else who did it stands below. */
export function dividerLines({ text, about, detail }: DividerItem, context: LayoutContext): readonly Line[] {
  const margin = textMargin(context);
  const room = Math.max(0, roomOf(context) - widthOf(margin) - (context.isCompact ? 2 : 6));
  const whole = spellOut(about === undefined ? text : `${text}, ${about}`);
  const fits = about === undefined || context.measure(whole) <= room;
  const head = rule(fits ? whole : spellOut(text), context);
  const below = fits ? [] : [row([{ tone: "muted", text: spellOut(about) }], bodyMargin(context), context)];
  const shown = context.isOpen && detail !== undefined ? noteLines({ text: asCode(detail) }, context) : [];
  return [head, ...below, ...shown];
}

function rule(words: string, context: LayoutContext): Line {
  const { measure } = context;
  const margin = textMargin(context);
  if (context.isCompact) return row([{ tone: "muted", text: `─ ${words}` }], margin, context);
  const width = roomOf(context) - widthOf(margin);
  const fitting = fittingStart(words, Math.max(0, width - 6), measure);
  const pieces: readonly Piece[] = [
    { tone: "rule", text: "── " },
    { tone: "muted", text: fitting.text },
    { tone: "rule", text: ` ${"─".repeat(Math.max(0, width - fitting.width - 4))}` },
  ];
  return lineOf([...margin, ...pieces.map((piece) => spanOf(piece, measure))], { indent: widthOf(margin) });
}

/** As it was written, in a block that nothing in it can close. */
function asCode(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}yaml\n${text.replace(/\n+$/, "")}\n${fence}`;
}
