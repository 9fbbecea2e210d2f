/**
 * Takes one level of escaping off a text that was escaped once too often. Refuses, by undefined, a text that is not escaped
 * throughout, because there a backslash may be meant.
 */
export type Unescape = (text: string) => string | undefined;

/** As inside a JSON string: everything on one line, and no bare quote. */
function asJson(text: string): string | undefined {
  if (/[\r\n\t]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(`"${text.replace(/\\(['`$])/g, "$1")}"`);
    return typeof value === "string" ? value : undefined;
  } catch {
    // Not the inside of a JSON string: a bare quote, or an escape that JSON does not know.
    return undefined;
  }
}

/** Only the quotes: each kind that is escaped at all is escaped everywhere. */
function quotesOnly(text: string): string | undefined {
  for (const quote of ['"', "'", "`"]) {
    const [all, escaped] = [text.split(quote).length, text.split(`\\${quote}`).length];
    if (escaped > 1 && escaped !== all) return undefined;
  }
  return text.replace(/\\(["'`])/g, "$1");
}

/** The readings of an escaped text. */
export const UNESCAPES: readonly Unescape[] = [asJson, quotesOnly];
