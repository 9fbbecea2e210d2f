/** Lends the terminal to another program, such as an editor or a pager, and takes it back whatever becomes of that. */
import { errorMessage } from "../../shared/index.ts";
import type { Outside } from "../ports.ts";
import { ansiLine } from "../view/ansi.ts";
import type { Theme } from "../view/theme.ts";
import type { Core } from "./core.ts";

export interface Lending {
  readonly edit: Outside["edit"];
  /** All of the transcript that is held in the user's pager; `isPlain` without colours, for the terminal's own selection. */
  page(options?: { readonly isPlain?: boolean }): void;
}

type LendingParts = Pick<Core, "screen" | "transcript" | "say"> & {
  readonly outside: Pick<Outside, "edit" | "page">;
  readonly theme: (isPlain: boolean) => Theme;
};

/** What a pager is given at most; of a longer transcript the newest part. */
const MAX_PAGED_UNITS = 32 * 1024 * 1024;
const NEWEST_PART = "(The newest part: the whole is too long for a pager; /export writes it to a file.)";

export function createLending({ screen, transcript, say, outside, theme }: LendingParts): Lending {
  async function lent<T>(use: () => Promise<T>): Promise<T> {
    await screen().suspend();
    try {
      return await use();
    } finally {
      await screen().resume();
    }
  }
  function written(isPlain: boolean): string {
    const chosen = theme(isPlain);
    const lines: string[] = [];
    for (const line of transcript.lines({ width: screen().size().width })) lines.push(ansiLine(line, chosen));
    const text = `${lines.join("\n")}\n`;
    if (text.length <= MAX_PAGED_UNITS) return text;
    return `${NEWEST_PART}\n${text.slice(text.indexOf("\n", text.length - MAX_PAGED_UNITS) + 1)}`;
  }
  return {
    edit: (text) => lent(() => outside.edit(text)),
    page({ isPlain = false } = {}) {
      lent(() => outside.page(written(isPlain))).catch((error: unknown) =>
        say(`The transcript cannot be shown: ${errorMessage(error)}`, "error"),
      );
    },
  };
}
