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

export function createTextSections(): TextSections {
  let section: Draft = { prime: "", text: "" };
  const list: Draft[] = [section];
  /** The beginning of the line that is not ended yet. */
  let head = "";
  const context = createContext();

  const cut = () => {
    section = { prime: context.prime(), text: "" };
    list.push(section);
  };
  const isLongFor = (chars: number) => section.text.length >= chars;
  const endsHere = () => {
    if (context.isCode()) return isLongFor(GOOD_CHARS);
    return isLongFor(context.isRow() ? MOST_CHARS : FAIR_CHARS);
  };
  const take = (part: string) => {
    section.text += part;
    if (head.length < HEAD_CHARS) head = (head + part).slice(0, HEAD_CHARS);
  };
  const endLine = () => {
    if (head === "" && !context.isCode() && isLongFor(GOOD_CHARS)) cut();
    section.text += "\n";
    context.read(head);
    head = "";
    if (endsHere()) cut();
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

/** What a styler must know of the text before to go on with it. */
function createContext() {
  let fence: Fence | undefined;
  let opener = "";
  let code = "";
  let isRow = false;
  let hasBegun = false;
  return {
    read(line: string): void {
      hasBegun ||= line.trim() !== "";
      if (fence) {
        if (closesFence(line, fence)) fence = undefined;
        else code = `${code}${line}\n`.slice(-2 * PRIME_CHARS);
        return;
      }
      fence = openedFence(line);
      [opener, code] = [`${line}\n`, ""];
      isRow = isRowLike(line);
    },
    prime(): string {
      if (fence) return opener + code.slice(-PRIME_CHARS).replace(/^[^\n]*\n/, "");
      return hasBegun ? "x\n" : "";
    },
    isCode: () => fence !== undefined,
    isRow: () => isRow,
  };
}
