/** Every subcommand as data, in the order of the help. `main.ts` says which file runs it. */

interface Described {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
}

const TABLE = [
  {
    name: "demo",
    usage: "demo [--resume [ID]]",
    about: "fix a failing test with the embedded, scripted model; needs no key",
  },
  {
    name: "sessions",
    usage: "sessions [list|show [ID]]",
    about: "list the sessions of this project (--all: of all), or show one; with --json for programs",
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
  },
  {
    name: "models",
    usage: "models [--refresh]",
    about: "the models there are, what they hold and what they cost; with --json for programs",
  },
  { name: "help", usage: "help", about: "this text" },
] as const satisfies readonly Described[];

export type Subcommand = (typeof TABLE)[number]["name"];
export const SUBCOMMANDS: readonly (Described & { readonly name: Subcommand })[] = TABLE;
