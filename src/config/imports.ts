/**
 * Finds `@path` in an instruction file. Text inside code fences and code spans is left alone, and so is everything that only
 * looks like an import: addresses, decorators, package scopes.
 */

export interface ImportMention {
  /** As written, without the `@`. */
  readonly path: string;
  /** Nothing else stands on its line: it can only have been meant as an import. */
  readonly alone: boolean;
}

export function importsIn(text: string): readonly ImportMention[] {
  return proseLines(text).flatMap((line) => {
    const found = [...line.matchAll(MENTION)].map(([, path = ""]) => path.replace(/[.,;:!?]+$/, ""));
    return found
      .filter((path) => path !== "" && mayBeImported(path))
      .map((path) => ({ path, alone: line.trim() === `@${path}` }));
  });
}

/** At the start of a word; no white space, quotes or brackets inside. */
const MENTION = /(?<![^\s(])@([^\s@`'"<>()[\]{}|*]+)/g;

/**
 * Only prose may be imported, and `package.json`, which people like to name. Whoever wrote the file must not be able to put a
 * key file or an environment file into a prompt.
 */
export function mayBeImported(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.startsWith(".")) return false;
  return /\.(md|mdc|mdx|markdown|txt|rst|adoc)$/i.test(name) || /^[A-Z][A-Z_-]+$/.test(name) || name === "package.json";
}

/** As many backticks at the end as at the beginning; fewer or more may stand between. */
const CODE_SPAN = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g;

/** The lines outside fences, with code spans blanked. An unclosed fence reaches to the end. */
function proseLines(text: string): readonly string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      const closes = mark?.startsWith(fence) && line.trim() === mark;
      if (closes) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
    } else {
      lines.push(line.replace(CODE_SPAN, " "));
    }
  }
  return lines;
}
