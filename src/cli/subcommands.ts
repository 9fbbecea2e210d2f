/** Every subcommand as data, in the order of the help. `main.ts` says which file runs it. */
import { nearest } from "../shared/index.ts";
import { absentSubcommand } from "./absent.ts";

interface Described {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  /** What its first word may be, if that is one of a few. */
  readonly verbs?: readonly string[];
  /** It is a run, and takes the flags of one. */
  readonly isRun?: true;
}

export const SESSION_VERBS = ["list", "show", "rename", "export", "delete", "prune"] as const;

export const CONFIG_VERBS = ["list", "get", "set", "path"] as const;

export const PERMISSION_VERBS = ["list", "test", "suggest", "trust"] as const;

export const COMPLETION_SHELLS = ["bash", "zsh", "fish"] as const;

const TABLE = [
  {
    name: "demo",
    usage: "demo [--resume [ID]]",
    about: "fix a failing test with the embedded, scripted model; needs no key",
  },
  {
    name: "resume",
    usage: "resume [ID|WORDS]",
    about: "go on with a session, as --resume does; alone: the one that you choose, without a terminal the newest",
    isRun: true,
  },
  {
    name: "fork",
    usage: "fork [ID[@SEQ]]",
    about: "begin a new session with what another one holds, up to event SEQ if that is given, and print its id",
  },
  {
    name: "sessions",
    usage: "sessions [list|show|rename|export|delete|prune] [ID]",
    about:
      "the sessions of this project (--all: of all): list them, show one, give it a title, print it as Markdown or lines; delete removes one for good, prune what is old (--days N) and what nothing names any more",
    verbs: SESSION_VERBS,
  },
  {
    name: "log",
    usage: "log [ID|FILE.jsonl]",
    about:
      "the events of a session, a line each; --type chooses, --follow goes on while it is written, --json prints them as they stand",
  },
  {
    name: "fold",
    usage: "fold NAME [ID[@SEQ]]",
    about:
      "what a fold makes of a session (usage, changes, context; conversation, turn-state, …), at event SEQ if that is given",
  },
  {
    name: "search",
    usage: "search WORDS",
    about:
      "where words stand in the sessions of this project (--all: of all), newest first; exit code 1 when they stand nowhere",
  },
  {
    name: "stats",
    usage: "stats [--days N]",
    about: "what the sessions of this project (--all: of all) came to: turns, tokens, cache, cost, calls",
  },
  {
    name: "fsck",
    usage: "fsck ID|FILE.jsonl|--all",
    about: "check logs and rebuild every request; with --json for programs",
  },
  {
    name: "permissions",
    usage: "permissions [list|test 'COMMAND'|suggest|trust]",
    about:
      "the rules in force; what a command or path would be answered, and why, without running it; rules that would spare questions; let this project's own allow rules count",
    verbs: PERMISSION_VERBS,
  },
  {
    name: "models",
    usage: "models [--refresh]",
    about: "the models there are, what they hold and what they cost; with --json for programs",
  },
  {
    name: "completion",
    usage: "completion bash|zsh|fish",
    about: "a script for your shell that completes subcommands and flags",
    verbs: COMPLETION_SHELLS,
  },
  {
    name: "config",
    usage: "config [list|get KEY|set KEY VALUE|path]",
    about: "what is configured and where it was said (--json), a change to your own file, or the files that count",
    verbs: CONFIG_VERBS,
  },
  {
    name: "login",
    usage: "login",
    about: "keep your API key in a file for you alone; it is typed unseen, or piped in",
  },
  { name: "logout", usage: "logout", about: "drop the key that login kept" },
  { name: "help", usage: "help [SUBCOMMAND]", about: "this text, or all about one subcommand" },
] as const satisfies readonly Described[];

export type Subcommand = (typeof TABLE)[number]["name"];
export const SUBCOMMANDS: readonly (Described & { readonly name: Subcommand })[] = TABLE;

/** With the name that was probably meant. */
export function unknownSubcommand(word: string): string {
  const meant = nearest(
    word,
    SUBCOMMANDS.map(({ name }) => name),
  );
  return absentSubcommand(word) ?? `there is no subcommand ${word}${meant ? `; did you mean ${meant}?` : ""}`;
}
