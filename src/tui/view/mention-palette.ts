/**
 * Files for the `@` that is being typed. Answers come when they come: a key never waits for one, an answer to what is no
 * longer typed is dropped, and until the new one is there the rows that still fit stay.
 */
import { errorMessage, fuzzyRank } from "../../shared/index.ts";
import { type MentionDraft, mentionChip, rangeOf } from "../input/mentions.ts";
import { keyName } from "../key.ts";
import type { Measure } from "../layout/width.ts";
import type { FoundFile, Queries } from "../ports.ts";
import { replaceRange } from "../screen/draft.ts";
import type { Editor } from "../screen/port.ts";
import { spellOut } from "../spelling.ts";
import type { Layer } from "./layer.ts";
import { type ListState, listLines, listOf, moved, selectedRow } from "./list.ts";
import type { ListRow } from "./list-row.ts";
import { fittedLine, isCompact } from "./row.ts";

export interface MentionPaletteParts {
  readonly queries: Pick<Queries, "findFiles" | "noteAccess">;
  readonly editor: () => Pick<Editor, "text" | "chips" | "setText" | "setCursor" | "insert" | "insertChip">;
  readonly measure: () => Measure;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

export interface MentionPalette extends Layer {
  /** Takes the mention as it is now. */
  update(draft: MentionDraft): void;
  /** Typed to its end and not chosen: a path that was among the files becomes a chip all the same. */
  finish(draft: MentionDraft): void;
  /** Asks no more; what is still under way is cancelled. */
  dispose(): void;
}

const MAX_LINES = 8;
const MAX_FILES = 50;

export function createMentionPalette(parts: MentionPaletteParts): MentionPalette {
  const search = createFileSearch(parts);
  let draft: MentionDraft = { start: 0, query: "", range: "" };
  let list: ListState = listOf([]);
  let height = MAX_LINES;
  const rows = (found: readonly FoundFile[]): ListState => listOf(found.map(rowOf));
  function take(path: string, isEnter: boolean): void {
    if (path.endsWith("/") && !isEnter) goDeeper(parts.editor(), draft, path);
    else insertChip(parts, draft, { path, ending: isEnter ? " " : "" });
  }
  return {
    name: "mention-palette",
    place: "above",
    update(next) {
      const isSame = next.query === draft.query && search.isAsked();
      draft = next;
      if (isSame) return;
      list = rows(stillFitting(search.found(), next.query));
      search.ask(next.query, () => {
        list = rows(search.found());
        parts.onChange();
      });
    },
    finish(ended) {
      const isKnown = search.found().some(({ path }) => path === ended.query);
      if (!isKnown) return;
      const behind = insertChip(parts, ended, { path: ended.query, ending: "" });
      parts.editor().setCursor(behind + 1); // behind the blank that ended it
    },
    dispose: search.cancel,
    rows(area) {
      height = Math.min(MAX_LINES, area.height);
      const room = { width: area.width, height, measure: parts.measure() };
      if (list.rows.length > 0) return listLines(list, { ...room, cutAt: "start", showsCount: true });
      const text = search.isWaiting() ? "looking for files" : (search.trouble() ?? "no such file");
      return [
        fittedLine(
          [{ tone: "muted", text: `${isCompact(area.width) ? "" : "  "}  ${text}` }],
          room.width,
          room.measure,
        ),
      ].slice(0, height);
    },
    key(key) {
      const name = keyName(key);
      if (name === "escape") {
        parts.onClose();
        return true;
      }
      const row = selectedRow(list);
      if (name === "tab" || name === "enter") {
        if (row) take(row.value, name === "enter");
        return row !== undefined;
      }
      if (name === "home" || name === "end" || !row) return false;
      const next = moved(list, name, height);
      if (next) list = next;
      return next !== undefined;
    },
  };
}

interface FileSearch {
  ask(query: string, onAnswer: () => void): void;
  /** What was answered last. */
  found(): readonly FoundFile[];
  /** Why there was no answer, in words for people. */
  trouble(): string | undefined;
  isAsked(): boolean;
  isWaiting(): boolean;
  cancel(): void;
}

function createFileSearch({ queries }: MentionPaletteParts): FileSearch {
  let found: readonly FoundFile[] = [];
  let trouble: string | undefined;
  let running: AbortController | undefined;
  let isAsked = false;
  return {
    ask(query, onAnswer) {
      running?.abort();
      const own = new AbortController();
      running = own;
      isAsked = true;
      const end = (files: readonly FoundFile[], why?: string) => {
        if (own.signal.aborted) return;
        [running, found, trouble] = [undefined, files, why];
        onAnswer();
      };
      queries.findFiles(query, MAX_FILES, own.signal).then(
        (files) => end(files),
        (error: unknown) => end([], errorMessage(error)),
      );
    },
    trouble: () => trouble,
    found: () => found,
    isAsked: () => isAsked,
    isWaiting: () => running !== undefined,
    cancel() {
      running?.abort();
      [running, isAsked] = [undefined, false];
    },
  };
}

/** A name that holds what nobody sees is spelled out, and then nothing in it can be marked. */
function rowOf({ path, matched }: FoundFile): ListRow {
  const label = spellOut(path);
  return { value: path, label, matched: label === path ? matched : [] };
}

const stillFitting = (found: readonly FoundFile[], query: string): readonly FoundFile[] =>
  fuzzyRank(found, query, ({ path }) => path).map(({ item, matched }) => ({ path: item.path, matched }));

interface Inserted {
  readonly path: string;
  readonly ending: string;
}

/** Where the chip ends. */
function insertChip({ editor, queries }: MentionPaletteParts, draft: MentionDraft, { path, ending }: Inserted): number {
  const chip = mentionChip(path, draft.range);
  const area = editor();
  const unread = rangeOf(draft.range) ? "" : draft.range; // what names no lines stays as it was typed
  area.insertChip(chip, { start: draft.start, end: endOf(draft) - unread.length });
  const behind = draft.start + chip.label.length + unread.length;
  area.setCursor(behind);
  if (ending !== "" && !/^\s/.test(area.text().slice(behind))) area.insert(ending);
  queries.noteAccess(path);
  return behind;
}

const endOf = ({ start, query, range }: MentionDraft): number => start + 1 + query.length + range.length;

/** The folder takes the place of what is typed, and its files are looked for next. */
function goDeeper(area: ReturnType<MentionPaletteParts["editor"]>, draft: MentionDraft, folder: string): void {
  const before = { text: area.text(), chips: area.chips(), cursor: 0 };
  const next = replaceRange(before, { start: draft.start, end: endOf(draft) }, `@${folder}`);
  area.setText(next.text, next.chips);
  area.setCursor(next.cursor);
}
