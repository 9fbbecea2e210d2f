/** The answers that a question takes, and the line that names them. No answer is the default one. */
import type { PermissionDecision } from "../../../shared/index.ts";
import type { Piece } from "../../layout/span.ts";
import type { Measure } from "../../layout/width.ts";
import type { Line } from "../../line.ts";
import type { OpenQuestion } from "../../model/items.ts";
import { fittedLine, isCompact, piecesWidth } from "../row.ts";
import { isLoop } from "./words.ts";

export interface Answer {
  readonly key: string;
  /** Undefined: a reason is asked for first. */
  readonly decision: PermissionDecision | "deny-with-reason";
  /** From the longest to the shortest. */
  readonly labels: readonly [long: string, short: string];
}

const ONCE: Answer = { key: "y", decision: "once", labels: ["once", "once"] };
const GO_ON: Answer = { key: "y", decision: "once", labels: ["go on", "go on"] };
const LASTING: readonly Answer[] = [
  { key: "s", decision: "session", labels: ["this session", "session"] },
  { key: "a", decision: "always-project", labels: ["always here", "always"] },
  { key: "A", decision: "always-user", labels: ["always for you", "you"] },
];
const DENY: Answer = { key: "n", decision: "deny", labels: ["deny", "deny"] };
const STOP: Answer = { key: "n", decision: "deny", labels: ["do not run it again", "no"] };
const REASON: Answer = { key: "d", decision: "deny-with-reason", labels: ["deny + tell it why", "why"] };

/** What would last can be chosen only where it is told what that is. */
export function answersOf(question: OpenQuestion, { isLastingTold = true } = {}): readonly Answer[] {
  if (isLoop(question)) return [GO_ON, STOP, REASON];
  const lasting = question.suggestion && isLastingTold ? LASTING : [];
  return question.mention === undefined ? [ONCE, ...lasting, DENY, REASON] : [ONCE, ...lasting, DENY];
}

export interface KeyRoom {
  readonly width: number;
  readonly measure: Measure;
  /** What is typed goes to the draft, or to what else is open, not here. */
  readonly isAside: boolean;
  readonly isElsewhere: boolean;
}

/** With all their words, with few, or the keys alone: as there is room. */
export function keyLines(
  answers: readonly Answer[],
  { width, measure, isAside, isElsewhere }: KeyRoom,
): readonly Line[] {
  const room = { width: Math.max(1, width - 1), margin: isCompact(width) ? " " : "   ", measure };
  const long = answers.map((answer) => written(answer, isAside, 0));
  const short = answers.map((answer) => written(answer, isAside, 1));
  const bare = answers.map((answer) => written(answer, isAside));
  const wayIn = wayTo(isElsewhere ? "esc" : "tab");
  const longWay = isElsewhere ? LONG_WAY_BACK : LONG_WAY;
  if (isAside && width >= 64) return [...packed([wayIn(longWay)], "", room), ...packed(short, "  ", room)];
  const way = isAside ? [wayIn(isCompact(width) ? "" : SHORT_WAY)] : [];
  const choices = [packed([...way, ...long], "   ", room), packed([...way, ...short], "  ", room)];
  return choices.find((lines, at) => lines.length <= at + 1) ?? packed([...way, ...bare], "  ", room);
}

const LONG_WAY = " to answer; until then what you type goes to the draft";
const LONG_WAY_BACK = " closes what has the keys now; then this can be answered";
const SHORT_WAY = " to answer";

const wayTo =
  (key: string) =>
  (words: string): readonly Piece[] => [
    { tone: "accent", bold: true, text: key },
    { tone: "muted", text: words },
  ];

function written({ key, labels }: Answer, isAside: boolean, size?: 0 | 1): readonly Piece[] {
  const label = size === undefined ? "" : ` ${labels[size]}`;
  return isAside
    ? [{ tone: "faint", text: key + label }]
    : [
        { tone: "accent", bold: true, text: key },
        { tone: "muted", text: label },
      ];
}

interface PackRoom {
  readonly width: number;
  readonly margin: string;
  readonly measure: Measure;
}

/** As many in a row as fit; none is torn apart. */
function packed(
  groups: readonly (readonly Piece[])[],
  gap: string,
  { width, margin, measure }: PackRoom,
): readonly Line[] {
  const rows: Piece[][] = [];
  for (const group of groups) {
    const row = rows.at(-1);
    const fits = row && piecesWidth(row, measure) + gap.length + piecesWidth(group, measure) <= width;
    if (fits) row.push({ tone: "fg", text: gap }, ...group);
    else rows.push([{ tone: "fg", text: margin }, ...group]);
  }
  return rows.map((row) => fittedLine(row, width, measure));
}
