/**
 * Keeps the keys in use out of the log, wherever they come from: a command that printed them, a file that was read, a prompt.
 * The conversation is made of the log, so they do not go to the model either. What merely resembles a key stays.
 */

/** A shorter value is no secret, and hiding it would eat the words around it. */
const MIN_SECRET_LENGTH = 16;
const HIDDEN = "[redacted]";

/** The value itself where it holds none of the secrets. Keys of objects are foreign text, too. */
export function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  const hidden = secrets.filter(isSecret);
  return names(value, hidden) ? cleaned(value, hidden) : value;
}

const isSecret = ({ length }: string): boolean => length >= MIN_SECRET_LENGTH;

/** Of bytes that must stay as they are or not be kept at all. */
export function holdsSecret(content: Uint8Array, secrets: readonly string[]): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return secrets.some((secret) => isSecret(secret) && bytes.includes(secret));
}

/** Whether there is any of them in it. There almost never is, so that nothing has to be made anew. */
function names(value: unknown, secrets: readonly string[]): boolean {
  if (typeof value === "string") return secrets.some((secret) => value.includes(secret));
  if (Array.isArray(value)) return value.some((item) => names(item, secrets));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => names(key, secrets) || names(inner, secrets));
}

function cleaned(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return secrets.reduce((text, secret) => text.replaceAll(secret, HIDDEN), value);
  if (Array.isArray(value)) return value.map((item) => cleaned(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [cleaned(key, secrets), cleaned(inner, secrets)]);
  return Object.fromEntries(entries);
}
