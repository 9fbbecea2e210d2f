/** What a slash command may ask of the interface, in lines: what a screen shows over itself is printed, within a bound. */
import { createNotes } from "../app/notes.ts";
import { layoutMarkdown } from "../layout/markdown.ts";
import { counted, hint } from "../layout/output.ts";
import { safeRow } from "../layout/plain-text.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import type { ViewModel } from "../model/view-model.ts";
import type { CommandUi } from "../ports.ts";
import { oneLine } from "../spelling.ts";
import { fittedLine } from "../view/row.ts";
import type { Dialog } from "./dialog.ts";
import { diffLines } from "./diff.ts";
import type { Paper } from "./paper.ts";

export interface LineUiParts extends Pick<CommandUi, "switchTo" | "act" | "submit"> {
  readonly paper: Paper;
  readonly dialog: Dialog;
  readonly model: () => Pick<ViewModel, "addNote">;
  /** Something new is to be printed. */
  readonly onChange: () => void;
}

/** More at once is not read by anybody. */
const MAX_LINES = 400;

export function createLineUi({ paper, dialog, model, onChange, ...rest }: LineUiParts): CommandUi {
  function print(title: string, lines: readonly Line[], more: string): void {
    const context = paper.context();
    const head = fittedLine([{ tone: "fg", bold: true, text: oneLine(title) }], context.width, context.measure);
    const left = lines.length - MAX_LINES;
    const rest = left > 0 ? [hint(`… ${counted(left)} more; ${more}`, context)] : [];
    paper.lines([EMPTY_LINE, head, ...lines.slice(0, MAX_LINES), ...rest]);
    onChange();
  }
  return {
    ...createNotes({ model, onChange }),
    choose: dialog.choose,
    ask: dialog.ask,
    show(title, markdown) {
      const { width, measure } = paper.context();
      print(
        safeRow(title),
        layoutMarkdown(markdown, { width, measure, prefix: [] }),
        "/export writes a session to a file",
      );
    },
    showDiff: (title, files) =>
      print(title, diffLines(files, paper.context()), "/diff PATH shows one file, /diff --stat the numbers"),
    ...rest,
  };
}
