/**
 * Ends the commands that are left when this process dies, even by SIGKILL: one small shell in its own session reads which
 * process groups are alive from a pipe, and at the pipe's end stops those. It leaves with the last of them.
 */
import { closeSync, writeSync } from "node:fs";
import { errorCode } from "../shared/index.ts";
import { makePipe } from "./pipe.ts";

export interface Watchdog {
  /** Starts the shell, if it does not run yet. Throws the system's error. */
  start(): void;
  /** From now on this group does not outlive us. Called after `start`. */
  watch(group: number): void;
  unwatch(group: number): void;
  /** Resolves when the shell has gone. Groups that are still watched are stopped by it. */
  close(): Promise<void>;
}

const SCRIPT = `trap '' HUP INT QUIT TERM
groups=' '
while read -r line; do
  case $line in
    +*) groups="$groups\${line#+} " ;;
    -*)
      gone=\${line#-}
      case $groups in *" $gone "*) groups="\${groups%% $gone *} \${groups#* $gone }" ;; esac ;;
  esac
done
set -- $groups
[ $# -eq 0 ] && exit 0
for group; do kill -TERM "-$group" 2>/dev/null; done
for pause in 1 2 3 4 5; do
  left=
  for group; do kill -0 "-$group" 2>/dev/null && left=1; done
  [ -z "$left" ] && exit 0
  sleep 0.05 || sleep 1
done
for group; do kill -KILL "-$group" 2>/dev/null; done`;

interface Shell {
  readonly pipe: number;
  /** The open file that it was given to hold. */
  readonly held: number | undefined;
  readonly exited: Promise<unknown>;
}

/**
 * `held`: an open file that the shell inherits and so keeps open until the last of the commands has ended, whoever else closes
 * it. Asked at each start of a command, for there may be one only later; then another shell takes over.
 */
export function createWatchdog(held: () => number | undefined = () => undefined): Watchdog {
  const groups = new Set<number>();
  let shell: Shell | undefined;

  /** A shell that somebody has ended is replaced, and told of every group that is still watched. */
  function tell(line: string): void {
    try {
      if (shell) writeSync(shell.pipe, line);
    } catch (error) {
      if (errorCode(error) !== "EPIPE" || !shell) throw error;
      replace(shell);
    }
  }

  /** The new one watches before the old one forgets. */
  function replace(old: Shell): void {
    const next = startShell(held());
    shell = next;
    for (const group of groups) writeSync(next.pipe, `+${group}\n`);
    try {
      for (const group of groups) writeSync(old.pipe, `-${group}\n`);
    } catch (error) {
      if (errorCode(error) !== "EPIPE") throw error; // it has gone already
    } finally {
      closeSync(old.pipe);
    }
  }

  return {
    start() {
      if (!shell) shell = startShell(held());
      else if (shell.held !== held()) replace(shell);
    },
    watch(group) {
      groups.add(group); // first: a shell that takes over is told of it too
      tell(`+${group}\n`);
    },
    unwatch(group) {
      if (groups.delete(group)) tell(`-${group}\n`);
    },
    async close() {
      const leaving = shell;
      shell = undefined;
      if (!leaving) return;
      closeSync(leaving.pipe);
      await leaving.exited;
    },
  };
}

/** In `/`, so that it holds no mount, and without the user's environment, of which it needs nothing. */
function startShell(held: number | undefined): Shell {
  const { read, write } = makePipe();
  try {
    const shell = Bun.spawn(["/bin/sh", "-c", SCRIPT], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      stdio: [read, "ignore", "ignore", ...(held === undefined ? [] : [held])],
      detached: true,
    });
    shell.unref();
    return { pipe: write, held, exited: shell.exited };
  } catch (error) {
    closeSync(write);
    throw error;
  } finally {
    closeSync(read);
  }
}
