/** What one simple command does, as far as its words tell: reads, writes, removes, reaches. Filled by the program tables. */
import type { SimpleCommand, Word } from "../shell/types.ts";

/** `read`: only reads. `git`: changes a repository. `network`: reaches hosts and nothing else. `run`: everything else. */
export type Kind = "read" | "git" | "network" | "run";

export interface Removal {
  readonly target: Word;
  /** The whole tree below the target is meant. */
  readonly recursive: boolean;
  /** Nothing filters what goes: the whole tree is lost. */
  readonly whole?: boolean;
}

export interface Link {
  readonly at: Word;
  readonly target: Word;
}

export interface Facts {
  kind: Kind;
  /** A command of the built-in read-only set. */
  readOnly: boolean;
  /** Files and folders it reads or names. */
  readonly reads: Word[];
  readonly writes: Word[];
  /** Written only if another of its words is a folder. */
  readonly mayWrite: Word[];
  /** Links that it makes: later paths of the same text may go through them. */
  readonly links: Link[];
  /** Deletes, moves away, or changes the mode or owner of. */
  readonly removals: Removal[];
  /** Hosts or addresses, as written. */
  readonly hosts: Word[];
  /** Why it cannot be resolved. */
  readonly problems: string[];
  /** Why a person must see it even if a rule with a star covers it. */
  readonly guarded: string[];
  /** Why it asks when nothing else speaks about it; absent: for want of a rule. */
  readonly because?: string;
  /** Why it is never done. */
  readonly floor: string[];
  /** All that it changes are the files listed; a mode that allows edits may allow it. */
  editsOnly: boolean;
}

export interface Call {
  /** The program's name without folders. */
  readonly name: string;
  readonly words: readonly Word[];
  readonly command: SimpleCommand;
}

/** Adds what a program does with these words. */
export type Describe = (call: Call, facts: Facts) => void;

export const emptyFacts = (): Facts => ({
  kind: "run",
  readOnly: false,
  reads: [],
  writes: [],
  mayWrite: [],
  links: [],
  removals: [],
  hosts: [],
  problems: [],
  guarded: [],
  floor: [],
  editsOnly: false,
});
