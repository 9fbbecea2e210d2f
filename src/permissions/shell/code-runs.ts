/** Commands that stand in the code of another language: `awk 'BEGIN{system("…")}'`, `python3 -c 'os.system("…")'`, `sed '1e …'`. Guesses: they are looked at only for what is never allowed. */
import type { Inner, Runs } from "./run-types.ts";
import type { Word } from "./types.ts";
import { wordOf } from "./word.ts";

const LANGUAGES =
  /^(?:[gmn]?awk|python[\d.]*|pypy3?|perl[\d.]*|ruby[\d.]*|node|nodejs|bun|deno|php[\d.]*|lua[\d.]*|osascript)$/;
/** What starts a program in one of them. */
const STARTS =
  /\b(?:system|exec\w*|p?open|Popen|spawn\w*|shell_exec|passthru|check_(?:call|output)|subprocess|execSync|child_process|sh)\b|\|/;
const TEXTS = /"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`/gs;
const MAX_TEXTS = 32;

export function codeRuns(name: string, words: readonly Word[]): Runs | undefined {
  const codes = words.slice(1).filter((word) => word.known);
  const texts = /^g?sed$/.test(name) ? codes.flatMap(sedCommands) : LANGUAGES.test(name) ? codes.flatMap(textsIn) : [];
  const inners = texts
    .slice(0, MAX_TEXTS)
    .map((text): Inner => ({ kind: "script", text: wordOf(text), positional: [], scope: "child", guess: true }));
  return inners.length === 0 ? undefined : { inners, transparent: false };
}

const sedCommands = ({ text }: Word): readonly string[] =>
  [...text.matchAll(/(?:^|[\s\d;{}$/!])e\s+(.+)$/gm)].flatMap((match) => match[1] ?? []);

/** Each text, and all together: `["rm", "-rf", "/"]` is one command. */
function textsIn({ text: code }: Word): readonly string[] {
  if (!STARTS.test(code.replaceAll("||", " ")) && !code.includes("`")) return [];
  const texts = [...code.matchAll(TEXTS)].map(([, double, single, back]) => {
    const text = double ?? single ?? back ?? "";
    return text.replace(/\\(["'`\\])/g, "$1");
  });
  return [texts.join(" "), ...texts].filter((text, index) => /\s/.test(text) && (index > 0 || texts.length > 1));
}
