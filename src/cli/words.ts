/** Small texts for lists: times, sizes, and the part of a line that was looked for. */
import type { ModelUsage } from "../shared/index.ts";

export { moneyText, tokensText } from "../shared/index.ts";

/** yyyy-mm-dd hh:mm, as the clock on the wall has it. A log may hold any number: what is no time of a calendar is told as such. */
export function localMinute(ms: number): string {
  const wall = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return Number.isNaN(wall.getTime()) ? NO_TIME : wall.toISOString().slice(0, 16).replace("T", " ");
}

const NO_TIME = "no known time   ";

/** At most `width` characters of a line, with the words in them where they are found. */
export function excerpt(line: string, words: string, width: number): string {
  const characters = [...line.replace(/\s+/g, " ").trim()];
  if (characters.length <= width) return characters.join("");
  const at = characters.join("").toLowerCase().indexOf(words.toLowerCase());
  const start = Math.max(0, Math.min(at - Math.floor(width / 3), characters.length - width + 1));
  const end = Math.min(characters.length, start + width - (start > 0 ? 2 : 1));
  return `${start > 0 ? "…" : ""}${characters.slice(start, end).join("")}${end < characters.length ? "…" : ""}`;
}

/** 1 file, 2 files. */
/** What a resume found at the end of a log and took out. */
export const tornText = (bytes: number): string => `a torn end of ${counted(bytes, "byte")}, which was moved`;

/** What a log is that cannot be gone on with. */
export const damageWord = ({ newer }: { readonly newer?: true | undefined }): string =>
  newer ? "of a newer version" : "damaged";

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** What stands below the last change that is recorded of a command. */
export const unlistedText = (files: number | undefined): readonly string[] =>
  files === undefined ? [] : [`${counted(files, "more file")} may have changed.`];

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Tokens and money in one line. */
export function usageText(usage: ModelUsage, costUsd: number | null): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const sent = inputTokens + cacheReadTokens + cacheWriteTokens;
  const cost = costUsd === null ? "price unknown" : `$${costUsd.toFixed(4)}`;
  return `${sent} tokens in (${cacheReadTokens} from the cache), ${outputTokens} out, ${cost}`;
}

/** As one word of a shell's command line, to be pasted. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word as it stands, unless it would not stay on its line. */
export const plainWord = (text: string): string => (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? JSON.stringify(text) : text);
