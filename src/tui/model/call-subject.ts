/** What a call is about, in a few words: the path, the command, the pattern; also while its input is still being written. */

/** The fields that tell, the most telling first. Tools name their inputs alike, so no tool is known here by name. */
const TELLING = ["command", "file_path", "pattern", "path", "query", "url", "name", "action", "id"] as const;

/** As it was given, not cleaned; empty when the input tells nothing. */
export function subjectOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const fields = input as Readonly<Record<string, unknown>>;
  const told = TELLING.map((name) => fields[name]).find((value) => typeof value === "string" && value !== "");
  return typeof told === "string" ? told : "";
}

const FIELDS = TELLING.map((name) => new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`));

/** The most that is looked at: what tells stands at the beginning, before a file's content. */
const MAX_LOOKED_AT = 2048;

/** The same from JSON of which only the beginning is there: as far as it has come. */
export function subjectSoFar(partialJson: string): string {
  const beginning = partialJson.slice(0, MAX_LOOKED_AT);
  for (const field of FIELDS) {
    const raw = field.exec(beginning)?.[1];
    if (raw) return unescaped(raw);
  }
  return "";
}

/** An escape that is not whole yet is left out. */
function unescaped(raw: string): string {
  const whole = raw.replace(/(?<!\\)((?:\\\\)*)\\u[0-9a-fA-F]{0,3}$/, "$1");
  try {
    const text: unknown = JSON.parse(`"${whole}"`);
    return typeof text === "string" ? text : "";
  } catch {
    return ""; // foreign JSON may hold escapes that are none
  }
}
