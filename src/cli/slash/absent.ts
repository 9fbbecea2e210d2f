/** Commands that KHAELOR is to have and this version has not: said as such, with what does the same until then. */
import { VERSION } from "../version.ts";

const UNDO = "/diff shows the changes; git takes them back";
const DELETE = "khaelor sessions delete ID removes one for good";
const PLAN = "Shift+Tab goes to plan mode, in which nothing is changed";
const CHECK = "the project's checks run before a change is called done";

/** By name, what to do instead; empty when there is nothing like it. */
const LATER: Readonly<Record<string, string>> = {
  rewind: UNDO,
  undo: UNDO,
  redo: "",
  tree: "khaelor sessions list names forks and where they began",
  replay: "",
  sdiff: "",
  archive: DELETE,
  delete: DELETE,
  plan: PLAN,
  phase: PLAN,
  verify: CHECK,
  review: "ask for a review in plan mode, in which nothing is changed",
  commit: "ask for it, or commit yourself",
  why: "",
  btw: "",
  side: "",
  subtasks: "",
  agents: "",
  tasks: "",
  memory: "AGENTS.md is read at the start of each session",
  goal: "",
  loop: "",
  jobs: "",
  daemon: "",
  "add-dir": "--add-dir FOLDER counts a folder as part of the project",
  cd: "-C FOLDER begins a session elsewhere",
  worktree: "make one with git worktree add FOLDER, and work in it with -C FOLDER",
  mcp: "",
  skills: "",
  hooks: "",
  commands: "",
  recap: "",
  import: "",
  statusline: "",
};

/** Undefined for a name that no version is known to have. */
export function absentCommand(name: string): string | undefined {
  if (!Object.hasOwn(LATER, name)) return undefined;
  const instead = LATER[name];
  return `/${name} comes in a later version; this is ${VERSION}${instead ? `. Until then: ${instead}` : ""}`;
}
