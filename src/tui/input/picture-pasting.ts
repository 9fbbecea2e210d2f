/** The picture in the clipboard, as a chip of the draft. A terminal pastes text alone, so a program has to be asked for it. */
import { errorMessage } from "../../shared/index.ts";
import type { ComposerParts } from "./composer-parts.ts";
import { imageChip } from "./pastes.ts";

/** One at a time; the draft can be typed on meanwhile, and the chip comes where the cursor is then. */
export function picturePasting({
  editor,
  picture,
  say,
}: Pick<ComposerParts, "editor" | "picture" | "say">): () => boolean {
  let isAsked = false;
  return () => {
    if (!picture) return false;
    if (isAsked) return true;
    isAsked = true;
    picture()
      .then((pasted) => {
        if ("problem" in pasted) say(pasted.problem, "warn");
        else editor().insertChip(imageChip(pasted.path));
      })
      .catch((error: unknown) => say(`The clipboard could not be read (${errorMessage(error)}).`, "error"))
      .finally(() => {
        isAsked = false;
      });
    return true;
  };
}
