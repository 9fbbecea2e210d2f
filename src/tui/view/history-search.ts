/** Ctrl+R: what was said before, narrowed by what is typed, above the composer. The draft stays as it is until a row is taken. */
import { keyName } from "../key.ts";
import { safeRow } from "../layout/plain-text.ts";
import type { Measure } from "../layout/width.ts";
import { createFilterList, type FilterList } from "./filter-list.ts";
import type { Layer } from "./layer.ts";
import { type ListState, listOf } from "./list.ts";
import type { ListRow } from "./list-row.ts";
import { holdsAll, wordsOf } from "./typed-words.ts";

export interface HistorySearchParts {
  /** The newest first. */
  readonly texts: readonly string[];
  readonly measure: () => Measure;
  readonly onChoose: (text: string) => void;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

const MAX_ROWS = 200;

export function createHistorySearch({ texts, onChoose, ...parts }: HistorySearchParts): Layer {
  const list: FilterList = createFilterList({
    ...parts,
    name: "history-search",
    place: "above",
    title: "What was said before",
    rowsFor: (typed) => rowsFor(texts, typed),
    isFiltered: true,
    placeholder: "search",
    hint: "",
    none: () => (texts.length === 0 ? "nothing was said yet" : "nothing that fits"),
    onChoose: ({ value }) => {
      parts.onClose();
      onChoose(texts[Number(value)] ?? "");
    },
  });
  return {
    ...list,
    key(key) {
      const also = ALSO.get(keyName(key));
      return list.key(also ? { name: also, ctrl: false, alt: false, shift: false } : key);
    },
  };
}

/** As in a shell: the same key goes further back. */
const ALSO: ReadonlyMap<string, string> = new Map([
  ["ctrl+r", "down"],
  ["ctrl+s", "up"],
  ["ctrl+g", "escape"],
]);

function rowsFor(texts: readonly string[], typed: string): ListState {
  const words = wordsOf(typed);
  const found: ListRow[] = [];
  let total = 0;
  for (const [at, text] of texts.entries()) {
    if (!holdsAll(text, words)) continue;
    total++;
    if (found.length < MAX_ROWS) found.push({ value: String(at), label: safeRow(text.trim().slice(0, MAX_SHOWN)) });
  }
  return listOf(found, { total });
}

const MAX_SHOWN = 400;
