/** The programs that a git command line names: pagers, aliases with `!`, `--exec`, `foreach`, `--upload-pack`. */
import { valuesOf } from "./option-runs.ts";
import type { Inner, Runs } from "./run-types.ts";
import type { Word } from "./types.ts";
import { joinWords } from "./word.ts";

/** Configuration keys whose value is a command, or leads to one. */
export const PROGRAM_KEYS =
  /^(?:alias\..+|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|hookspath|gitproxy|alternaterefscommand)|pager\..+|diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|(?:diff|merge)tool\..+\.(?:cmd|path)|credential(?:\..+)?\.helper|sequence\.editor|gpg(?:\..+)?\.program|interactive\.difffilter|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs|proxy)|init\.templatedir|browser\..+\.(?:cmd|path)|man\..+\.(?:cmd|path)|web\.browser|sendemail\..*cmd|trailer\..+\.(?:cmd|command)|protocol(?:\..+)?\.allow|include(?:if\..+)?\.path|ssh\.variant|submodule\..+\.update|tar\..+\.command)$/i;

export interface GitLine {
  /** What stands between `git` and the subcommand. */
  readonly globals: readonly Word[];
  readonly settings: readonly Word[];
  readonly folders: readonly Word[];
  readonly subcommand: Word | undefined;
  readonly rest: readonly Word[];
}

const GLOBAL_VALUES = /^(?:-C|-c|--git-dir|--work-tree|--exec-path|--config-env)$/;

export function readGit(words: readonly Word[]): GitLine {
  const globals: Word[] = [];
  const settings: Word[] = [];
  const folders: Word[] = [];
  let at = 1;
  for (; words[at]?.text.startsWith("-") === true; at++) {
    const word = words[at];
    if (word === undefined) break;
    globals.push(word);
    const [name, attached] = nameAndValue(word);
    if (!GLOBAL_VALUES.test(name)) continue;
    const value = attached ?? words[++at];
    if (value === undefined) break;
    if (attached === undefined) globals.push(value);
    if (/^(?:-c|--config-env)$/.test(name)) settings.push(value);
    else folders.push(value);
  }
  return { globals, settings, folders, subcommand: words[at], rest: words.slice(at + 1) };
}

function nameAndValue(word: Word): readonly [string, Word | undefined] {
  const cut = word.text.startsWith("--") ? word.text.indexOf("=") : -1;
  if (cut < 0) return [word.text, undefined];
  return [word.text.slice(0, cut), { ...word, text: word.text.slice(cut + 1), shape: word.shape.slice(cut + 1) }];
}

export function gitRuns(words: readonly Word[]): Runs | undefined {
  const line = readGit(words);
  const texts = [...line.settings.flatMap(settingText), ...subcommandTexts(line)];
  const inners = texts.map((text): Inner => ({ kind: "script", text, positional: [], scope: "child", byOption: true }));
  return inners.length === 0 ? undefined : { inners, transparent: false };
}

/** `core.pager=less`: the command; an alias is one only with a `!`. */
function settingText(setting: Word): readonly Word[] {
  const cut = setting.text.indexOf("=");
  if (cut < 0 || !PROGRAM_KEYS.test(setting.text.slice(0, cut))) return [];
  const value = setting.text.slice(cut + 1);
  const isAlias = /^alias\./i.test(setting.text);
  if (value === "" || (isAlias && !value.startsWith("!"))) return [];
  const text = value.replace(/^!/, "");
  return [{ ...setting, text, shape: text }];
}

function subcommandTexts(line: GitLine): readonly Word[] {
  const { rest } = line;
  // A word in front lets the option reader skip "the program".
  const words = line.subcommand === undefined ? rest : [line.subcommand, ...rest];
  switch (line.subcommand?.text) {
    case "rebase":
      return valuesOf(words, { long: "--exec", short: "x" });
    case "grep":
      return attachedOnly(words, /^(?:-O|--open-files-in-pager=)([\s\S]+)$/);
    case "fetch":
    case "pull":
    case "ls-remote":
    case "fetch-pack":
      return [...valuesOf(words, { long: "--upload-pack" }), ...valuesOf(words, { long: "--exec" })];
    case "clone":
      return [
        ...valuesOf(words, { long: "--upload-pack", short: "u" }),
        ...valuesOf(words, { long: "--config", short: "c" }).flatMap(settingText),
      ];
    case "push":
    case "send-pack":
      return [...valuesOf(words, { long: "--receive-pack" }), ...valuesOf(words, { long: "--exec" })];
    case "archive":
      return valuesOf(words, { long: "--exec" });
    case "difftool":
      return valuesOf(words, { long: "--extcmd", short: "x" });
    case "filter-branch":
      return ["env", "tree", "index", "parent", "msg", "commit", "tag-name"].flatMap((name) =>
        valuesOf(words, { long: `--${name}-filter` }),
      );
    case "submodule":
      return after(rest, "foreach");
    case "bisect":
      return after(rest, "run");
    default:
      return [];
  }
}

const attachedOnly = (words: readonly Word[], option: RegExp): readonly Word[] =>
  words.flatMap((word) => {
    const text = option.exec(word.text)?.[1];
    return text === undefined ? [] : [{ ...word, text, shape: text }];
  });

/** The words behind a verb, options skipped, as one shell text. */
function after(rest: readonly Word[], verb: string): readonly Word[] {
  const at = rest.findIndex((word) => word.text === verb);
  if (at < 0) return [];
  const words = rest.slice(at + 1);
  const start = words.findIndex((word) => !word.text.startsWith("-"));
  return start < 0 ? [] : [joinWords(words.slice(start))];
}
