/** Options that name a program for another program to run: `sort --compress-program`, `tar --to-command`, `rsync -e`. */
import type { Inner, Runs } from "./run-types.ts";
import type { Word } from "./types.ts";

interface RunOption {
  readonly long?: string;
  readonly short?: string;
  /** Strip this from the value; without it the value names no program. */
  readonly prefix?: RegExp;
}

const OPTIONS: Readonly<Record<string, readonly RunOption[]>> = {
  sort: [{ long: "--compress-program" }],
  rg: [{ long: "--pre" }, { long: "--hostname-bin" }],
  fd: [
    { long: "--exec", short: "x" },
    { long: "--exec-batch", short: "X" },
  ],
  fdfind: [
    { long: "--exec", short: "x" },
    { long: "--exec-batch", short: "X" },
  ],
  tar: [
    { long: "--checkpoint-action", prefix: /^exec=/ },
    { long: "--to-command" },
    { long: "--use-compress-program", short: "I" },
    { long: "--rsh-command" },
    { long: "--info-script", short: "F" },
    { long: "--new-volume-script" },
  ],
  rsync: [{ long: "--rsh", short: "e" }, { long: "--rsync-path" }],
  man: [
    { long: "--pager", short: "P" },
    { long: "--html", short: "H" },
  ],
  ssh: [{ short: "o", prefix: /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s*[= ]\s*/i }],
  scp: [{ short: "S" }, { short: "o", prefix: /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s*[= ]\s*/i }],
  split: [{ long: "--filter" }],
  tcpdump: [{ short: "z" }],
  fzf: [{ long: "--preview" }, { long: "--with-shell" }],
  cpio: [{ long: "--rsh-command" }],
  bat: [{ long: "--pager" }],
  delta: [{ long: "--pager" }],
  vim: [
    { short: "c", prefix: /^:?!/ },
    { long: "--cmd", prefix: /^:?!/ },
  ],
  vi: [{ short: "c", prefix: /^:?!/ }],
  nvim: [
    { short: "c", prefix: /^:?!/ },
    { long: "--cmd", prefix: /^:?!/ },
  ],
  nodemon: [{ long: "--exec", short: "x" }],
  diff3: [{ long: "--diff-program" }],
  sdiff: [{ long: "--diff-program" }],
  zip: [{ long: "--unzip-command", short: "TT" }],
};

export function optionRuns(name: string, words: readonly Word[]): Runs | undefined {
  const canonical = /^(?:g|bsd)(?:tar|sort)$/.test(name) ? name.replace(/^(?:g|bsd)/, "") : name;
  const options = Object.hasOwn(OPTIONS, canonical) ? (OPTIONS[canonical] ?? []) : [];
  const values = [...options.flatMap((option) => valuesOf(words, option)), ...startCommands(name, words)];
  const inners = values.flatMap((value): Inner[] => innerOf(value));
  return inners.length === 0 ? undefined : { inners, transparent: false };
}

/** `less +!cmd`, `vim +:!cmd`. */
const startCommands = (name: string, words: readonly Word[]): readonly Word[] =>
  /^(?:less|more|g?vim|vi|nvim|view|ex)$/.test(name)
    ? words.slice(1).flatMap((word) => (/^\+:?!/.test(word.text) ? (withoutPrefix(word, /^\+:?!/) ?? []) : []))
    : [];

const innerOf = (text: Word): Inner[] =>
  text.text === "" ? [] : [{ kind: "script", text, positional: [], scope: "child", byOption: true }];

/** The values of one option in every spelling: separate, attached, after `=`, and the long name cut short. */
export function valuesOf(words: readonly Word[], option: RunOption): readonly Word[] {
  const values: Word[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) continue;
    if (word.text === "--") break;
    const attached = attachedValue(word.text, option);
    if (attached === undefined) continue;
    const value = attached === "" ? words[++at] : { ...word, text: attached, shape: attached };
    const stripped = value === undefined ? undefined : withoutPrefix(value, option.prefix);
    if (stripped !== undefined) values.push(stripped);
  }
  return values;
}

/** Empty: the value is the next word. Undefined: it is not this option. */
function attachedValue(text: string, option: RunOption): string | undefined {
  const cut = text.indexOf("=");
  const name = cut < 0 ? text : text.slice(0, cut);
  if (option.long !== undefined && name.length > 3 && option.long.startsWith(name))
    return cut < 0 ? "" : text.slice(cut + 1);
  if (option.short === undefined || !/^-[A-Za-z0-9]/.test(text)) return undefined;
  const index = text.indexOf(option.short, 1);
  const isCluster = index > 0 && /^[A-Za-z0-9]*$/.test(text.slice(1, index));
  return isCluster ? text.slice(index + option.short.length) : undefined;
}

function withoutPrefix(value: Word, prefix: RegExp | undefined): Word | undefined {
  if (prefix === undefined) return value;
  if (!prefix.test(value.text)) return undefined;
  const text = value.text.replace(prefix, "");
  return { ...value, text, shape: text };
}
