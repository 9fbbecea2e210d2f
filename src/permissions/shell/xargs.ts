/** `xargs`: the command it runs, with what it reads put behind it or in its marks. */
import type { Runs } from "./run-types.ts";
import type { Flow, Word } from "./types.ts";
import { patternWord, wordOf } from "./word.ts";

const VALUES = /^(?:-[adEIJLnPsR]|--(?:arg-file|delimiter|max-(?:args|chars|procs)|process-slot-var))$/;
const MAX_ARGUMENTS = 64;

export function xargsRuns(words: readonly Word[], input: Flow): Runs | undefined {
  let mark: string | undefined;
  let source: Flow = input;
  let readsFile = false; // which may lie anywhere
  let at = 1;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (text === "--") {
      at++;
      break;
    }
    if (!/^-./.test(text)) break;
    mark = markOf(text, words[at + 1]) ?? mark;
    if (/^(?:-a|--a)/.test(text)) {
      source = { kind: "unknown", remote: false };
      readsFile = true;
    }
    if (VALUES.test(text)) at++;
  }
  const command = at < words.length ? words.slice(at) : [wordOf("echo")];
  const given = argumentsOf(source);
  const inner = mark === undefined ? [...command, ...given] : command.flatMap((word) => marked(word, mark, given));
  return { inners: [{ kind: "words", words: inner }], transparent: !readsFile };
}

function markOf(option: string, next: Word | undefined): string | undefined {
  if (option === "-I" || option === "-J") return next?.text;
  if (/^-I./.test(option)) return option.slice(2);
  if (/^(?:-i|--replace)$/.test(option)) return "{}";
  return /^(?:-i|--replace=)(.+)$/.exec(option)?.[1];
}

const anything = (): Word => ({ text: "…", shape: "…", known: false, pattern: false, split: true });

function argumentsOf(input: Flow): readonly Word[] {
  if (input.kind === "paths")
    return input.roots.map((root) => patternWord(root.endsWith("/") ? `${root}*` : `${root}/*`));
  if (input.kind === "plain") return [patternWord("*")];
  if (input.kind !== "text" || /["'\\]/.test(input.text)) return [anything()];
  const tokens = input.text.split(/[\s\0]+/).filter((token) => token !== "");
  return tokens.length > MAX_ARGUMENTS ? [anything()] : tokens.map(wordOf);
}

function marked(word: Word, mark: string, given: readonly Word[]): readonly Word[] {
  if (mark === "" || !word.text.includes(mark)) return [word];
  return given.map((argument) => {
    if (word.text === mark) return { ...argument, split: false };
    const text = word.text.replaceAll(mark, () => argument.text);
    const shape = word.shape.replaceAll(mark, () => argument.shape);
    return { ...word, text, shape, known: word.known && argument.known, pattern: word.pattern || argument.pattern };
  });
}
