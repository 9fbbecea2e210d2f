/** Which of a project's checks this machine can start. One whose program is not installed proves nothing, neither way. */
import type { Workspace } from "../workspace/index.ts";
import { quoted } from "./git.ts";

const TIME_LIMIT_MS = 5000;
const MAX_OUTPUT_BYTES = 4096;

/** Many systems have only `python3`. */
const STANDS_IN: Readonly<Record<string, string>> = { python: "python3" };

/** Those of `checks`, as `detectChecks` found them for `root`, whose program is there. All of them when nobody can tell. */
export async function runnableChecks(
  workspace: Workspace,
  root: string,
  checks: readonly string[],
): Promise<readonly string[]> {
  if (checks.length === 0) return [];
  const programs = new Set(checks.map(programOf).flatMap((program) => [program, STANDS_IN[program] ?? program]));
  const names = [...programs].map(quoted).join(" ");
  const looked = await workspace.exec({
    command: `for program in ${names}; do command -v "$program" >/dev/null 2>&1 && printf '%s\\n' "$program"; done; :`,
    cwd: root,
    timeoutMs: TIME_LIMIT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    exact: true,
  });
  if (!looked.ok || looked.value.exitCode !== 0) return checks;
  const there = new Set(new TextDecoder().decode(looked.value.head).split("\n"));
  return checks.flatMap((check) => {
    const program = programOf(check);
    const found = [program, STANDS_IN[program] ?? program].find((name) => there.has(name));
    return found === undefined ? [] : [found + check.slice(program.length)];
  });
}

const programOf = (check: string): string => check.split(" ", 1)[0] ?? "";
