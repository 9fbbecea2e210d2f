/** A terminal that is written to and read by lines, and nothing else: what the interface in lines stands on. `cli` implements it. */
import type { ColorDepth, ThemeMode } from "../view/theme.ts";

export interface LineTerminal {
  /** Whole lines, or a prompt behind which the user types. Of control characters only line feeds and colours (SGR) are in it. */
  write(text: string): void;
  /** What is typed, from the beginning and once. Ends with the input. */
  readonly lines: AsyncIterable<TypedLine>;
  /** In cells, as it is now. */
  columns(): number;
  readonly look: { readonly depth: ColorDepth; readonly mode: ThemeMode };
  /** What is typed can be seen without being written; that is not so where it comes from a pipe. */
  readonly isEchoed: boolean;
  /** Calls `act` for each Ctrl+C. Returns the end of that. */
  onInterrupt(act: () => void): () => void;
  /** While `work` runs nothing of what is typed can be seen. Undefined where that cannot be had. */
  readonly unseen?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** Aborted when the program has to end; the reason is an Error for what went wrong. */
  readonly stop: AbortSignal;
}

export type TypedLine =
  | {
      /** Without its line feed. */
      readonly text: string;
      /** When its first byte came, in epoch milliseconds; on a terminal that is when it was entered. */
      readonly begunAt: number;
      readonly endedAt: number;
    }
  /** A line that cannot be used, in words. */
  | { readonly problem: string };
