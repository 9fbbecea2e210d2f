/** The draft in the user's own editor. */
import { errorMessage } from "../../shared/index.ts";
import type { PlacedChip } from "../screen/port.ts";
import type { ComposerParts } from "./composer-parts.ts";
import { expanded } from "./said.ts";

/** One at a time; the draft is replaced only by what was saved. */
export function outsideEditing({ editor, edit, say }: ComposerParts): () => boolean {
  let isOpen = false;
  return () => {
    if (isOpen) return true;
    isOpen = true;
    const [text, chips] = [editor().text(), editor().chips()];
    const named = chips.filter(({ kind }) => kind !== "paste");
    edit(expanded(text, chips))
      .then((result) => {
        if ("problem" in result) say(result.problem, "warn");
        else editor().setText(result.text, replaced(result.text, named));
      })
      .catch((error: unknown) => say(`The editor could not be used (${errorMessage(error)}).`, "error"))
      .finally(() => {
        isOpen = false;
      });
    return true;
  };
}

/** Chips whose labels still stand in the text, in their order. */
function replaced(text: string, chips: readonly PlacedChip[]): readonly PlacedChip[] {
  let from = 0;
  return chips.flatMap((chip) => {
    const start = text.indexOf(chip.label, from);
    if (start === -1) return [];
    from = start + chip.label.length;
    return [{ ...chip, start, end: from }];
  });
}
