/** `khaelor login` and `khaelor logout`: keep the user's key in a file of their own, or drop it. The key is never shown. */
import { existsSync } from "node:fs";
import { credentialFile, dropCredential } from "../../config/index.ts";
import { EXIT, type ExitCode, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { hiddenLine } from "../hidden-input.ts";
import type { Output } from "../output.ts";
import { placesOf } from "../settings.ts";
import { keyVariables, storeKey } from "../stored-key.ts";

export async function login(typed: Arguments, output: Output): Promise<ExitCode> {
  if (typed.operands.length > 0) {
    throw wrong(
      "a key does not belong on the command line, where others and the shell's history see it: pipe it in, or type it when asked",
    );
  }
  const { home } = placesOf(typed, process.env);
  const line = await hiddenLine("API key (it is not shown): ", output);
  if (line === undefined) {
    output.err("khaelor: nothing was changed\n");
    return EXIT.interrupted;
  }
  output.show(`${await storeKey(home, line)}\n`);
  sayEnvironment(output, "is set, and comes before what is kept");
  return EXIT.done;
}

export async function logout(typed: Arguments, output: Output): Promise<ExitCode> {
  const { home } = placesOf(typed, process.env);
  const file = credentialFile(home);
  const existed = existsSync(file);
  const dropped = await dropCredential(home);
  if (!dropped.ok) throw wrong(dropped.error);
  output.show(existed ? `The key is gone from ${file}.\n` : `There was no key in ${file}.\n`);
  sayEnvironment(output, "is still set, and still counts");
  return EXIT.done;
}

function sayEnvironment(output: Output, what: string): void {
  for (const name of keyVariables(process.env)) output.err(`khaelor: the variable ${name} ${what}\n`);
}

const wrong = (message: string): UserError => new UserError(message, EXIT.usage);
