/** A question with rows to choose from: above the composer when they are few, else over the whole screen. */
import { fuzzyRank } from "../../shared/index.ts";
import type { Measure } from "../layout/width.ts";
import type { ChoiceRow, Question } from "../ports.ts";
import { createFilterList, type FilterList, fixedRows } from "./filter-list.ts";
import { listOf } from "./list.ts";
import type { ListRow } from "./list-row.ts";

export interface ChooseParts {
  readonly question: Question;
  readonly measure: () => Measure;
  /** Called once; undefined: given up. The layer is the caller's to remove. */
  readonly onDone: (value: string | undefined) => void;
  readonly onChange: () => void;
}

const MOST_ABOVE = 12;

export function createChoose({ question, measure, onDone, onChange }: ChooseParts): FilterList {
  const { title, rows, current } = question;
  const isFiltered = question.isFiltered === true;
  const all = rows.map((row) => rowOf(row, current));
  return createFilterList({
    name: "choose",
    place: rows.length > MOST_ABOVE ? "full" : "above",
    title,
    measure,
    isFiltered,
    placeholder: "type to find",
    hint: "Enter choose · Esc give up",
    none: () => "nothing like that",
    rowsFor: (text) =>
      text.trim() === ""
        ? fixedRows(all, current)
        : listOf(fuzzyRank(all, text, ({ label }) => label).map(({ item, matched }) => ({ ...item, matched }))),
    onChoose: ({ value }) => onDone(value),
    onClose: () => onDone(undefined),
    onChange,
  });
}

const rowOf = ({ value, label, detail }: ChoiceRow, current: string | undefined): ListRow => ({
  value,
  label,
  isCurrent: value === current,
  ...(detail !== undefined && { detail }),
});
