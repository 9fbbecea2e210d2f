/** `git`: which forms only read, what rewrites shared history, what makes later commands run programs. */
import { type GitLine, PROGRAM_KEYS, readGit } from "../shell/git-runs.ts";
import type { Word } from "../shell/types.ts";
import type { Describe, Facts } from "./facts.ts";
import { type Arguments, hasOption, optionValues, readArguments, tail } from "./options.ts";

/** Subcommands that read in every form, but for the options in `BEYOND`. */
const READS =
  /^(?:status|log|diff|show|blame|annotate|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|cat-file|grep|name-rev|merge-base|for-each-ref|show-ref|show-branch|whatchanged|diff-tree|diff-index|diff-files|count-objects|check-ignore|check-attr|check-mailmap|check-ref-format|var|version|cherry|range-diff|verify-commit|verify-tag|patch-id|get-tar-commit-id|merge-tree|--version)$/;

/** Options that write a file or run a program in a form that otherwise reads. */
const BEYOND = "--output --ext-diff --textconv --filters -O --open-files-in-pager --exec --write-tree --web --edit";

/** Globals that change neither what is read nor what runs. */
const HARMLESS_GLOBAL =
  /^(?:--no-pager|-P|--no-optional-locks|--no-replace-objects|--literal-pathspecs|--icase-pathspecs|--version|--help)$/;
const HARMLESS_SETTING =
  /^(?:color\.|user\.(?:name|email)$|core\.(?:quotepath|abbrev|autocrlf|pager=(?:cat|less)?$)|advice\.|log\.|diff\.(?:renames|renamelimit|algorithm|context|noprefix|mnemonicprefix)|status\.|i18n\.|column\.|init\.defaultbranch|commit\.gpgsign=false|gc\.auto|pull\.(?:rebase|ff)|push\.default|safe\.directory)/i;

const VALUES =
  "m F c S L n U G O o b u format pretty since until after before author committer grep max-count message file branch output date reuse-message";

/** Where letters that take a value elsewhere stand alone: `push -uf`, `grep -cO`. */
const OWN_VALUES: Readonly<Record<string, string>> = {
  push: "o push-option repo receive-pack exec",
  grep: "e f A B C m max-count max-depth threads",
};

/** No subcommand has all of `VALUES`: what stands in the place of a value may be an option after all, as in `diff -b --output=x`. */
function readOptions(subcommand: Word, rest: readonly Word[]): Arguments {
  const values = Object.hasOwn(OWN_VALUES, subcommand.text) ? OWN_VALUES[subcommand.text] : VALUES;
  const args = readArguments([subcommand, ...rest], values);
  const hidden = args.options.flatMap(({ value }) => value ?? []).filter(({ text }) => /^-./.test(text));
  return { ...args, options: [...args.options, ...readArguments([subcommand, ...hidden], values).options] };
}

export const describeGit: Describe = ({ words }, facts) => {
  const line = readGit(words);
  facts.kind = "git";
  facts.reads.push(...line.folders);
  const subcommand = line.subcommand;
  if (subcommand === undefined) {
    facts.readOnly = line.globals.every((word) => HARMLESS_GLOBAL.test(word.text));
    if (facts.readOnly) facts.kind = "read";
    return;
  }
  if (!subcommand.known) facts.problems.push("which git command it is cannot be resolved");
  const args = readOptions(subcommand, line.rest);
  if (reads(args, subcommand.text) && hasHarmlessGlobals(line)) {
    facts.kind = "read";
    facts.readOnly = true;
    if (args.doubtful)
      facts.problems.push("a word that cannot be resolved may be an option of git that writes or runs something");
  }
  addPaths(line, args, facts);
  addDangers(subcommand.text, args, facts);
};

function hasHarmlessGlobals(line: GitLine): boolean {
  const folders = new Set(line.folders);
  const settings = new Set(line.settings);
  return line.globals.every((word) => {
    if (settings.has(word)) return HARMLESS_SETTING.test(word.text);
    return folders.has(word) || /^-[cC]$/.test(word.text) || HARMLESS_GLOBAL.test(word.text);
  });
}

type Form = (args: Arguments) => boolean;

const verbIs =
  (pattern: RegExp, bare = false): Form =>
  ({ operands: [verb] }) =>
    verb === undefined ? bare : pattern.test(verb.text);

const LISTING = "-l --list --contains --no-contains --merged --no-merged --points-at";

/** Lists unless it is given a name to make, or an option that changes. */
const lists =
  (changing: string): Form =>
  (args) =>
    !hasOption(args, changing) && (args.operands.length === 0 || hasOption(args, LISTING));

/** `git config user.name`, without a value. */
const asksForKey: Form = ({ operands: [key, ...more], options }) =>
  key?.known === true &&
  /^[\w-]+\../.test(key.text) &&
  more.length === 0 &&
  options.every(({ name }) =>
    /^(?:-z|--(?:global|local|system|worktree|show-origin|show-scope|null|bool|int|path))$/.test(name),
  );

/** Subcommands of which only some forms read. */
const READING_FORMS: Readonly<Record<string, Form>> = {
  branch: lists(
    "-d -D -m -M -c -C -f -u --delete --move --copy --force --set-upstream-to --unset-upstream --edit-description --track --create-reflog",
  ),
  tag: lists("-d --delete -f --force -a --annotate -s --sign -F -m --message -u --local-user"),
  stash: verbIs(/^(?:list|show)$/),
  remote: verbIs(/^get-url$/, true),
  config: (args) =>
    hasOption(args, "--get --get-all --get-regexp --get-urlmatch --list -l") ||
    verbIs(/^(?:get|list)$/)(args) ||
    asksForKey(args),
  reflog: verbIs(/^(?:show|exists)$/, true),
  "symbolic-ref": (args) => args.operands.length === 1 && !hasOption(args, "-d --delete"),
  worktree: verbIs(/^list$/),
  submodule: verbIs(/^(?:status|summary)$/, true),
  notes: verbIs(/^(?:list|show)$/, true),
  bisect: verbIs(/^log$/),
  "hash-object": (args) => !hasOption(args, "-w"),
};

function reads(args: Arguments, subcommand: string): boolean {
  if (hasOption(args, BEYOND)) return false;
  const form = Object.hasOwn(READING_FORMS, subcommand) ? READING_FORMS[subcommand] : undefined;
  return READS.test(subcommand) || form?.(args) === true;
}

/** Operands behind `--`, and any word that looks like a path elsewhere; addresses of repositories are hosts. */
function addPaths(line: GitLine, args: Arguments, facts: Facts): void {
  const cut = line.rest.findIndex((word) => word.text === "--");
  facts.reads.push(...(cut < 0 ? [] : line.rest.slice(cut + 1)));
  facts.writes.push(...optionValues(args, "--output"), ...writtenFolders(line.subcommand?.text ?? "", args));
  if (/^(?:checkout|restore|rm|mv|reset|clean|switch)$/.test(line.subcommand?.text ?? ""))
    facts.mayWrite.push(...args.operands);
  for (const word of cut < 0 ? line.rest : line.rest.slice(0, cut)) {
    if (/^(?:[a-z][a-z0-9+.-]*:\/\/|[\w.-]+@[\w.-]+:)/i.test(word.text)) facts.hosts.push(scpAddress(word));
    else if (/^(?:\/|\.\.(?:\/|$))/.test(word.shape)) facts.reads.push(word);
    else facts.reads.push(...pathInOption(word));
    if (/^[a-z-]+::/.test(word.text)) facts.problems.push("git is given an address that names a program");
  }
}

/** `--contents=/etc/x`, `-f/etc/x`. */
function pathInOption(word: Word): readonly Word[] {
  if (/^--(?:grep|author|committer|format|pretty|date|since|until|[\w-]*prefix)=/.test(word.shape)) return [];
  const cut = /^(?:--[\w-]+=|-[fOX])(?=\/|\.\.(?:\/|$))/.exec(word.shape)?.[0].length;
  return cut === undefined ? [] : [tail(word, cut)];
}

/** Folders and files that a subcommand makes. */
function writtenFolders(subcommand: string, args: Arguments): readonly Word[] {
  switch (subcommand) {
    case "clone":
      return args.operands.slice(1, 2);
    case "init":
      return args.operands.slice(0, 1);
    case "worktree":
      return args.operands.slice(1, 2);
    case "archive":
    case "format-patch":
      return optionValues(args, "-o --output-directory");
    case "bundle":
      return args.operands.slice(1, 2);
    default:
      return [];
  }
}

/** `git@host:path` as an address. */
function scpAddress(word: Word): Word {
  const host = /^[\w.-]+@([\w.-]+):/.exec(word.text)?.[1];
  return host === undefined || word.text.includes("://") ? word : { ...word, text: host, shape: host };
}

function addDangers(subcommand: string, args: Arguments, facts: Facts): void {
  if (subcommand === "push") addPushDangers(args, facts);
  if (hasOption(args, "--ext-diff --open-files-in-pager") || (subcommand === "grep" && hasOption(args, "-O"))) {
    facts.problems.push("git runs a program that its settings or environment name");
  }
  if (subcommand === "config" && facts.kind !== "read") {
    const words = [...args.operands, ...args.options.flatMap((option) => option.value ?? [])];
    if (words.some((word) => !word.known || PROGRAM_KEYS.test(word.text))) {
      facts.guarded.push("changes a git setting that makes later git commands run programs");
    }
  }
  if (/^(?:init|clone)$/.test(subcommand) && hasOption(args, "--template")) {
    facts.guarded.push("installs hooks that later git commands run");
  }
  if (subcommand === "credential") facts.guarded.push("prints stored passwords");
  if (/^(?:send-email|gui|citool|instaweb|daemon|p4|svn|imap-send|http-backend|shell)$/.test(subcommand)) {
    facts.problems.push(`what git ${subcommand} does cannot be told`);
  }
}

function addPushDangers(args: Arguments, facts: Facts): void {
  const why = destroysShared(args);
  if (why !== undefined) facts.guarded.push(why);
  if (args.doubtful || args.operands.some((word) => !word.known)) {
    facts.guarded.push("pushes something that cannot be resolved, which may rewrite shared history");
  }
}

function destroysShared(args: Arguments): string | undefined {
  const long = args.options.map((option) => option.name);
  if (hasOption(args, "-f") || long.some((name) => /^--fo(?:rc|$)/.test(name)))
    return "force-pushes: it rewrites shared history";
  if (hasOption(args, "--mirror")) return "mirrors: it can delete every shared branch";
  if (hasOption(args, "-d --delete")) return "deletes a shared branch";
  if (hasOption(args, "--prune")) return "prunes: it deletes shared branches";
  const refspec = args.operands.find((word) => /^[+:]./.test(word.text) && word.text !== ":");
  if (refspec?.text.startsWith("+") === true) return "force-pushes: it rewrites shared history";
  return refspec === undefined ? undefined : "deletes a shared branch";
}
