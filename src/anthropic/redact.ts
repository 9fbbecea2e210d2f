/** Makes text from servers and libraries safe to show and to record: one line, bounded, no escape sequences, no secrets. */
import { bytePrefix, sanitize } from "../shared/index.ts";

const MAX_SHOWN_BYTES = 600;
const HIDDEN = "[redacted]";
/** Keys as the API makes them, and whatever follows the word that introduces one in a header. */
const SECRET_SHAPES = /sk-ant-[\w-]+|\b(bearer|x-api-key:?)\s+[\w.~+/=-]{8,}/gi;

/** A shorter value is no secret, and hiding it would eat the words around it. */
const MIN_SECRET_LENGTH = 8;

/** `secrets` are the values in use; each of their occurrences is hidden, whatever it looks like. */
export function presentable(text: string, secrets: readonly string[]): string {
  const line = withoutSecrets(sanitize(text), secrets).replace(/\s+/g, " ").trim();
  const start = bytePrefix(line, MAX_SHOWN_BYTES);
  return start === line ? line : `${start}…`;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .reduce((rest, secret) => rest.replace(new RegExp(RegExp.escape(secret), "gi"), HIDDEN), text);
  return hidden.replace(SECRET_SHAPES, HIDDEN);
}
