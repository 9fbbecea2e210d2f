/**
 * The last line: what goes on, honestly and for how long, and what it costs. What does not fit goes from the right to the
 * left: first the hint, in the end only the state is there. Nothing here is a guess: no event, no word; no usage, no number.
 */
import { shortDuration } from "../duration.ts";
import type { Piece } from "../layout/span.ts";
import type { Measure } from "../layout/width.ts";
import type { Line, Tone } from "../line.ts";
import type { Activity } from "../model/items.ts";
import type { SessionFacts } from "../ports.ts";
import { oneLine, oneName } from "../spelling.ts";
import { activityWords, elapsedMs } from "./activity-words.ts";
import { cut, fittedLine, piecesWidth } from "./row.ts";

export interface StatusParts {
  /** Undefined until a session is open. */
  readonly facts: SessionFacts | undefined;
  readonly activity: Activity;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly measure: Measure;
  /** At the far right, such as `^K commands`. */
  readonly hint?: string;
  /** The key that stops what goes on, as it is shown; undefined when none does. */
  readonly stopKey: string | undefined;
  /** Said for a while in place of what goes on: something was copied, a key is wanted once more. */
  readonly message?: { readonly text: string; readonly tone: Tone };
  /** The mouse is the terminal's own at the moment. */
  readonly isMouseFree?: boolean;
}

export function statusLine(parts: StatusParts, width: number): Line {
  const { measure } = parts;
  const room = Math.max(0, width - 1);
  const least = piecesWidth(leftPieces(parts, parts.activity.kind === "retrying" ? MOST_WHAT : LEAST_WHAT), measure);
  const right = rightPieces(parts, room - least - GAP);
  const used = piecesWidth(right, measure);
  const left = fittedLeft(parts, used === 0 ? width : room - used - GAP);
  const gap = Math.max(0, room - piecesWidth(left, measure) - used);
  const pieces: readonly Piece[] = used === 0 ? left : [...left, { tone: "fg", text: " ".repeat(gap) }, ...right];
  return fittedLine(pieces, width, measure);
}

const GAP = 2;
/** Of what it is about: so much has room before any fact, and so much at most. Why something fails comes before all facts. */
const LEAST_WHAT = 12;
const MOST_WHAT = 48;

/** With as much of what it is about as there is room for; the way to stop it is told only where all fits. */
function fittedLeft(parts: StatusParts, room: number): readonly Piece[] {
  const whole = leftPieces(parts, MOST_WHAT);
  if (piecesWidth(whole, parts.measure) <= room) return whole;
  const rest = piecesWidth(leftPieces(parts, 0), parts.measure);
  const pieces = leftPieces(parts, Math.max(0, room - rest - 1));
  return piecesWidth(pieces, parts.measure) <= room ? pieces : leftPieces(parts, 0).slice(0, 3);
}

/** At most so many cells for what it is about. */
function leftPieces(parts: StatusParts, most: number): readonly Piece[] {
  const { activity, now, message, measure, facts } = parts;
  if (message)
    return [
      { tone: "fg", text: " " },
      { tone: message.tone, text: oneLine(message.text) },
    ];
  const shown: Activity = activity.kind === "idle" && !facts ? { kind: "starting" } : activity;
  const { sign, tone, verb, what } = activityWords(shown, now);
  const about = cut(what, most, { measure });
  const elapsed = elapsedMs(shown, now);
  const pieces: Piece[] = [
    { tone, text: ` ${sign} ` },
    {
      tone: shown.kind === "idle" ? "muted" : "fg",
      text: shown.kind === "idle" && isLookedAt(facts) ? READ_ONLY : verb,
    },
  ];
  if (about !== "") pieces.push({ tone: "fg", text: ` ${about}` });
  if (elapsed !== undefined && elapsed >= 1000) pieces.push({ tone: "muted", text: `  ${shortDuration(elapsed)}` });
  return [...pieces, ...stopPieces(shown, parts.stopKey)];
}

/** Of a session that is only looked at: there is nothing that it could be ready for. */
const READ_ONLY = "read-only";
const isLookedAt = (facts: SessionFacts | undefined): boolean => facts?.permissionMode === READ_ONLY;

const stopPieces = (activity: Activity, key: string | undefined): readonly Piece[] =>
  key === undefined || !isStoppable(activity) ? [] : [{ tone: "faint", text: `  ${key.toLowerCase()} stop` }];

const isStoppable = ({ kind }: Activity): boolean => kind !== "idle" && kind !== "starting" && kind !== "asking";

/** In the order in which they stand; `worth` says which of them stay when there is little room. */
function rightPieces(parts: StatusParts, room: number): readonly Piece[] {
  const items = rightItems(parts);
  for (let least = 0; least <= MOST_WORTH; least++) {
    const kept = items.filter(({ worth }) => worth >= least).map(({ piece }) => piece);
    const joined = kept.flatMap((piece, at) => (at === 0 ? [piece] : [SEPARATOR, piece]));
    if (piecesWidth(joined, parts.measure) <= room) return joined;
  }
  return [];
}

const SEPARATOR: Piece = { tone: "faint", text: " · " };
const MOST_WORTH = 7;

interface RightItem {
  readonly worth: number;
  readonly piece: Piece;
}

function rightItems({ facts, hint = "", isMouseFree }: StatusParts): readonly RightItem[] {
  const items = facts ? factItems(facts) : [];
  const more: readonly (RightItem | false)[] = [
    isMouseFree === true && item(4, "mouse free"),
    hint !== "" && item(0, hint, "faint"),
  ];
  return [...items, ...more.filter((one) => one !== false)];
}

const item = (worth: number, text: string, tone: Tone = "muted"): RightItem => ({ worth, piece: { tone, text } });

function factItems(facts: SessionFacts): readonly RightItem[] {
  const { permissionMode: mode, processes } = facts;
  const context = contextPercent(facts);
  return [
    ...(mode === "ask" || mode === READ_ONLY ? [] : [item(7, mode, mode === "bypass" ? "warn" : "accent")]),
    item(3, oneName(facts.model.replace(/^claude-/, ""), 32)),
    item(2, thinkingWords(facts)),
    ...(context === undefined
      ? []
      : [item(6, `ctx ${context < 1 ? "<1" : Math.round(context)}%`, contextTone(context))]),
    item(5, costWords(facts.costUsd)),
    ...(processes === 0 ? [] : [item(1, `${processes} ${processes === 1 ? "process" : "processes"}`)]),
  ];
}

const thinkingWords = ({ effort, thinking }: SessionFacts): string =>
  effort === undefined ? `think ${thinking === "adaptive" ? "auto" : oneName(thinking, 16)}` : oneName(effort, 16);

function contextPercent({ contextTokens, contextWindow }: SessionFacts): number | undefined {
  if (contextTokens === undefined || contextWindow <= 0) return undefined;
  return (contextTokens / contextWindow) * 100;
}

function contextTone(percent: number): Tone {
  if (percent >= 95) return "error";
  return percent >= 80 ? "warn" : "muted";
}

/** What was spent is never nothing. */
export function costWords(usd: number | null): string {
  if (usd === null) return "cost unknown";
  if (usd > 0 && usd < 0.01) return "<$0.01";
  return usd < 100 ? `$${usd.toFixed(2)}` : `$${Math.round(usd)}`;
}
