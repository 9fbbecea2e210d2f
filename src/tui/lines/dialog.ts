/** What a command asks of the user: a row of several, or a line of text. Nothing else is read meanwhile. */

import { safeRow } from "../layout/plain-text.ts";
import { noteLines } from "../layout/said.ts";
import type { Line } from "../line.ts";
import type { ChoiceRow, CommandUi, Question } from "../ports.ts";
import { fittedLine } from "../view/row.ts";
import type { Paper } from "./paper.ts";
import type { LineTerminal } from "./port.ts";
import type { Reader } from "./reader.ts";

export interface Dialog extends Pick<CommandUi, "choose" | "ask"> {
  /** What stands there to be answered; undefined while nothing is asked. */
  prompt(): string | undefined;
  /** Gives up what is asked. False: nothing is. */
  cancel(): boolean;
  /** A secret can be typed here. */
  readonly canHide: boolean;
}

export interface DialogParts {
  readonly paper: Paper;
  readonly reader: Reader;
  readonly terminal: Pick<LineTerminal, "unseen">;
  /** Puts the prompt there that is due. */
  readonly settle: () => void;
}

const MAX_ROWS = 40;
const CHOOSE = "Number or words of a row, empty for none: ";
const NOT_HERE = "Here it could be seen while it is typed. Outside of this session: khaelor login";

export function createDialog({ paper, reader, terminal: { unseen }, settle }: DialogParts): Dialog {
  let asked: { readonly prompt: string; readonly cancel: () => void } | undefined;
  async function read(prompt: string, isHidden = false): Promise<string | undefined> {
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
    asked = { prompt, cancel };
    settle();
    const line = await reader.nextUnless(cancelled);
    asked = undefined;
    if (!line) return undefined;
    if ("problem" in line) return void paper.words(line.problem, "warn");
    paper.typed(line.text, { isHidden });
    return line.text.trim();
  }
  return {
    prompt: () => asked?.prompt,
    canHide: unseen !== undefined,
    cancel() {
      asked?.cancel();
      return asked !== undefined;
    },
    async choose(question) {
      print(question, [...question.rows.keys()], paper);
      for (;;) {
        const typed = await read(CHOOSE);
        if (typed === undefined || typed === "") return undefined;
        const found = rowsFor(question.rows, typed);
        const [row, second] = found.flatMap((at) => question.rows[at] ?? []);
        if (row && !second) return row.value;
        if (row) print({ ...question, title: "These have the words:" }, found, paper);
        else paper.words("There is no such row.", "warn");
      }
    },
    async ask(label, { isSecret = false, initial = "" } = {}) {
      if (isSecret && !unseen) return void paper.words(NOT_HERE, "warn");
      const prompt = `${safeRow(label)}${initial === "" ? "" : ` (empty: ${safeRow(initial)})`}: `;
      const typed = isSecret && unseen ? await unseen(() => read(prompt, true)) : await read(prompt);
      return typed === "" ? (initial === "" ? undefined : initial) : typed;
    },
  };
}

function print({ title, rows, current }: Question, shown: readonly number[], paper: Paper): void {
  const { width, measure } = paper.context();
  const digits = String(rows.length).length;
  const lines: Line[] = [fittedLine([{ tone: "fg", bold: true, text: safeRow(title) }], width, measure)];
  for (const at of shown.slice(0, MAX_ROWS)) {
    const row = rows[at];
    if (row)
      lines.push(rowLine(row, { number: String(at + 1).padStart(digits), isCurrent: row.value === current, paper }));
  }
  const left = shown.length - MAX_ROWS;
  if (left > 0)
    lines.push(...noteLines({ text: `… ${left} more: type words of the row`, tone: "muted" }, paper.context()));
  paper.lines(lines);
}

interface Numbered {
  readonly number: string;
  readonly isCurrent: boolean;
  readonly paper: Paper;
}

function rowLine({ label, detail = "" }: ChoiceRow, { number, isCurrent, paper }: Numbered): Line {
  const { width, measure } = paper.context();
  const aside = [safeRow(detail), isCurrent ? "as it is now" : ""].filter((part) => part !== "").join(" · ");
  return fittedLine(
    [
      { tone: "muted", text: `   ${number}  ` },
      { tone: "fg", text: safeRow(label) },
      { tone: "muted", text: aside === "" ? "" : `  ${aside}` },
    ],
    width,
    measure,
  );
}

/** By its number, by its whole name, or by words of it. */
function rowsFor(rows: readonly ChoiceRow[], typed: string): readonly number[] {
  const number = /^\d+$/.test(typed) ? Number(typed) : 0;
  if (rows[number - 1]) return [number - 1];
  const words = typed.toLowerCase();
  const exact = rows.findIndex(({ label, value }) => [label, value].some((text) => text.toLowerCase() === words));
  if (exact >= 0) return [exact];
  return [...rows.keys()].filter((at) => `${rows[at]?.label} ${rows[at]?.detail ?? ""}`.toLowerCase().includes(words));
}
