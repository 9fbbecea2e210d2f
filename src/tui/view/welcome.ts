/** What stands where the transcript will be, while nothing has been said: where one is, who answers, and three ways to begin. */
import { safeRow } from "../layout/plain-text.ts";
import type { Piece } from "../layout/span.ts";
import type { Measure } from "../layout/width.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import type { SessionFacts } from "../ports.ts";
import type { Area } from "./layer.ts";
import { fittedLine, isCompact } from "./row.ts";

export interface WelcomeParts {
  /** Undefined while the session is being opened. */
  readonly facts: SessionFacts | undefined;
  /** The key that shows the help, as it is shown. */
  readonly helpKey: string | undefined;
  readonly measure: Measure;
}

/** Stands at the bottom of the area; fewer lines where there is less room. */
export function welcomeLines(
  { facts, helpKey = "/help", measure }: WelcomeParts,
  { width, height }: Area,
): readonly Line[] {
  const margin: Piece = { tone: "fg", text: isCompact(width) ? "" : "   " };
  const line = (...pieces: readonly Piece[]): Line => fittedLine([margin, ...pieces], width, measure);
  const place = facts ? [line(...placePieces(facts)), line(...modelPieces(facts)), EMPTY_LINE] : [];
  const hints = [
    ["@", "mentions a file"],
    ["/", "lists the commands"],
    [helpKey, "explains the keys"],
  ] as const;
  const widest = Math.max(...hints.map(([sign]) => measure(sign)));
  const hintLines = hints.map(([sign, about]) =>
    line({ tone: "accent", text: sign + " ".repeat(widest - measure(sign)) }, { tone: "muted", text: `  ${about}` }),
  );
  const ending = height > 8 ? [EMPTY_LINE] : [];
  return [...place, ...hintLines, ...ending].slice(-Math.max(0, height)).slice(0, Math.max(0, height));
}

function placePieces({ folder, branch, changedFiles }: SessionFacts): readonly Piece[] {
  const where: Piece[] = [{ tone: "fg", bold: true, text: safeRow(folder) }];
  if (branch !== undefined) where.push({ tone: "muted", text: `  ${safeRow(branch)}` });
  if (changedFiles > 0) where.push({ tone: "muted", text: `  ±${changedFiles}` });
  return where;
}

const MODES: Readonly<Record<string, string>> = {
  ask: "asks before it changes anything",
  "accept-edits": "edits files without asking",
  plan: "reads only",
  bypass: "asks nothing",
};

function modelPieces({ model, effort, permissionMode }: SessionFacts): readonly Piece[] {
  const level = effort === undefined ? "" : `, effort ${safeRow(effort)}`;
  return [{ tone: "muted", text: `${safeRow(model)}${level} · ${MODES[permissionMode] ?? safeRow(permissionMode)}` }];
}
