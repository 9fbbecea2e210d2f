/** A key as the user gives it, checked as far as it can be without asking anybody, and kept. Says nothing of the text itself. */
import { credentialFile, storeCredential } from "../config/index.ts";
import { EXIT, UserError } from "../shared/index.ts";

/** A token of a subscription, which goes into another header than a key. */
const TOKEN = "sk-ant-oat";
const SHORTEST = 8;

/** Returns where it is kept, in a sentence. Throws UserError. */
export async function storeKey(home: string, typed: string): Promise<string> {
  const value = typed.trim();
  const problem = whyNoKey(value);
  if (problem !== undefined) throw wrong(problem);
  const kind = value.startsWith(TOKEN) ? "token" : "api-key";
  const stored = await storeCredential(home, { kind, value });
  if (!stored.ok) throw wrong(stored.error);
  return `The ${kind === "token" ? "token" : "key"} is kept in ${credentialFile(home)}, for you alone.`;
}

/** Also a wrong key may be somebody's. */
function whyNoKey(text: string): string | undefined {
  if (text === "") return "no key came: type it, or pipe it in as in khaelor login < FILE";
  if (/^(export\s+)?[A-Z_]+=/.test(text))
    return "this is the setting of a variable; give the key alone, without the name";
  if (/^["'{[]/.test(text)) return "this begins with a quote or a bracket; give the key alone";
  if (!/^[\x21-\x7e]+$/.test(text))
    return "this holds blanks or characters that no key has; was something else pasted with it?";
  return text.length < SHORTEST ? "this is too short to be a key" : undefined;
}

/** Which variables hold a key, and so come before what is kept. */
export const keyVariables = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"].filter((name) => env[name]?.trim());

const wrong = (message: string): UserError => new UserError(message, EXIT.usage);
