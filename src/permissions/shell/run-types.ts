/** What a command runs besides itself: the words that the wrapper tables share. */
import type { AssignedWord, Word } from "./types.ts";

export type Inner = (
  | {
      readonly kind: "words";
      readonly words: readonly Word[];
      readonly assignments?: readonly AssignedWord[];
      /** The folder that the wrapper moves to. */
      readonly cwd?: Word;
    }
  | {
      readonly kind: "script";
      readonly text: Word;
      readonly positional: readonly Word[];
      readonly scope: "same" | "child";
    }
  /** The commands come from standard input. */
  | { readonly kind: "input"; readonly scope: "same" | "child" }
) & {
  /** An option of the program names it. */
  readonly byOption?: boolean;
  /** It may be run, as far as can be told; the program that runs it is judged itself. */
  readonly guess?: boolean;
};

export interface Runs {
  readonly inners: readonly Inner[];
  /** The command itself does nothing more than run these. */
  readonly transparent: boolean;
  readonly problem?: string;
}
