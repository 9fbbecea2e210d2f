/**
 * Markdown within one line: code, emphasis, links. What is not closed on its line is plain text, and so is HTML. Time is
 * linear but for a small factor, whatever the line holds.
 */
import type { Style } from "../line.ts";
import type { Piece } from "./span.ts";

/** At a place where one of these stands something may begin. */
const SPECIAL = /[\\`*_~[!<h]/g;

export function inlinePieces(text: string, style: Style): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  let at = 0;
  const unclosed = new Set<string>();
  const put = (more: readonly Piece[]) => {
    if (plain !== "") pieces.push({ ...style, text: plain });
    plain = "";
    pieces.push(...more);
  };
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const next = SPECIAL.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    if (next >= text.length) break;
    const found = markAt({ text, at: next, style, unclosed });
    if (found) put(found.pieces);
    else plain += text[next];
    at = found ? found.end : next + 1;
  }
  put([]);
  return pieces;
}

interface Place {
  readonly text: string;
  readonly at: number;
  readonly style: Style;
  /** Marks that were looked for in vain; further back there is none either. */
  readonly unclosed: Set<string>;
}

interface Found {
  readonly pieces: readonly Piece[];
  /** The first index behind it. */
  readonly end: number;
}

function markAt(place: Place): Found | undefined {
  switch (place.text[place.at]) {
    case "\\":
      return escaped(place);
    case "`":
      return codeSpan(place);
    case "[":
    case "!":
      return link(place);
    case "<":
    case "h":
      return address(place);
    default:
      return emphasis(place);
  }
}

function escaped({ text, at, style }: Place): Found | undefined {
  const sign = text[at + 1] ?? "";
  return /[!-/:-@[-`{-~]/.test(sign) ? { pieces: [{ ...style, text: sign }], end: at + 2 } : undefined;
}

const BACKTICKS = /`+/y;

function codeSpan({ text, at, style, unclosed }: Place): Found | undefined {
  BACKTICKS.lastIndex = at;
  const mark = BACKTICKS.exec(text)?.[0] ?? "`";
  const opened = at + mark.length;
  const close = unclosed.has(mark) ? -1 : runOf(text, mark, opened);
  if (close < 0) {
    unclosed.add(mark);
    return { pieces: [{ ...style, text: mark }], end: opened };
  }
  const content = text.slice(opened, close);
  const isPadded = content.startsWith(" ") && content.endsWith(" ") && content.trim() !== "";
  return {
    pieces: [{ ...style, tone: "code", text: isPadded ? content.slice(1, -1) : content }],
    end: close + mark.length,
  };
}

/** Where a run of exactly this mark begins. */
function runOf(text: string, mark: string, from: number): number {
  const sign = mark[0] ?? "";
  for (let at = text.indexOf(mark, from); at >= 0; ) {
    let end = at;
    while (text[end] === sign) end++;
    if (end - at === mark.length) return at;
    at = text.indexOf(mark, end);
  }
  return -1;
}

const LINK =
  /!?\[((?:[^[\]\\]|\\.|\[[^[\]]{0,200}\]){0,600})\]\(\s{0,9}<?([^\s()<>]{0,2000}(?:\([^\s()]{0,200}\)[^\s()<>]{0,200})?)>?(?:\s+["'(][^)]{0,400})?\s*\)/y;

/** The text and where it leads, the latter once. */
function link({ text, at, style }: Place): Found | undefined {
  LINK.lastIndex = at;
  const match = LINK.exec(text);
  if (!match) return undefined;
  const [whole, label = "", url = ""] = match;
  const end = at + whole.length;
  const underlined: Style = { ...style, underline: true };
  if (url === "" || label === url || label === url.replace(/^mailto:/, "")) {
    return { pieces: [{ ...underlined, text: label || url }], end };
  }
  const shown = label === "" ? [] : [...inlinePieces(label, underlined), { ...style, text: " " }];
  return { pieces: [...shown, { ...style, tone: "muted", text: label === "" ? url : `(${url})` }], end };
}

const BRACKETED = /<((?:https?|mailto):[^\s<>]{1,2000})>/y;
const BARE = /https?:\/\/[^\s<>`"']{1,2000}/y;

function address({ text, at, style }: Place): Found | undefined {
  const pattern = text[at] === "<" ? BRACKETED : BARE;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match || (pattern === BARE && /\w/.test(text[at - 1] ?? ""))) return undefined;
  const url = match[1] ?? match[0].replace(/[.,;:!?*_~\])]+$/, trailing(match[0]));
  const end = at + (match[1] === undefined ? url.length : match[0].length);
  return { pieces: [{ ...style, underline: true, text: url }], end };
}

/** A closing bracket belongs to an address that opens one. */
const trailing = (url: string) => (signs: string) => (url.includes("(") && signs.startsWith(")") ? ")" : "");

const STYLES: Readonly<Record<string, Partial<Style>>> = {
  "***": { bold: true, italic: true },
  "**": { bold: true },
  __: { bold: true },
  "*": { italic: true },
  _: { italic: true },
  "~~": { strike: true },
};

const EMPHASIS = /\*{1,3}|_{1,2}|~~/y;

function emphasis({ text, at, style, unclosed }: Place): Found | undefined {
  EMPHASIS.lastIndex = at;
  const mark = EMPHASIS.exec(text)?.[0];
  const added = mark === undefined ? undefined : STYLES[mark];
  if (mark === undefined || !added || unclosed.has(mark)) return undefined;
  const opened = at + mark.length;
  const isWithinWord = mark.startsWith("_") && /[\p{L}\p{N}_]/u.test(text[at - 1] ?? "");
  if (isWithinWord || /^(\s|$)/.test(text.slice(opened, opened + 1))) return undefined;
  const close = closing(text, mark, opened);
  if (close < 0) {
    unclosed.add(mark);
    return undefined;
  }
  return { pieces: inlinePieces(text.slice(opened, close), { ...style, ...added }), end: close + mark.length };
}

/** Where the mark stands that closes this one. Of a run of three, the last signs close what was opened first. */
function closing(text: string, mark: string, from: number): number {
  const sign = mark[0] ?? "";
  for (let at = text.indexOf(sign, from + 1); at >= 0; ) {
    let end = at;
    while (text[end] === sign) end++;
    const length = end - at;
    const fits = length === mark.length || (length === 3 && mark.length < 3);
    if (fits && canClose(text, at, end)) return end - mark.length;
    at = text.indexOf(sign, end);
  }
  return -1;
}

function canClose(text: string, at: number, end: number): boolean {
  if (/[\s\\]/.test(text[at - 1] ?? " ")) return false;
  return text[at] !== "_" || !/[\p{L}\p{N}]/u.test(text[end] ?? " ");
}
