/** A question of consent in lines: everything that the panel of a screen shows, and which typed lines are an answer. Pure. */
import type { PermissionDecision } from "../../shared/index.ts";
import type { LayoutContext } from "../layout/types.ts";
import { wrapText } from "../layout/wrap.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import type { OpenQuestion } from "../model/items.ts";
import { answersOf } from "../view/permission/keys.ts";
import { subjectLines } from "../view/permission/subject.ts";
import { lastingWords, reasonsOf, titleOf } from "../view/permission/words.ts";
import { fittedLine } from "../view/row.ts";

export interface LineAnswer {
  readonly decision: PermissionDecision;
  readonly feedback?: string;
}

/** `waiting`: how many questions wait, this one included. Nothing of what it is about is left out. */
export function questionLines(
  question: OpenQuestion,
  waiting: number,
  { width, measure }: LayoutContext,
): readonly Line[] {
  const count = waiting > 1 ? ` (1 of ${waiting})` : "";
  const lasting = lastingWords(question);
  const margin = [{ tone: "fg" as const, text: "   ", width: 3 }];
  return [
    EMPTY_LINE,
    fittedLine([{ tone: "accent", bold: true, text: titleOf(question) + count }], width, measure),
    ...subjectLines(question, { width, measure }),
    ...[...reasonsOf(question), ...(lasting === undefined ? [] : [lasting])].flatMap((text) =>
      wrapText(text, { tone: "muted" }, { width: width - 1, measure, first: margin, rest: margin }),
    ),
  ];
}

/** Which lines answer it. */
export function answerPrompt(question: OpenQuestion): string {
  const keys = answersOf(question).flatMap(({ key, decision }) => (decision === "deny-with-reason" ? [] : [key]));
  const before = takesReason(question) ? `${keys.join(", ")}, or n and why` : keys.join(" or ");
  return `Answer ${before}: `;
}

/** Undefined: it is none, and nothing is concluded from it. */
export function answerOf(question: OpenQuestion, typed: string): LineAnswer | undefined {
  const line = typed.trimEnd();
  const found = answersOf(question).find(({ key }) => key === line);
  if (found) return found.decision === "deny-with-reason" ? undefined : { decision: found.decision };
  const [, why] = /^n\s+(\S.*)$/s.exec(line) ?? [];
  return why !== undefined && takesReason(question) ? { decision: "deny", feedback: why } : undefined;
}

const takesReason = (question: OpenQuestion): boolean =>
  answersOf(question).some(({ decision }) => decision === "deny-with-reason");
