/**
 * Completion scripts for shells, made from the tables of subcommands and flags. Words of the tables are letters, digits and
 * dashes; explanations are quoted for each shell.
 */
import type { Flag } from "./flags/define.ts";
import { FLAGS } from "./flags/table.ts";
import { type COMPLETION_SHELLS, SUBCOMMANDS } from "./subcommands.ts";

export type Shell = (typeof COMPLETION_SHELLS)[number];

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell]();
}

const SCRIPTS: Readonly<Record<Shell, () => string>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

const subcommandNames = SUBCOMMANDS.map(({ name }) => name);
/** Those of every run; a subcommand has them too, for most of them place or print something. */
const common = FLAGS.filter(({ of }) => !of);
const ofSubcommand = (name: string): readonly Flag[] => FLAGS.filter(({ of }) => of?.includes(name));
const namesOf = (flags: readonly Flag[]): string => flags.flatMap(({ names }) => names).join(" ");
/** Values that are files or folders. */
const isPath = ({ value = "" }: Flag): boolean => /^(FILE|FOLDER|PATH)/.test(value);

function bashScript(): string {
  const values = FLAGS.flatMap(({ names, oneOf }) =>
    oneOf ? [`    ${names.join("|")}) words="${oneOf.join(" ")}" ;;`] : [],
  );
  const paths = FLAGS.filter(isPath).flatMap(({ names }) => names);
  const own = SUBCOMMANDS.map(
    ({ name, verbs = [] }) => `      ${name}) words="${[...verbs, namesOf(ofSubcommand(name))].join(" ").trim()}" ;;`,
  );
  return `# Completion of khaelor for bash: source this, or put it into bash-completion's folder.
_khaelor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words="" word command=""
  COMPREPLY=()
  # bash parts words at "=": what stands in front of it is the flag.
  if [ "$current" = "=" ]; then current=""; elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$before" in
${values.join("\n")}
    ${paths.join("|")}) return ;; # bash's own completion knows files
  esac
  if [ -z "$words" ]; then
    for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
      case "$word" in -*) ;; *) command="$word"; break ;; esac
    done
    case "$command" in
      "") words="${subcommandNames.join(" ")}" ;;
${own.join("\n")}
    esac
    case "$current" in -*) words="$words ${namesOf(common)}" ;; esac
  fi
  COMPREPLY=( $(compgen -W "$words" -- "$current") )
}
complete -o default -F _khaelor khaelor
`;
}

function zshScript(): string {
  const described = SUBCOMMANDS.map(({ name, about }) => `    ${zshQuoted(`${name}:${about}`)}`);
  const cases = SUBCOMMANDS.map(({ name, verbs = [] }) => {
    const flags = [...ofSubcommand(name), ...common].map(zshFlag);
    const first = verbs.length > 0 ? [`'1:what:(${verbs.join(" ")})'`] : [];
    return `    ${name})\n      _arguments -s ${[...flags, ...first, "'*:word:_files'"].join(" ")} ;;`;
  });
  return `#compdef khaelor
# Completion of khaelor for zsh: put this as _khaelor into a folder of $fpath.
_khaelor() {
  local -a subcommands
  subcommands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe subcommand subcommands
    return
  fi
  local command=$words[2]
  case $command in
    -*) _arguments -s ${common.map(zshFlag).join(" ")} '*:word:_files' ;;
  esac
  (( CURRENT-- ))
  shift words
  case $command in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_khaelor" ]; then _khaelor "$@"; else compdef _khaelor khaelor; fi
`;
}

const zshQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function zshFlag(flag: Flag): string {
  const about = flag.about.replace(/[[\]:\\]/g, "\\$&");
  const value = flag.oneOf ? `:value:(${flag.oneOf.join(" ")})` : isPath(flag) ? ":file:_files" : ":value:";
  const takes = flag.takes === "value" || flag.takes === "list" ? value : "";
  return flag.names.map((name) => zshQuoted(`*${name}[${about}]${takes}`)).join(" ");
}

function fishScript(): string {
  const noCommand = `not __fish_seen_subcommand_from ${subcommandNames.join(" ")}`;
  const commands = SUBCOMMANDS.map(
    ({ name, about }) => `complete -c khaelor -f -n ${fishQuoted(noCommand)} -a ${name} -d ${fishQuoted(about)}`,
  );
  const verbs = SUBCOMMANDS.filter((one) => one.verbs).map(
    ({ name, verbs: known = [] }) =>
      `complete -c khaelor -f -n ${fishQuoted(`__fish_seen_subcommand_from ${name}`)} -a ${fishQuoted(known.join(" "))}`,
  );
  return `# Completion of khaelor for fish: put this into ~/.config/fish/completions/khaelor.fish.
${[...commands, ...verbs, ...FLAGS.map(fishFlag)].join("\n")}
`;
}

const fishQuoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;

function fishFlag(flag: Flag): string {
  const names = flag.names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const when = flag.of ? ` -n ${fishQuoted(`__fish_seen_subcommand_from ${flag.of.join(" ")}`)}` : "";
  const isGiven = flag.takes === "value" || flag.takes === "list";
  const value = flag.oneOf
    ? ` -x -a ${fishQuoted(flag.oneOf.join(" "))}`
    : isGiven
      ? ` -r${isPath(flag) ? " -F" : ""}`
      : "";
  return `complete -c khaelor${when} ${names.join(" ")}${value} -d ${fishQuoted(flag.about)}`;
}
