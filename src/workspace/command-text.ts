/**
 * How shell text reaches the shell: as an argument, or, when the system would not take so long an argument, as a private
 * file that is gone when the command has ended. A list of words needs no shell.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { byteLength, err, ok, type Result } from "../shared/index.ts";
import type { Command, ExecError } from "./types.ts";

/** Linux takes 128 KiB for one argument. */
const MAX_ARGUMENT_BYTES = 100 * 1024;
const MAX_COMMAND_BYTES = 4 * 1024 * 1024;

export interface CommandWords {
  readonly words: readonly [string, ...string[]];
  /** Called when the command has ended. */
  dispose(): Promise<void>;
}

export async function commandWords(command: Command["command"]): Promise<Result<CommandWords, ExecError>> {
  if (typeof command !== "string") return programWords(command);
  const shell = ["/bin/bash", "/bin/sh"].find((path) => existsSync(path));
  if (!shell) return err({ kind: "no-shell", message: "There is neither /bin/bash nor /bin/sh on this machine." });
  if (command.includes("\0"))
    return err({ kind: "io", message: "The command holds a NUL character, which no shell can take." });
  const bytes = byteLength(command);
  if (bytes <= MAX_ARGUMENT_BYTES) return ok({ words: [shell, "-c", command], dispose: async () => {} });
  if (bytes > MAX_COMMAND_BYTES) {
    return err({
      kind: "too-long",
      message: `The command has ${bytes} bytes; at most ${MAX_COMMAND_BYTES} can be run.`,
    });
  }
  const folder = await mkdtemp(`${tmpdir()}/khaelor-command-`);
  const file = `${folder}/command`;
  await writeFile(file, command, { mode: 0o600, flag: "wx" });
  return ok({ words: [shell, file], dispose: () => rm(folder, { recursive: true, force: true }) });
}

function programWords(words: CommandWords["words"]): Result<CommandWords, ExecError> {
  if (words.some((word) => word.includes("\0")))
    return err({ kind: "io", message: "An argument holds a NUL character, which no program can take." });
  return ok({ words, dispose: async () => {} });
}
