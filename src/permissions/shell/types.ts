/** What reading a shell text yields: simple commands in canonical words, and what feeds them. Holds no policy. */

/** One field as the program would get it. */
export interface Word {
  /** Quotes removed, known values put in; what cannot be known stands as its source text. */
  readonly text: string;
  /** As `text`, with `*` where a harmless part (a number, a hash) is unknown. Paths are judged by this. */
  readonly shape: string;
  /** False: a part can be anything. */
  readonly known: boolean;
  /** `shape` has a live `*`, `?` or `[`: it stands for the paths that it matches. */
  readonly pattern: boolean;
  /** Unknown and unquoted: may turn into no word or into many. */
  readonly split: boolean;
  /** Unknown, but in one way that the text can go it is this. Only ever looked at for what is never allowed. */
  readonly maybe?: string;
  /** What a substitution in this word yields: the text of `$(…)`, or the file behind `<(…)`. */
  readonly flow?: Flow;
}

/** What is known of a stream of bytes. */
export type Flow =
  | { readonly kind: "text"; readonly text: string }
  /** Names of files below these folders, as words. */
  | { readonly kind: "paths"; readonly roots: readonly string[] }
  /** Unknown, but without slashes, blanks or leading dashes. */
  | { readonly kind: "plain" }
  /** A file that the command itself names. */
  | { readonly kind: "file" }
  /** `remote`: a network program is among its sources. */
  | { readonly kind: "unknown"; readonly remote: boolean };

export interface AssignedWord {
  readonly name: string;
  readonly value: Word;
}

export interface FileUse {
  readonly op: "read" | "write";
  readonly target: Word;
}

export interface SimpleCommand {
  /** Empty when there are only assignments or redirections. */
  readonly words: readonly Word[];
  /** Those in front of the command, in order. */
  readonly assignments: readonly AssignedWord[];
  readonly redirections: readonly FileUse[];
  /** Every folder it may run in; none: that cannot be told. */
  readonly cwds: readonly string[];
  readonly input: Flow;
  /** `wrapper`: only a way to run others, which stand in the list as well. `guess`: may run, and is looked at only for what is never allowed. */
  readonly role: "run" | "wrapper" | "guess";
  /** 0: it stands in the text itself; more: in a substitution, a nested text or behind a wrapper. */
  readonly depth: number;
  /** It was named by an option of another program (a pager, a compressor): being read-only does not excuse it. */
  readonly byOption: boolean;
  /** Why this command cannot be resolved, in words for a person. */
  readonly problems: readonly string[];
}

export interface ShellReading {
  readonly commands: readonly SimpleCommand[];
  /** Why the text cannot be judged as a whole: it does not parse, or is too large. */
  readonly errors: readonly string[];
  /** Things no command does by itself but the text as a whole does, like a fork bomb. */
  readonly catastrophes: readonly string[];
}

export interface ShellSurroundings {
  readonly cwd: string;
  readonly home: string;
  readonly projectRoot: string;
}
