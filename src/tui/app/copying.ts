/** Copies by every way there is; what a terminal does with it nobody can know, so nothing is claimed. */
import { byteLength, errorMessage } from "../../shared/index.ts";
import type { Outside } from "../ports.ts";
import type { Core } from "./core.ts";

export interface Copying {
  copy(text: string | undefined, what: string): void;
  /** What is selected in the draft, else in the transcript. False: nothing is. */
  selection(): boolean;
}

/** Of the session's newest part, which is all that is held. */
const IN_PART = " in the part that is shown";

type CopyingParts = Pick<Core, "screen" | "transcript" | "say"> & { readonly outside: Pick<Outside, "copy"> };

export function createCopying({ screen, transcript, say, outside }: CopyingParts): Copying {
  async function send(text: string, what: string): Promise<void> {
    const isSent = screen().copy(text);
    const isHanded = await outside.copy(text);
    const size = byteLength(text);
    const amount = size < 1024 ? `${text.length} characters` : `${Math.round(size / 1024)} KB`;
    if (isSent || isHanded) say(`${what} sent to the clipboard (${amount}).`, "ok");
    else say(`${what}: no way to the clipboard takes ${amount}; /export writes a file.`, "warn");
  }
  const copy: Copying["copy"] = (text, what) => {
    if (text === undefined || text === "")
      say(`There is no ${what.toLowerCase()} to copy${transcript.isPart() ? IN_PART : ""}.`, "warn");
    else
      send(text, what).catch((error: unknown) => say(`${what} could not be copied: ${errorMessage(error)}`, "error"));
  };
  return {
    copy,
    selection() {
      const selected = screen().editor.selectedText() || transcript.selection.text();
      if (selected === "") return false;
      copy(selected, "Selection");
      transcript.selection.clear();
      return true;
    },
  };
}
