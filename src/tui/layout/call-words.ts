/** What a card says of a call in its one line: what it was about and what came of it. Foreign text is spelled out. */

import { durationWords } from "../duration.ts";
import type { Tone } from "../line.ts";
import { subjectOf } from "../model/call-subject.ts";
import type { CallItem, CallState } from "../model/items.ts";
import { oneLine, oneName } from "../spelling.ts";
import type { Piece } from "./span.ts";

export interface Mark {
  readonly sign: string;
  readonly tone: Tone;
}

const MARKS: Readonly<Record<CallState, Mark>> = {
  requested: { sign: "◌", tone: "muted" },
  asking: { sign: "◌", tone: "warn" },
  running: { sign: "●", tone: "accent" },
  done: { sign: "✓", tone: "ok" },
  failed: { sign: "✗", tone: "error" },
  cancelled: { sign: "✗", tone: "muted" },
};

/** A command that ran and said no is a result, but not a good one. */
export const wentWrong = ({ state, exitCode = 0 }: CallItem): boolean =>
  state === "failed" || (state === "done" && exitCode !== 0);

export const markOf = (call: CallItem): Mark => (wentWrong(call) ? MARKS.failed : MARKS[call.state]);

/** A path as the summary shows it is shorter than as the model gave it. */
export function subjectWords(call: CallItem): string {
  const { name, input, summary = "" } = call;
  const shown = /^(\S.*?): /.exec(summary)?.[1];
  const given = subjectOf(input);
  if (shown !== undefined && given.endsWith(shown)) return oneName(shown);
  if (name === "grep" || name === "glob") return searchWords(input, given);
  if (name === "process") return processWords(input, given);
  return call.name === "bash" ? oneLine(given) : oneName(given);
}

/** A text among what the call was given; empty where there is none. */
export const fieldOf = (input: unknown, name: string): string => {
  const value = typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>)[name] : "";
  return typeof value === "string" ? value : "";
};

function searchWords(input: unknown, pattern: string): string {
  const path = fieldOf(input, "path");
  return `“${oneName(pattern)}”${path === "" ? "" : ` in ${oneName(path)}`}`;
}

function processWords(input: unknown, given: string): string {
  const [action, id] = [fieldOf(input, "action"), fieldOf(input, "id")];
  const about = fieldOf(input, "command") || fieldOf(input, "name") || id;
  return (
    [action, about === action ? "" : about]
      .filter((word) => word !== "")
      .map((word) => oneLine(word))
      .join(" ") || oneLine(given)
  );
}

/** What came of it, at the end of the line. Empty while it runs; why it failed is said once, in the line or below it. */
export function resultPieces(call: CallItem, isOpen: boolean): readonly Piece[] {
  const words = (text: string): readonly Piece[] => (text === "" ? [] : [{ tone: "muted", text: `  ${text}` }]);
  if (call.state === "asking") return words("waiting for you");
  if (call.state === "cancelled") return words("stopped");
  if (call.state !== "done" && call.state !== "failed") return [];
  const lines = call.diffStats && call.state === "done" ? linesPieces(call.diffStats) : undefined;
  const isToldBelow = isOpen && call.state === "failed" && call.output !== "";
  return [...words(isToldBelow ? "" : summaryWords(call)), ...(lines ?? []), ...words(timeWords(call))];
}

export function linesPieces({
  added,
  removed,
}: {
  readonly added: number;
  readonly removed: number;
}): readonly Piece[] {
  return [
    ...(added > 0 ? [{ tone: "ok", text: `  +${added}` } as const] : []),
    ...(removed > 0 ? [{ tone: "error", text: `${added > 0 ? " " : "  "}−${removed}` } as const] : []),
  ];
}

function summaryWords({ state, summary = "", exitCode, diffStats, output }: CallItem): string {
  if (state === "failed") return oneLine(summary || firstLine(output));
  if (exitCode !== undefined) return exitCode === 0 ? "" : `exit ${exitCode}`;
  const told = oneLine(summary).replace(/^.*: (?=[^:]*$)/, "");
  if (diffStats) return told.replace(/,? ?\+\d+( -\d+)?$/, "");
  return told.replace(/^lines (\d+)-(\d+)/, "$1–$2").replace(/^exit code 0$/, "");
}

const firstLine = (output: string): string => {
  const text = output.trimStart();
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
};

/** What was over at once needs no time said. */
const MIN_TOLD_MS = 1000;

const timeWords = ({ durationMs = 0 }: CallItem): string => (durationMs < MIN_TOLD_MS ? "" : durationWords(durationMs));
