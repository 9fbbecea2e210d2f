/** The built-in read-only set: programs that only read, with the options that make them do more. */
import type { Word } from "../shell/types.ts";
import type { Call, Describe, Facts } from "./facts.ts";
import { type Arguments, hasOption, optionValues, readArguments } from "./options.ts";

interface Reader {
  /** Options with a value. */
  readonly values?: string;
  /** The first operands that are text, not paths; all of them with Infinity. */
  readonly text?: number;
  /** With one of these the first operand is a path after all. */
  readonly textBy?: string;
  /** Options whose value is a file that is read, or written. */
  readonly reads?: string;
  readonly writes?: string;
  /** The operand with this index is written. */
  readonly output?: number;
  /** Options that make it more than a reader. */
  readonly beyond?: string;
  /** With more operands than this it is more than a reader. */
  readonly operands?: number;
}

const NAMES: Reader = { text: Number.POSITIVE_INFINITY };
const SUMS: Reader = {};
const FD: Reader = {
  values:
    "e E t d c S o max-depth extension exclude type color size changed-within changed-before base-directory search-path ignore-file",
  text: 1,
  reads: "--base-directory --search-path --ignore-file",
  beyond: "-x --exec -X --exec-batch",
};
const GREP: Reader = {
  values:
    "e f m A B C d D regexp file max-count after-context before-context context include exclude exclude-from exclude-dir label binary-files directories devices",
  text: 1,
  textBy: "-e --regexp -f --file",
  reads: "-f --file --exclude-from",
};

const READERS: Readonly<Record<string, Reader>> = {
  ls: { values: "I w T hide ignore block-size" },
  dir: {},
  cat: {},
  head: { values: "n c lines bytes" },
  tail: { values: "n c s lines bytes pid sleep-interval" },
  wc: { reads: "--files0-from" },
  nl: { values: "b d f h i l n s v w" },
  less: {
    values: "p P x z j b o O log-file LOG-FILE",
    writes: "-o -O --log-file --LOG-FILE",
    beyond: "-k --lesskey-file --lesskey-src --lesskey-content",
  },
  more: { values: "n" },
  man: {
    values: "s S L m M C P H l",
    text: Number.POSITIVE_INFINITY,
    beyond: "-P -H -C -l -M -T --pager --html --config-file --local-file --manpath --troff-device",
  },
  tac: { values: "s separator" },
  rev: {},
  stat: { values: "c format printf" },
  file: {
    values: "m F f e P magic-file separator files-from",
    reads: "-m --magic-file -f --files-from",
    beyond: "-C --compile",
  },
  du: {
    values: "d t B X max-depth threshold block-size exclude exclude-from",
    reads: "-X --exclude-from --files0-from",
  },
  df: { values: "t x B type exclude-type block-size" },
  tree: { values: "L I P o H T charset filelimit", writes: "-o" },
  realpath: { values: "relative-to relative-base" },
  readlink: {},
  basename: NAMES,
  dirname: NAMES,
  pwd: {},
  whoami: {},
  id: NAMES,
  groups: NAMES,
  logname: {},
  uname: {},
  arch: {},
  nproc: {},
  uptime: {},
  free: {},
  tty: {},
  locale: NAMES,
  getconf: NAMES,
  hostname: { operands: 0, beyond: "-F --file -b --boot" },
  cal: NAMES,
  echo: NAMES,
  printf: NAMES,
  seq: NAMES,
  expr: NAMES,
  factor: NAMES,
  sleep: NAMES,
  true: NAMES,
  false: NAMES,
  test: NAMES,
  "[": NAMES,
  tput: NAMES,
  md5sum: SUMS,
  sha1sum: SUMS,
  sha224sum: SUMS,
  sha256sum: SUMS,
  sha384sum: SUMS,
  sha512sum: SUMS,
  b2sum: SUMS,
  shasum: { values: "a algorithm" },
  md5: { values: "s" },
  cksum: { values: "a algorithm" },
  sum: SUMS,
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  rg: {
    values:
      "e f g t T m A B C d j M E r regexp file glob iglob type type-not max-count after-context before-context context max-depth threads max-columns encoding replace sort sortr color colors engine ignore-file max-filesize pre-glob path-separator type-add",
    text: 1,
    textBy: "-e --regexp -f --file --files --type-list",
    reads: "-f --file --ignore-file",
    beyond: "--pre --hostname-bin -z --search-zip",
  },
  fd: FD,
  fdfind: FD,
  sort: {
    values:
      "k t o S T key field-separator output buffer-size temporary-directory compress-program files0-from batch-size parallel",
    writes: "-o --output -T --temporary-directory",
    reads: "--files0-from",
    beyond: "--compress-program",
  },
  uniq: { values: "f s w skip-fields skip-chars check-chars", output: 1 },
  shuf: {
    values: "n i o head-count input-range output random-source",
    writes: "-o --output",
    reads: "--random-source",
  },
  cut: { values: "b c d f bytes characters delimiter fields output-delimiter" },
  tr: NAMES,
  bc: {},
  pr: {},
  eza: { values: "L I s t level ignore-glob sort time" },
  exa: { values: "L I s t level ignore-glob sort time" },
  ag: { values: "A B C G m p ignore depth path-to-ignore", text: 1, reads: "-p --path-to-ignore", beyond: "--pager" },
  paste: { values: "d delimiters" },
  join: { values: "1 2 a e j o t v" },
  comm: { values: "output-delimiter" },
  cmp: { values: "i n" },
  diff: {
    values: "U C I x X W F label exclude exclude-from unified context width",
    reads: "-X --exclude-from --from-file --to-file",
  },
  fold: { values: "w width" },
  fmt: { values: "w g p width goal prefix" },
  column: { values: "s o c separator output-separator columns output-width table-columns" },
  expand: { values: "t tabs" },
  unexpand: { values: "t tabs" },
  od: { values: "A j N S t" },
  hexdump: { values: "e f n s", reads: "-f" },
  hd: { values: "e f n s", reads: "-f" },
  xxd: { values: "c g l o s R cols len seek", output: 1 },
  strings: { values: "n t e bytes radix encoding" },
  base64: { values: "w wrap i o", writes: "-o", reads: "-i" },
  base32: { values: "w wrap" },
  tsort: {},
  numfmt: { values: "from to format field suffix", text: Number.POSITIVE_INFINITY },
  iconv: { values: "f t o from-code to-code output", writes: "-o --output" },
  jq: {
    values: "f L indent from-file",
    text: 1,
    textBy: "-f --from-file",
    reads: "-f --from-file -L --slurpfile --rawfile",
    beyond: "-f --from-file -L", // a program in a file may import data from anywhere
  },
  yq: {
    values: "o p I f output-format input-format indent front-matter",
    text: 1,
    beyond: "-i --inplace --in-place -s --split-exp --split-exp-file --from-file",
  },
  zcat: {},
  lz4cat: {},
  zdiff: {},
  zcmp: {},
  bzcat: {},
  xzcat: {},
  zstdcat: {},
  size: {},
  readelf: { values: "x p R" },
  which: NAMES,
  whereis: NAMES,
  type: NAMES,
  pgrep: NAMES,
  pidof: NAMES,
  cloc: {
    values: "exclude-dir include-lang",
    beyond: "--extract-with --out --report-file --config --sql --diff-list-file",
  },
  tokei: { values: "e t o i" },
  bat: { values: "l r H theme style language line-range", beyond: "--pager" },
};

/**
 * Programs that say their version and nothing else. Not those that a file of the project makes start another program first:
 * `rust-toolchain.toml`, `.yarnrc.yml`, `.mvn`, `global.json`.
 */
const VERSIONED =
  /^(?:node|npm|npx|bun|deno|python3?|pip3?|ruby|gem|perl|php|java|javac|go|gcc|g\+\+|clang|cc|make|cmake|git|docker|kubectl|tsc|gh|curl|wget|bash|zsh|sh|sqlite3|psql|mysql|terraform|helm|swift|rg|jq)$/;

export const describeVersion: Describe = ({ name, words }, facts) => {
  const flag = words.length === 2 ? words[1]?.text : undefined;
  if (!VERSIONED.test(name) || flag === undefined) return;
  if (
    /^(?:--version|-version)$/.test(flag) ||
    (flag === "-v" && /^(?:node|npm)$/.test(name)) ||
    (name === "go" && flag === "version")
  ) {
    facts.readOnly = true;
    facts.kind = "read";
  }
};

export const describeReader: Describe = (call, facts) => {
  const reader = Object.hasOwn(READERS, call.name) ? READERS[call.name] : undefined;
  if (reader === undefined) return;
  const args = readArguments(call.words, reader.values);
  const beyond = reader.beyond !== undefined && hasOption(args, reader.beyond);
  // `less +!cmd` starts with a command of its own.
  const hasStart = /^(?:less|more)$/.test(call.name) && args.operands.some((word) => word.text.startsWith("+"));
  facts.readOnly = !beyond && !hasStart && args.operands.length <= (reader.operands ?? Number.POSITIVE_INFINITY);
  if (reader.reads !== undefined) facts.reads.push(...optionValues(args, reader.reads));
  if (reader.writes !== undefined) addWrites(optionValues(args, reader.writes), facts);
  addOperands(args, reader, facts);
  facts.kind = facts.readOnly ? "read" : "run";
  const canDoMore = (reader.writes ?? reader.beyond ?? reader.output) !== undefined;
  if (args.doubtful && canDoMore) {
    facts.problems.push("a word that cannot be resolved may be an option that writes or runs something");
  }
  if (/^[jy]q$/.test(call.name) && args.operands.some(({ text }) => /\b(?:import|include|load\w*)\b/.test(text)))
    facts.problems.push("its program may read files that cannot be seen");
  addOptionPaths(call, reader, facts);
};

function addOperands(args: Arguments, reader: Reader, facts: Facts): void {
  const isPath = reader.textBy !== undefined && hasOption(args, reader.textBy);
  const text = isPath ? 0 : (reader.text ?? 0);
  // An unquoted unknown may turn into several words, of which only the first is text.
  if (text > 0 && text < Number.POSITIVE_INFINITY)
    facts.reads.push(...args.operands.slice(0, text).filter((word) => word.split));
  for (const [index, operand] of args.operands.slice(text).entries()) {
    if (index + text === reader.output) addWrites([operand], facts);
    else facts.reads.push(operand);
  }
}

function addWrites(words: readonly Word[], facts: Facts): void {
  if (words.length === 0) return;
  facts.writes.push(...words);
  facts.readOnly = false;
}

/** Paths that hide in options: `--ignore=/etc/x`. Separators and formats are no paths. */
function addOptionPaths({ words }: Call, reader: Reader, facts: Facts): void {
  if (reader.text === Number.POSITIVE_INFINITY) return;
  for (const word of words.slice(1)) {
    const cut = word.text.indexOf("=");
    if (!word.text.startsWith("--") || cut < 0) continue;
    const value = word.shape.slice(cut + 1);
    if (/^(?:\/.|\.\.\/)/.test(value)) facts.reads.push({ ...word, text: value, shape: value });
  }
}
