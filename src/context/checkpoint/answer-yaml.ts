/**
 * Where the YAML is in what a model wrote: between `<checkpoint>` tags, in a code fence, or bare, with prose around it. Decides by
 * lines and reads no YAML.
 */
import { err, ok, type Result } from "../../shared/index.ts";
import { CHECKPOINT_KEYS } from "./types.ts";

export interface AnswerYaml {
  readonly text: string;
  /** Lines of the answer before it: what has to be added to a line number. */
  readonly linesBefore: number;
  /** A tag or a fence says where it ends. */
  readonly isClosed: boolean;
}

/** The error is a sentence for the model. `answer` has LF line ends. */
export function yamlIn(answer: string): Result<AnswerYaml, string> {
  const all: Region = { lines: answer.split("\n"), linesBefore: 0 };
  const tagged = betweenTags(all);
  if (!tagged) return err("The checkpoint breaks off: its closing </checkpoint> is missing.");
  const fenced = insideFence(tagged);
  if (!fenced) return err("The checkpoint breaks off: the code fence that it stands in is never closed.");
  const found = trimmed(fenced);
  if (!found) return err("No checkpoint was found in the answer: no line begins with `objective:`.");
  return ok({ text: ended(found.lines.join("\n")), linesBefore: found.linesBefore, isClosed: fenced !== all });
}

/** The last line of a block has an end too. */
const ended = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

interface Region {
  readonly lines: readonly string[];
  readonly linesBefore: number;
}

const part = ({ lines, linesBefore }: Region, from: number, to?: number): Region => ({
  lines: lines.slice(from, to),
  linesBefore: linesBefore + from,
});

const OBJECTIVE = /^[\s{]*["']?objective["']?\s*:/i;
const OPENING_TAG = /^\s*<checkpoint>/i;
const CLOSING_TAG = /<\/checkpoint>\s*$/i;

/** What stands behind the objective is the checkpoint's own text, also when it looks like a tag or a fence. */
const objectiveAt = ({ lines }: Region): number => {
  const at = lines.findIndex((line) => OBJECTIVE.test(line.replace(OPENING_TAG, "")));
  return at === -1 ? lines.length : at;
};

/** The region as it is when nothing opens it; undefined when it is opened and not closed. */
function betweenTags(region: Region): Region | undefined {
  const { lines } = region;
  const from = lines.findIndex((line) => OPENING_TAG.test(line));
  const isOpened = from !== -1 && from <= objectiveAt(region);
  const to = lines.findLastIndex((line) => (isOpened ? CLOSING_TAG.test(line) : /^<\/checkpoint>\s*$/i.test(line)));
  if (to === -1 || to < from) return isOpened ? undefined : region;
  const own = lines.map((line, at) => {
    const opened = isOpened && at === from ? line.replace(OPENING_TAG, "") : line;
    return at === to ? opened.replace(CLOSING_TAG, "") : opened;
  });
  return part({ ...region, lines: own }, isOpened ? from : 0, to + 1);
}

const FENCE = /^( *)(`{3,}|~{3,})[ \t]*([\w-]*)[ \t]*$/;

/** The first fenced block that holds an objective; the region as it is when the objective stands outside of all. */
function insideFence(region: Region): Region | undefined {
  const { lines } = region;
  const objective = objectiveAt(region);
  for (let at = 0; at < objective; at++) {
    const [, indent, fence] = FENCE.exec(lines[at] ?? "") ?? [];
    if (indent === undefined || fence === undefined) continue;
    const closing = lines.findIndex((line, index) => index > at && closes(line, indent, fence));
    if (closing === -1) return objective < lines.length ? undefined : region;
    if (closing > objective) return part(region, at + 1, closing);
    at = closing;
  }
  return region;
}

/** A fence that is indented deeper belongs to the text inside. */
function closes(line: string, indent: string, fence: string): boolean {
  const [, ownIndent, own = "", name] = FENCE.exec(line) ?? [];
  return ownIndent !== undefined && name === "" && ownIndent.length <= indent.length && own.startsWith(fence);
}

/** Any indentation that all of it has goes, and so does prose before and after. Undefined when nothing looks like a checkpoint. */
function trimmed(region: Region): Region | undefined {
  const { lines } = region;
  const json = lines.findIndex((line) => /^\s*\{/.test(line));
  if (json !== -1 && json <= objectiveAt(region)) {
    return part(region, json, lines.findLastIndex((line) => line.includes("}")) + 1 || undefined);
  }
  const first = lines.findIndex((line) => KEY.test(line));
  if (first === -1) return undefined;
  const indent = /^[ \t]*/.exec(lines[first] ?? "")?.[0] ?? "";
  const rest = part(region, first);
  return withoutProse({
    ...rest,
    lines: rest.lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)),
  });
}

const KEY = new RegExp(
  `^[ \\t]*["']?(${CHECKPOINT_KEYS.join("|").replaceAll("_", "[_ -]?")})["']?[ \\t]*:(\\s|$)`,
  "i",
);
const DOCUMENT_END = /^(---|\.\.\.)(\s|$)/;
/** A line that may belong to the YAML: indented, an item, a comment, a key, the end of a flow. */
const STRUCTURE = /^([ \t]|-(\s|$)|#|["']?[A-Za-z_][\w -]*["']?[ \t]*:(\s|$)|[\]}])/;

/** Prose behind the YAML stands in paragraphs of its own: a line that follows at once may be a key that was cut. */
function withoutProse(region: Region): Region {
  const document = region.lines.findIndex((line) => DOCUMENT_END.test(line));
  const lines = document === -1 ? region.lines : region.lines.slice(0, document);
  const last = lines.findLastIndex((line) => line.trim() !== "" && STRUCTURE.test(line));
  const behind = lines.slice(last + 1);
  return { ...region, lines: behind[0]?.trim() === "" ? lines.slice(0, last + 1) : lines };
}
