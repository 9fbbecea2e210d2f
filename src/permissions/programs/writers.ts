/** Programs whose business is files: what they write, remove, re-mode and overwrite. */
import { readFind } from "../shell/find.ts";
import type { Word } from "../shell/types.ts";
import { baseName } from "../shell/word.ts";
import type { Call, Describe, Facts } from "./facts.ts";
import { type Arguments, hasOption, optionValues, readArguments, tail } from "./options.ts";

const here: Word = { text: ".", shape: ".", known: true, pattern: false, split: false };

const remove: Describe = ({ words }, facts) => {
  const args = readArguments(words);
  const recursive = hasOption(args, "-r -R --recursive");
  for (const target of args.operands) facts.removals.push({ target, recursive, whole: recursive });
  if (args.doubtful) facts.problems.push("what it removes cannot be resolved");
  const unresolved = args.operands.find((target) => !target.known);
  const mayRecurse = recursive || args.doubtful;
  if (mayRecurse && unresolved !== undefined)
    facts.guarded.push(`removes a tree that cannot be resolved: ${unresolved.text}`);
};

const writeAll =
  (values: string): Describe =>
  ({ words }, facts) => {
    const args = readArguments(words, values);
    facts.writes.push(...args.operands);
    facts.editsOnly = true;
    addDoubt(args, facts);
  };

/** `cp`, `ln`, `mv`, `install`: the last operand, or the folder of `-t`, is written; the others are read: they have a new name then. */
const writeLast =
  (values: string): Describe =>
  ({ words, name }, facts) => {
    const args = readArguments(words, `t target-directory ${values}`);
    const { sources, targets } = sourcesAndTargets(args, name);
    facts.writes.push(...targets);
    // A device is no folder.
    const folders = targets.filter((target) => !target.shape.startsWith("/dev/"));
    facts.mayWrite.push(...folders.flatMap((target) => sources.map((source) => inFolder(target, source))));
    if (name === "mv") for (const target of sources) facts.removals.push({ target, recursive: true, whole: true });
    facts.reads.push(...sources);
    if (name === "ln") {
      for (const at of [...targets, ...facts.mayWrite]) for (const target of sources) facts.links.push({ at, target });
    }
    facts.editsOnly = name !== "ln";
    addDoubt(args, facts);
  };

function sourcesAndTargets(
  args: Arguments,
  name: string,
): { readonly sources: readonly Word[]; readonly targets: readonly Word[] } {
  const folders = optionValues(args, "-t --target-directory");
  if (folders.length > 0) return { sources: args.operands, targets: folders };
  if (name === "ln" && args.operands.length === 1) return { sources: args.operands, targets: [here] };
  return { sources: args.operands.slice(0, -1), targets: args.operands.slice(-1) };
}

/** What `cp source target` writes when the target turns out to be a folder. */
function inFolder(target: Word, source: Word): Word {
  const name = baseName(source.shape.replace(/\/+$/, ""));
  const shape = `${target.shape}/${name}`;
  return {
    ...target,
    text: shape,
    shape,
    known: target.known && source.known,
    pattern: target.pattern || source.pattern,
  };
}

const changeMode: Describe = ({ words, name }, facts) => {
  const args = readArguments(words, "reference from");
  const recursive = hasOption(args, "-R --recursive");
  const hasReference = hasOption(args, "--reference");
  const targets = name === "chattr" || !hasReference ? args.operands.slice(1) : args.operands;
  // `chmod -x file`: the mode looks like an option.
  const all = targets.length === 0 && args.operands.length === 1 ? args.operands : targets;
  for (const target of all) facts.removals.push({ target, recursive });
  addDoubt(args, facts);
};

const copyBlocks: Describe = ({ words }, facts) => {
  for (const word of words.slice(1)) {
    if (word.text.startsWith("of=")) facts.writes.push(tail(word, 3));
    else if (word.text.startsWith("if=")) facts.reads.push(tail(word, 3));
    else if (!word.known) facts.problems.push("what dd writes cannot be resolved");
  }
};

/** Disk programs: every operand that is a path is overwritten. */
/** Disk programs: every operand that is a path is overwritten. */
const overwrite: Describe = ({ words, name }, facts) => {
  const args = readArguments(words, "t L U b n s type label");
  const paths = args.operands.filter((word) => /[/.]/.test(word.text) || !word.known);
  facts.writes.push(...paths);
  if (name === "shred") for (const target of paths) facts.removals.push({ target, recursive: false });
};

const archive: Describe = ({ words }, facts) => {
  const args = readArguments(
    withDash(words),
    "f C b T X I K N V F H g file directory files-from exclude exclude-from transform strip-components",
  );
  const folders = optionValues(args, "-C --directory");
  const files = optionValues(args, "-f --file");
  if (hasOption(args, "-c -r -u -A --create --append --update")) {
    facts.writes.push(...files);
    facts.reads.push(...folders, ...args.operands);
  } else {
    facts.reads.push(...files);
    if (!hasOption(args, "-t --list")) facts.writes.push(...orHere(folders));
  }
  if (hasOption(args, "-P --absolute-names")) facts.problems.push("it may write to any absolute path");
  addArchiveDoubt(args, facts);
};

/** `tar xf` without its dash. */
function withDash(words: readonly Word[]): readonly Word[] {
  const [program, mode, ...rest] = words;
  if (program === undefined || mode === undefined || !/^[A-Za-z]+$/.test(mode.text)) return words;
  return [program, { ...mode, text: `-${mode.text}`, shape: `-${mode.text}` }, ...rest];
}

const orHere = (folders: readonly Word[]): readonly Word[] => (folders.length > 0 ? folders : [here]);

const unzip: Describe = ({ words }, facts) => {
  const args = readArguments(words, "d x P");
  facts.reads.push(...args.operands.slice(0, 1));
  if (!hasOption(args, "-l -v -Z -p -t")) facts.writes.push(...orHere(optionValues(args, "-d")));
  addArchiveDoubt(args, facts);
};

function addArchiveDoubt(args: Arguments, facts: Facts): void {
  if (args.doubtful) facts.problems.push("a word that cannot be resolved may be an option that runs a program");
}

const synchronise: Describe = ({ words, name }, facts) => {
  const args = readArguments(
    words,
    "e f F i l o P S c exclude include rsh exclude-from include-from files-from rsync-path port",
  );
  const isRemote = (word: Word): boolean => /^(?:[^/]+:|rsync:\/\/|scp:\/\/)/.test(word.text);
  const operands = [...args.operands];
  const target = operands.pop();
  facts.hosts.push(...args.operands.filter(isRemote));
  facts.reads.push(...operands.filter((word) => !isRemote(word)), ...optionValues(args, "-i"));
  if (target !== undefined && !isRemote(target)) {
    facts.writes.push(target);
    facts.mayWrite.push(...operands.map((source) => inFolder(target, source)));
    if (name === "rsync" && args.options.some((option) => option.name.startsWith("--del"))) {
      facts.removals.push({ target, recursive: true });
    }
  }
  addDoubt(args, facts);
};

const compress: Describe = ({ words }, facts) => {
  const args = readArguments(words, "S o T suffix");
  if (hasOption(args, "-c --stdout --to-stdout -l --list -t --test")) facts.reads.push(...args.operands);
  else facts.writes.push(...args.operands, ...optionValues(args, "-o"));
  addDoubt(args, facts);
};

const find: Describe = ({ words }, facts) => {
  const call = readFind(words);
  const unresolved = words.some((word, index) => mayBeAction(word, words[index - 1]));
  facts.reads.push(...call.roots, ...call.reads);
  facts.writes.push(...call.writes);
  const whole = call.everything;
  if (call.deletes) for (const target of call.roots) facts.removals.push({ target, recursive: true, whole });
  if (unresolved) facts.problems.push("a word that cannot be resolved may be an action of find");
  const onlyReads = !call.deletes && call.writes.length === 0 && !unresolved;
  facts.readOnly = onlyReads;
  facts.kind = onlyReads ? "read" : "run";
};

const TESTS_TEXT =
  /^-(?:i?name|i?path|i?regex|wholename|type|xtype|[acm]?newer|size|[acm](?:time|min)|maxdepth|mindepth|user|group|perm)$/;

const mayBeAction = (word: Word, before: Word | undefined): boolean => {
  if (before === undefined || word.known) return word.split;
  const isValue = TESTS_TEXT.test(before.text) && !word.split;
  return !isValue && (word.split || /^[$`…-]/.test(word.text));
};

const splitFile: Describe = ({ words }, facts) => {
  const args = readArguments(
    words,
    "a b C l n t suffix-length bytes line-bytes lines number separator additional-suffix filter",
  );
  facts.reads.push(...args.operands.slice(0, 1));
  facts.writes.push(args.operands[1] ?? here);
};

const patch: Describe = ({ words }, facts) => {
  const args = readArguments(words, "p d i o r B F input output directory strip reject-file");
  facts.reads.push(...optionValues(args, "-i --input"), ...args.operands.slice(1));
  facts.writes.push(...optionValues(args, "-o --output -d --directory"), ...args.operands.slice(0, 1), here);
};

function addDoubt(args: Arguments, facts: Facts): void {
  if (args.doubtful) facts.problems.push("what it writes cannot be resolved");
}

const DISKS =
  /^(?:mkfs(?:\..+)?|mke2fs|mkswap|mkdosfs|wipefs|shred|blkdiscard|s?fdisk|cfdisk|[cs]?gdisk|parted|hdparm|badblocks|cryptsetup|fsck(?:\..+)?|e2fsck|tune2fs|pvcreate|nvme|diskutil)$/;

const WRITERS: Readonly<Record<string, Describe>> = {
  rm: remove,
  unlink: remove,
  rmdir: remove,
  srm: remove,
  mkdir: writeAll("m mode Z"),
  touch: writeAll("d r t date reference time"),
  tee: writeAll("output-error"),
  truncate: writeAll("s r size reference"),
  mkfifo: writeAll("m mode"),
  mknod: writeAll("m mode"),
  sponge: writeAll(""),
  cp: writeLast("S suffix"),
  mv: writeLast("S suffix"),
  ln: writeLast("S suffix"),
  install: writeLast("m o g S mode owner group suffix"),
  link: writeLast(""),
  chmod: changeMode,
  chown: changeMode,
  chgrp: changeMode,
  chattr: changeMode,
  setfacl: changeMode,
  dd: copyBlocks,
  tar: archive,
  unzip,
  rsync: synchronise,
  scp: synchronise,
  gzip: compress,
  gunzip: compress,
  bzip2: compress,
  bunzip2: compress,
  xz: compress,
  unxz: compress,
  zstd: compress,
  unzstd: compress,
  find,
  split: splitFile,
  csplit: splitFile,
  patch,
};

export const describeWriter = (call: Call, facts: Facts): boolean => {
  const name = /^g(?:tar|find|cp|mv|rm)$/.test(call.name) ? call.name.slice(1) : call.name;
  const describe = Object.hasOwn(WRITERS, name) ? WRITERS[name] : DISKS.test(name) ? overwrite : undefined;
  if (describe === undefined) return false;
  describe({ ...call, name }, facts);
  return true;
};
