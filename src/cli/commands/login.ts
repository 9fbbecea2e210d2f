/** `khaelor login` and `khaelor logout`: keep the user's key in a file of their own, or drop it. The key is never shown. */
import { existsSync } from "node:fs";
import { credentialFile, dropCredential, storeCredential } from "../../config/index.ts";
import { EXIT, type ExitCode, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { hiddenLine } from "../hidden-input.ts";
import type { Output } from "../output.ts";
import { placesOf } from "../settings.ts";

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
  const value = line.trim();
  const problem = whyNoKey(value);
  if (problem !== undefined) throw wrong(problem);
  const kind = value.startsWith(TOKEN) ? "token" : "api-key";
  const stored = await storeCredential(home, { kind, value });
  if (!stored.ok) throw wrong(stored.error);
  output.show(`The ${kind === "token" ? "token" : "key"} is kept in ${credentialFile(home)}, for you alone.\n`);
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

/** A token of a subscription, which goes into another header than a key. */
const TOKEN = "sk-ant-oat";

const SHORTEST = 8;

/** Says nothing of the text itself: also a wrong key may be somebody's. */
function whyNoKey(text: string): string | undefined {
  if (text === "") return "no key came: type it, or pipe it in as in khaelor login < FILE";
  if (/^(export\s+)?[A-Z_]+=/.test(text))
    return "this is the setting of a variable; give the key alone, without the name";
  if (/^["'{[]/.test(text)) return "this begins with a quote or a bracket; give the key alone";
  if (!/^[\x21-\x7e]+$/.test(text))
    return "this holds blanks or characters that no key has; was something else pasted with it?";
  return text.length < SHORTEST ? "this is too short to be a key" : undefined;
}

function sayEnvironment(output: Output, what: string): void {
  const set = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"].filter((name) => process.env[name]?.trim());
  for (const name of set) output.err(`khaelor: the variable ${name} ${what}\n`);
}

const wrong = (message: string): UserError => new UserError(message, EXIT.usage);
