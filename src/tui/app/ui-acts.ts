/** What a slash command may ask that concerns the interface itself. */
import { unreachable } from "../../shared/index.ts";
import { textOf } from "../line.ts";
import type { UiAction } from "../ports.ts";
import type { Copying } from "./copying.ts";
import type { Core } from "./core.ts";
import type { Lending } from "./lending.ts";
import type { Toggles } from "./toggles.ts";
import type { Views } from "./views.ts";

export interface UiActParts {
  readonly core: Pick<Core, "screen" | "transcript" | "say">;
  readonly views: Views;
  readonly copying: Copying;
  readonly toggles: Toggles;
  readonly lending: Lending;
  readonly openEditor: () => void;
  readonly draft: (text: string) => void;
  readonly quit: () => void;
}

export function createUiActs(parts: UiActParts): (action: UiAction) => void {
  const { core, views, copying, toggles, lending } = parts;
  return (action) => {
    switch (action.kind) {
      case "theme":
        return toggles.theme(action.theme);
      case "mouse":
      case "vim":
      case "details":
      case "thinking":
        return toggles.toggle(action.kind);
      case "raw":
        return lending.page({ isPlain: true });
      case "transcript":
        return lending.page();
      case "redraw":
        return core.screen().redraw();
      case "editor":
        return parts.openEditor();
      case "help":
        return views.help();
      case "keys":
        return views.help({ first: "keys" });
      case "search":
        return views.search(action.text);
      case "copy":
        return copyWhat(action.what, core, copying);
      case "draft":
        return parts.draft(action.text);
      case "quit":
        return parts.quit();
      default:
        return unreachable(action);
    }
  };
}

/** Empty: the last answer. A number: the answer that many before, from 1. */
function copyWhat(what: string, { transcript, say }: UiActParts["core"], { copy }: Copying): void {
  const word = what.trim();
  if (word === "" || word === "last") copy(transcript.copies.lastAnswer(), "Answer");
  else if (word === "code") copy(transcript.copies.codeBlock(), "Code block");
  else if (word === "all") copy(wholeText(transcript), transcript.isPart() ? "The part that is shown" : "Transcript");
  else if (/^[1-9]\d*$/.test(word)) {
    const found = transcript.copies.answer(Number(word));
    if (found === undefined && transcript.copies.lastAnswer() !== undefined)
      say(`There are fewer than ${word} answers${transcript.isPart() ? " in the part that is shown" : ""}.`, "warn");
    else copy(found, "Answer");
  } else say(`/copy takes nothing, a number, code or all, not "${word}".`, "warn");
}

/** Wide enough that nothing is wrapped. */
const UNWRAPPED = 10_000;

function wholeText(transcript: Core["transcript"]): string {
  return Array.from(transcript.lines({ width: UNWRAPPED, isOpen: true }), textOf).join("\n");
}
