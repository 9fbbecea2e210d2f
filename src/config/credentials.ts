/**
 * The key to the model: from the environment, else from the user's credential file. Never from a project, never in a message:
 * what goes wrong is said without the value.
 */
import { join } from "node:path";
import { err, misfit, ok, type Result } from "../shared/index.ts";
import { readRegularFile, removeFile, replacePrivateFile } from "./loader.ts";
import { parseJson } from "./parse.ts";

export interface Credential {
  readonly kind: "api-key" | "token";
  readonly value: string;
  /** A variable's name or a path, for people. */
  readonly source: string;
}

const VARIABLES = [
  ["ANTHROPIC_API_KEY", "api-key"],
  ["ANTHROPIC_AUTH_TOKEN", "token"],
] as const;

export const credentialFile = (home: string): string => join(home, "credentials.json");

/** Undefined when there is none anywhere. The error says what to do. */
export async function readCredential(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<Credential | undefined, string>> {
  for (const [name, kind] of VARIABLES) {
    const value = env[name]?.trim();
    if (value) return checked({ kind, value, source: name });
  }
  return readStored(credentialFile(home));
}

const FORMAT = { "apiKey?": "string >= 1", "authToken?": "string >= 1", "+": "reject" } as const;
const MAX_BYTES = 64 * 1024;

async function readStored(path: string): Promise<Result<Credential | undefined, string>> {
  const file = await readRegularFile(path, MAX_BYTES);
  if (!file.ok) return file;
  if (file.value === undefined) return ok(undefined);
  const { text, mode, uid } = file.value;
  if ((mode & 0o077) !== 0) {
    const shown = mode.toString(8).padStart(4, "0");
    return err(`${path} can be read by others (mode ${shown}) and is not used. Run: chmod 600 ${path}`);
  }
  if (!TRUSTED_OWNERS.has(uid)) return err(`${path} belongs to another user and is not used.`);
  const parsed = parseJson(text);
  const value = parsed.ok ? parsed.value.value : undefined;
  if (!parsed.ok || parsed.value.duplicates.length > 0 || misfit(FORMAT, value)) {
    return err(`${path} must hold {"apiKey": "…"} or {"authToken": "…"} and nothing else.`);
  }
  const { apiKey, authToken } = value as { readonly apiKey?: string; readonly authToken?: string }; // as: just checked
  if (apiKey !== undefined) return checked({ kind: "api-key", value: apiKey.trim(), source: path });
  return authToken === undefined ? ok(undefined) : checked({ kind: "token", value: authToken.trim(), source: path });
}

const TRUSTED_OWNERS: ReadonlySet<number> = new Set([0, process.getuid?.() ?? 0]);

/** A key goes into a header: a break or a blank in it is a slip when it was pasted. */
function checked(credential: Credential): Result<Credential, string> {
  if (/^[\x21-\x7e]+$/.test(credential.value)) return ok(credential);
  const what = credential.kind === "api-key" ? "key" : "token";
  return err(`The ${what} in ${credential.source} holds blanks or characters that no ${what} has. Set it again.`);
}

/** Stores it with mode 0600 in place of what was there. */
export const storeCredential = (
  home: string,
  { kind, value }: Pick<Credential, "kind" | "value">,
): Promise<Result<undefined, string>> =>
  replacePrivateFile(
    credentialFile(home),
    `${JSON.stringify(kind === "api-key" ? { apiKey: value } : { authToken: value })}\n`,
  );

/** Forgets the stored one; what the environment says stays. */
export const dropCredential = (home: string): Promise<Result<undefined, string>> => removeFile(credentialFile(home));
