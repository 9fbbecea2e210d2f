/**
 * Cuts a long markdown text into sections that can be laid out each for itself, so that the end of a text can be shown without
 * laying out what stands before it. Where it is cut depends on the text alone, never on how it came in: a text that streamed
 * and the same text as a whole have the same sections.
 */
import { closesFence, type Fence, openedFence } from "../../layout/markdown-line.ts";
import { isRowLike } from "../../layout/table.ts";

export interface TextSection {
  /** What a styler is given first, its lines thrown away, so that it goes on as if all before it had been read. */
  readonly prime: string;
  readonly text: string;
}

export interface TextSections {
  /** At least one; all but the last are final. */
  readonly list: readonly TextSection[];
  /** Cut anywhere. */
  push(text: string): void;
}

/** From this length on a section ends before the next empty line, and inside a code block at the next line. */
const GOOD_CHARS = 4 * 1024;
/** From this length on it ends at any line that is no row of a table. */
const FAIR_CHARS = 16 * 1024;
/** What has no place to cut is cut at the next line, whatever stands there. */
const MOST_CHARS = 64 * 1024;
/** How much of the code before is read again, for what spans lines in it. */
const PRIME_CHARS = 1024;
/** As much of a line is looked at. */
const HEAD_CHARS = 4096;

interface Draft {
  readonly prime: string;
  text: string;
}

/** A code block that is not closed, and where its code begins in the section that is under way. */
interface OpenCode {
  readonly fence: Fence;
  readonly opener: string;
  from: number;
}

export function createTextSections(): TextSections {
  let section: Draft = { prime: "", text: "" };
  const list: Draft[] = [section];
  /** The beginning of the line that is not ended yet. */
  let head = "";
  let code: OpenCode | undefined;
  let hasBegun = false;

  const cut = () => {
    section = { prime: code ? primeOf(code, section.text) : hasBegun ? "x\n" : "", text: "" };
    if (code) code.from = 0;
    list.push(section);
  };
  const take = (part: string) => {
    section.text += part;
    if (head.length < HEAD_CHARS) head = (head + part).slice(0, HEAD_CHARS);
  };
  const endsHere = (line: string): boolean => {
    const { length } = section.text;
    if (length < GOOD_CHARS || code) return length >= GOOD_CHARS;
    return length >= FAIR_CHARS && (length >= MOST_CHARS || !isRowLike(line));
  };
  const endLine = () => {
    if (head === "" && !code && section.text.length >= GOOD_CHARS) cut();
    section.text += "\n";
    hasBegun ||= head.trim() !== "";
    if (!code) code = openedCode(head, section.text.length);
    else if (head.includes(code.fence.mark) && closesFence(head, code.fence)) code = undefined;
    const isEnd = endsHere(head);
    head = "";
    if (isEnd) cut();
  };

  return {
    list,
    push(text) {
      let from = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
        take(text.slice(from, end));
        endLine();
        from = end + 1;
      }
      take(text.slice(from));
    },
  };
}

function openedCode(line: string, from: number): OpenCode | undefined {
  // Most lines are told apart without the expression.
  const fence = line.includes("```") || line.includes("~~~") ? openedFence(line) : undefined;
  return fence && { fence, opener: `${line}\n`, from };
}

/** The line that opened the code, and the last lines of it. */
function primeOf({ opener, from }: OpenCode, text: string): string {
  const start = Math.max(from, text.length - PRIME_CHARS);
  const lines = text.slice(start);
  return opener + (start > from ? lines.slice(lines.indexOf("\n") + 1) : lines);
}
