/** What may be done without asking, where, and what has to be proved. */
import type { Flag } from "./define.ts";

export const PERMISSION_FLAGS = [
  {
    names: ["--permission-mode"],
    key: "permissionMode",
    takes: "value",
    value: "MODE",
    oneOf: ["ask", "accept-edits", "plan", "bypass"],
    about: "ask (default), accept-edits, plan (read only), bypass",
  },
  {
    names: ["--yolo", "--dangerously-skip-permissions"],
    key: "yolo",
    takes: "switch",
    about: "ask for nothing; the hard floor and deny rules stay",
  },
  {
    names: ["--allow", "--allowedTools"],
    key: "allow",
    takes: "list",
    value: "RULE",
    about: "allow commands as in 'npm test *', or more as in 'file.write.project:src/*'; repeatable",
  },
  {
    names: ["--deny", "--disallowedTools"],
    key: "deny",
    takes: "list",
    value: "RULE",
    about: "deny likewise; a deny always wins",
  },
  {
    names: ["--tools"],
    key: "tools",
    takes: "value",
    value: "LIST",
    about: "the tools of a new session, as in read,grep,glob; all by default",
  },
  {
    names: ["--add-dir"],
    key: "addDir",
    takes: "list",
    value: "FOLDER",
    about: "count this folder as part of the project; repeatable",
  },
  {
    names: ["--require-verified"],
    key: "requireVerified",
    takes: "switch",
    about: "exit with 6 unless every check of the project is known to pass on the final state",
  },
] as const satisfies readonly Flag[];
