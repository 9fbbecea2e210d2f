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
  /** Of the section, with what is read and not yet put into it. */
  let length = 0;
  /** The beginning of the line that is not ended yet. */
  let head = "";
  let code: OpenCode | undefined;
  let hasBegun = false;

  const cut = () => {
    section = { prime: code ? primeOf(code, section.text) : hasBegun ? "x\n" : "", text: "" };
    length = 0;
    if (code) code.from = 0;
    list.push(section);
  };
  const endsHere = (line: string): boolean => {
    if (length < GOOD_CHARS || code) return length >= GOOD_CHARS;
    return length >= FAIR_CHARS && (length >= MOST_CHARS || !isRowLike(line));
  };
  /** Takes the line feed as well. True: the section ends behind it. */
  const endLine = (line: string): boolean => {
    length += 1;
    hasBegun ||= line.trim() !== "";
    if (!code) code = openedCode(line, length);
    else if (line.includes(code.fence.mark) && closesFence(line, code.fence)) code = undefined;
    return endsHere(line);
  };

  return {
    list,
    push(text) {
      // Put into the section as a whole where it ends: line by line a long text would cost several times as much.
      let put = 0;
      const cutAt = (at: number) => {
        section.text += text.slice(put, at);
        put = at;
        cut();
      };
      let from = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
        const line = headOf(head, text.slice(from, end));
        head = "";
        length += end - from;
        if (line === "" && !code && length >= GOOD_CHARS) cutAt(end);
        from = end + 1;
        if (endLine(line)) cutAt(from);
      }
      head = headOf(head, text.slice(from));
      length += text.length - from;
      section.text += text.slice(put);
    },
  };
}

const headOf = (head: string, part: string): string =>
  head === "" && part.length <= HEAD_CHARS ? part : (head + part).slice(0, HEAD_CHARS);

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
