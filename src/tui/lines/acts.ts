/** What a command may ask that concerns the interface itself: done where lines can do it, and else refused in words. */
import { unreachable } from "../../shared/index.ts";
import { counted, hint } from "../layout/output.ts";
import { EMPTY_LINE, type Line, textOf } from "../line.ts";
import type { ViewState } from "../model/view-model.ts";
import type { CommandUi, SlashCommand, UiAction } from "../ports.ts";
import { patternOf } from "../view/transcript/search-pattern.ts";
import { helpText, keysText } from "./help.ts";
import type { Paper } from "./paper.ts";
import type { LineTerminal } from "./port.ts";
import type { Printer } from "./printer.ts";

export interface LineActParts {
  readonly paper: Paper;
  readonly printer: Printer;
  readonly terminal: Pick<LineTerminal, "look">;
  readonly state: () => ViewState;
  readonly commands: readonly SlashCommand[];
  readonly note: CommandUi["note"];
  readonly quit: () => void;
}

const NO_SCREEN: Readonly<Partial<Record<UiAction["kind"], string>>> = {
  mouse: "There is no screen, so the mouse is the terminal's own.",
  vim: "There is no draft to edit here: a line is entered as your terminal lets you type it.",
  redraw: "There is no screen to paint anew; /raw prints the session again.",
  editor: "There is no draft to edit here: a \\ at the end of a line goes on in the next.",
  copy: "Nothing is copied without a screen: select it in your terminal, or /export writes a file.",
};

export function createLineActs(parts: LineActParts): (action: UiAction) => void {
  const { paper, printer, terminal, note } = parts;
  return (action) => {
    switch (action.kind) {
      case "theme":
        if (action.theme !== "auto") paper.setMode(action.theme);
        else paper.setMode(terminal.look.mode);
        return paper.words(terminal.look.depth === "none" ? "There are no colours here." : `Theme: ${action.theme}`);
      case "mouse":
      case "vim":
      case "redraw":
      case "editor":
      case "copy":
        return paper.words(NO_SCREEN[action.kind] ?? "", "warn");
      case "details":
        return paper.words(
          printer.toggle("details") ? "Calls are printed with all they say." : "Calls are printed short.",
        );
      case "thinking":
        return paper.words(printer.toggle("thinking") ? "Thinking is printed." : "Thinking is not printed.");
      case "raw":
      case "transcript":
        return printAll(parts);
      case "search":
        return search(action.text, parts);
      case "help":
        return note(helpText(parts.commands));
      case "keys":
        return note(keysText());
      case "draft":
        return paper.words(`To be typed: ${action.text}`);
      case "quit":
        return parts.quit();
      default:
        return unreachable(action);
    }
  };
}

const MAX_LINES = 2000;
const MAX_FOUND = 50;

/** The newest, when there is more than anybody reads. */
function printAll({ paper, printer, state }: LineActParts): void {
  const lines = [...printer.everything(state())];
  const left = lines.length - MAX_LINES;
  const least = state().moved > 0 ? "more than " : "";
  const before =
    left > 0 ? [hint(`… ${least}${counted(left)} before; /export writes all to a file`, paper.context())] : [];
  paper.lines([EMPTY_LINE, ...before, ...lines.slice(-MAX_LINES)]);
}

function search(text: string, { paper, printer, state }: LineActParts): void {
  const pattern = patternOf(text);
  const found: Line[] = [];
  let count = 0;
  for (const line of printer.everything(state())) {
    if (!pattern?.count(textOf(line))) continue;
    count += 1;
    if (found.length < MAX_FOUND) found.push(line);
  }
  const session =
    state().moved > 0 ? "the newest part of this session, which is all that is held here" : "this session";
  paper.words(
    count === 0 ? `"${text}" stands nowhere in ${session}.` : `"${text}" stands in ${counted(count)} of ${session}:`,
  );
  paper.lines(found);
  if (count > MAX_FOUND) paper.words(`Not printed: ${counted(count - MAX_FOUND)} more.`);
}
