/**
 * What KHAELOR is to have and this version has not. It is said as such: a guess at a slip would send people looking for one that
 * they did not make.
 */
import { VERSION } from "./version.ts";

interface Absent {
  /** Completes "this version has no". */
  readonly what: string;
  readonly instead?: string;
}

const TREES: Absent = {
  what: "work trees",
  instead: "make one with git worktree add FOLDER, and work in it with -C FOLDER",
};

const FLAGS: Readonly<Record<string, Absent>> = {
  "-w": TREES,
  "--worktree": TREES,
  "--mcp-config": { what: "MCP servers" },
  "--phase": { what: "phases", instead: "--permission-mode plan only reads" },
};

const APPROVALS: Absent = {
  what: "approvals from outside",
  instead: "go on with -p --resume ID, and --allow RULE or --deny RULE",
};
const JOBS: Absent = { what: "jobs and no service", instead: "sessions list shows what ran" };
const REPLAY: Absent = { what: "replay", instead: "fork ID@SEQ begins anew at an event" };

const SUBCOMMANDS: Readonly<Record<string, Absent>> = {
  approve: APPROVALS,
  deny: APPROVALS,
  attach: { what: "sessions to attach to", instead: "go on with -p --resume ID, or look on with log --follow" },
  daemon: JOBS,
  jobs: JOBS,
  runs: JOBS,
  doctor: { what: "doctor", instead: "config list, config path and fsck --all look at the parts" },
  import: { what: "import" },
  man: { what: "manual page", instead: "khaelor help SUBCOMMAND" },
  mcp: { what: "MCP servers" },
  memory: { what: "memory", instead: "AGENTS.md is read at the start" },
  replay: REPLAY,
  sdiff: REPLAY,
  skills: { what: "skills" },
  update: { what: "update of its own", instead: "put the new executable in place of the old one" },
  uninstall: { what: "uninstall", instead: "remove the executable, and the folder that config path names" },
};

/** What to say of a flag that a later version has; undefined for any other word. */
export const absentFlag = (word: string): string | undefined => saidOf(FLAGS, word);
/** Likewise of a subcommand. */
export const absentSubcommand = (word: string): string | undefined => saidOf(SUBCOMMANDS, word);

function saidOf(all: Readonly<Record<string, Absent>>, word: string): string | undefined {
  const found = Object.hasOwn(all, word) ? all[word] : undefined;
  if (!found) return undefined;
  const { what, instead } = found;
  return `${word}: this version (${VERSION}) has no ${what} yet${instead ? `; ${instead}` : ""}`;
}
