/**
 * Text that is typed into a running process. What it does there depends on the process, so a person is asked; but if it were
 * a shell's, nothing of it may be what is never allowed, or what a rule denies.
 */
import type { Access } from "../shared/index.ts";
import { commandClaims } from "./capabilities.ts";
import { type Claim, claim } from "./claims.ts";
import type { Ground } from "./paths.ts";

export type InputAccess = Extract<Access, { kind: "input" }>;

export function inputClaims({ text, cwd }: InputAccess, ground: Ground): readonly Claim[] {
  const shown = text.trim();
  const typed = claim({
    capability: "process.execute",
    text: shown,
    subjects: [], // a rule that allows a command says nothing of what a process makes of its name
    wide: { texts: [shown], program: "", flags: [], plain: [] },
    why: "it is typed into a running process",
  });
  return [typed, ...asCommands(text).flatMap((command) => guesses(command, cwd, ground))];
}

/** Also line by line: one that no shell understands must not hide the next. */
const asCommands = (text: string): readonly string[] => [
  ...new Set([text, ...text.split(/[\r\n]/)].filter((line) => line.trim() !== "")),
];

const guesses = (command: string, cwd: string, ground: Ground): readonly Claim[] =>
  commandClaims({ kind: "command", command, cwd }, ground).map((made) => ({ ...made, role: "guess" }));
