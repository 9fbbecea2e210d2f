/** The workspace on this machine. Everything it starts ends with `close`, or with the process, however that ends. */
import { realpathSync, statSync } from "node:fs";
import { EXIT, errorCode, UserError, withCause } from "../shared/index.ts";
import { childEnvironment, type Environment } from "./environment.ts";
import { execCommand } from "./exec.ts";
import { readRegularFile, replaceRegularFile } from "./files.ts";
import { createGroups } from "./groups.ts";
import { masked } from "./masking.ts";
import { absolutePath } from "./paths.ts";
import { createProcessHost } from "./process-host.ts";
import type { ProcessHost } from "./process-types.ts";
import type { Workspace } from "./types.ts";
import { createWatchdog } from "./watchdog.ts";

const DEFAULT_READ_BYTES = 16 * 1024 * 1024;

export interface LocalWorkspaceOptions {
  readonly cwd: string;
  /** The user's environment. Commands see it without the agent's keys and switches. */
  readonly env: Environment;
  /** Variables that commands see although they would be withheld. */
  readonly passEnv?: readonly string[];
  /** The keys in use: no output of a command or process shows them. */
  readonly secrets?: readonly string[];
  /** An open file, if there is one yet, that stays open until the last command has ended, also when we are killed. */
  readonly heldWhileCommandsRun?: () => number | undefined;
  /** Whether a watchdog process ends our commands when we are killed. Default true. */
  readonly watchdog?: boolean;
}

export interface LocalWorkspace extends Workspace, ProcessHost {
  /** Ends the processes and the background children that commands have left, and the watchdog. Idempotent; called at shutdown. */
  close(): Promise<void>;
}

/** Throws UserError when there is no such working directory. */
export function createLocalWorkspace(options: LocalWorkspaceOptions): LocalWorkspace {
  const cwd = realFolder(options.cwd);
  const groups = createGroups(options.watchdog === false ? undefined : createWatchdog(options.heldWhileCommandsRun));
  const { env, passEnv, secrets = [] } = options;
  const host = { cwd, env: childEnvironment(env, passEnv), groups, secrets };
  const processes = createProcessHost(host);
  return {
    cwd: () => cwd,
    readFile: (path, read) => readRegularFile(absolutePath(path, cwd), read?.maxBytes ?? DEFAULT_READ_BYTES),
    writeFile: (path, content, write = {}) =>
      replaceRegularFile(absolutePath(path, cwd), write.masked ? masked(content, secrets) : content, write),
    exec: (command) => execCommand(command, host),
    spawn: processes.spawn,
    async close() {
      await processes.close();
      await groups.close();
    },
  };
}

function realFolder(path: string): string {
  const refusal = `The working directory ${path} does not exist, is no directory or cannot be entered: make it again, or begin in another one.`;
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw withCause(new UserError(refusal, EXIT.usage), error);
  }
  throw new UserError(refusal, EXIT.usage);
}
