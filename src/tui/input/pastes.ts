/** What a paste becomes in the draft: its own text, one chip for much of it, or the images whose paths it holds. */
import { byteLength } from "../../shared/index.ts";
import type { Outside } from "../ports.ts";
import type { Chip } from "../screen/port.ts";
import { oneName } from "../spelling.ts";

export type Pasted =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "chips"; readonly chips: readonly Chip[] }
  | { readonly kind: "too-large"; readonly bytes: number };

const MAX_LINES = 10;
const MAX_UNITS = 1024;
/** What is larger would not fit into the log's line once it is written with its escapes. */
export const MAX_PASTE_BYTES = 7 * 1024 * 1024;

export interface PastedPaths extends Pick<Outside, "isFile"> {
  /** The user's, for paths that begin with `~`. */
  readonly home: string;
}

export function judgePaste(typed: string, paths: PastedPaths): Pasted {
  const text = typed.replaceAll(/\r\n?/g, "\n");
  if (text.length > MAX_PASTE_BYTES / 4 && byteLength(text) > MAX_PASTE_BYTES) {
    return { kind: "too-large", bytes: byteLength(text) };
  }
  const images = imagesIn(text, paths);
  if (images.length > 0) return { kind: "chips", chips: images.map(imageChip) };
  const lines = countLines(text);
  if (lines <= MAX_LINES && text.length <= MAX_UNITS) return { kind: "text", text };
  const label = lines > 1 ? `[Pasted ${lines} lines]` : `[Pasted ${sizeText(byteLength(text))}]`;
  return { kind: "chips", chips: [{ kind: "paste", label, value: text }] };
}

/** A line's end at the end begins no further line. */
function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

export const imageChip = (path: string): Chip => ({
  kind: "image",
  label: `[image ${oneName(path.slice(path.lastIndexOf("/") + 1), 60)}]`,
  value: path,
});

/** More is no handful of dragged files. */
const MAX_PATHS_UNITS = 8192;
/** Blanks that nothing quotes: a command with a path looks alike, so there has to be such a file. */
const PLAIN = /^~?\/[^\n'"\\]*\s[^\n'"\\]*$/;
const IMAGE = /\.(png|jpe?g|gif|webp)$/i;

/** A file manager drops paths as a shell would need them: quoted, with blanks escaped, or as addresses. Each must be an image's. */
function imagesIn(text: string, { home, isFile }: PastedPaths): readonly string[] {
  const trimmed = text.trim();
  if (trimmed.length > MAX_PATHS_UNITS || !IMAGE.test(trimmed.replace(/['"]$/, ""))) return [];
  if (PLAIN.test(trimmed) && isFile(resolved(trimmed, home))) return [resolved(trimmed, home)];
  const words = (trimmed.match(/(?:'[^'\n]*'|"[^"\n]*"|\\.|[^\s'"\\])+/g) ?? []).map(unquoted);
  const isEach = words.every((word) => word.includes("/") && IMAGE.test(word) && !isElsewhere(word));
  return isEach ? words.map((word) => resolved(word, home)) : [];
}

const isElsewhere = (word: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(word) && !word.startsWith("file://");

const unquoted = (word: string): string =>
  word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, (_all, single, double, escaped) => single ?? double ?? escaped);

function resolved(path: string, home: string): string {
  if (path.startsWith("~/")) return `${home}/${path.slice(2)}`;
  if (!path.startsWith("file://")) return path;
  try {
    return decodeURIComponent(path.replace(/^file:\/\/[^/]*/, ""));
  } catch {
    return path; // no address after all
  }
}
