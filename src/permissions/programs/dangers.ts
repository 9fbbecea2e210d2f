/** What some programs do that no table of reads and writes shows: power, privilege, persistence, remote code. */
import { isFetcher } from "../shell/output.ts";
import { isShell } from "../shell/shells.ts";
import type { Flow, Word } from "../shell/types.ts";
import type { Call, Describe, Facts } from "./facts.ts";
import { hasOption, readArguments } from "./options.ts";

const INTERPRETERS =
  /^(?:python[\d.]*|pypy3?|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|luajit|tclsh|Rscript|osascript|pwsh|fish|t?csh|nu|elvish|xonsh|tsx|ts-node|groovy|raku|guile|source|\.|eval)$/;

export const isInterpreter = (name: string): boolean => isShell(name) || INTERPRETERS.test(name);

export const addDangers: Describe = (call, facts) => {
  addPower(call, facts);
  addPrivilege(call, facts);
  addPersistence(call, facts);
  addRemoteCode(call, facts);
  addEditsInPlace(call, facts);
};

/** `perl -pi -e … file`. */
function addEditsInPlace({ name, words }: Call, facts: Facts): void {
  if (!/^(?:perl[\d.]*|ruby[\d.]*)$/.test(name)) return;
  const args = readArguments(words, "e E I M m r");
  if (hasOption(args, "-i")) facts.writes.push(...args.operands);
}

function addPower({ name, words }: Call, facts: Facts): void {
  const texts = words.slice(1).map((word) => word.text);
  if (/^(?:reboot|halt|poweroff)$/.test(name) && !texts.includes("--help")) facts.floor.push("turns the machine off");
  if (name === "shutdown" && !texts.some((text) => /^(?:-c|--help)$/.test(text)))
    facts.floor.push("turns the machine off");
  if (/^(?:tel)?init$/.test(name) && texts.some((text) => /^[016sS]$/.test(text)))
    facts.floor.push("turns the machine off");
  const power =
    /^(?:poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|exit|(?:poweroff|reboot|halt|rescue|emergency|shutdown|kexec)\.target)$/;
  if (/^(?:systemctl|loginctl)$/.test(name) && texts.some((text) => power.test(text)))
    facts.floor.push("turns the machine off");
  if (name === "killall5") facts.floor.push("kills every process");
  if (name === "kill" && killsAll(words.slice(1))) facts.floor.push("kills every process");
}

/** `-1` is every process, unless it is the signal: the first word, with a process behind it. */
function killsAll(rest: readonly Word[]): boolean {
  const texts = rest.map((word) => word.text);
  const named = /^-(?:s|n|-signal)$/.test(texts[0] ?? "");
  const first = named ? 2 : /^-./.test(texts[0] ?? "") && texts[0] !== "--" ? 1 : 0;
  if (texts.length === 1 && texts[0] === "-1") return true;
  return texts.slice(first).some((text) => text === "-1");
}

function addPrivilege({ name, words }: Call, facts: Facts): void {
  if (/^(?:sudo|doas|su|pkexec|run0|runuser|sudoedit|gosu|su-exec)$/.test(name))
    facts.guarded.push("runs with another user's rights");
  if (
    /^(?:visudo|passwd|chpasswd|useradd|usermod|userdel|groupadd|groupmod|adduser|deluser|gpasswd|chsh|chfn|vipw|dscl)$/.test(
      name,
    )
  ) {
    facts.guarded.push("changes accounts");
  }
  if (/^(?:khaelor)$/.test(name) && !/^--?(?:version|help|v|h)$/.test(words[1]?.text ?? "")) {
    facts.guarded.push("starts another agent, with rules of its own");
  }
  const secrets = PRINTS_SECRETS.get(name);
  if (words.some((word) => secrets?.test(word.text))) facts.guarded.push("prints private keys or stored passwords");
  if (name === "ssh-keygen" && !words.some((word) => /^-[a-zA-Z]*[lyFBeE]$/.test(word.text))) {
    const args = readArguments(words, "t b C N f P O m a q s I n V z");
    const file = args.options.find((option) => option.name === "-f")?.value;
    if (file === undefined) facts.floor.push("writes to ~/.ssh, which opens the account");
    else facts.writes.push(file);
  }
}

/** The words that make these programs show what they keep. */
const PRINTS_SECRETS: ReadonlyMap<string, RegExp> = new Map([
  ["gpg", /^--export-secret-/],
  ["gpg2", /^--export-secret-/],
  ["security", /^(?:find-(?:generic|internet)-password|dump-keychain|export)$/],
  ["secret-tool", /^(?:lookup|search)$/],
]);

function addPersistence({ name, words }: Call, facts: Facts): void {
  const texts = words.slice(1).map((word) => word.text);
  if (name === "crontab" && !(texts.length === 1 && texts[0] === "-l")) facts.guarded.push("changes what cron runs");
  if (/^(?:at|batch)$/.test(name) && !texts.some((text) => /^-[lcV]$/.test(text)))
    facts.guarded.push("has commands run later");
  if (name === "systemctl" && texts.some((text) => /^(?:enable|reenable|link|edit|set-environment)$/.test(text))) {
    facts.guarded.push("changes what starts by itself");
  }
  if (name === "systemd-run" && texts.some((text) => /^--(?:on-|timer-property|path-property)/.test(text)))
    facts.guarded.push("has commands run later");
  if (name === "launchctl" && texts.some((text) => /^(?:load|bootstrap|submit|enable)$/.test(text))) {
    facts.guarded.push("changes what starts by itself");
  }
}

const isRemote = (flow: Flow | undefined): boolean => flow?.kind === "unknown" && flow.remote;

/** What a network program sends goes straight to an interpreter. */
function addRemoteCode({ name, words, command }: Call, facts: Facts): void {
  if (!isInterpreter(name)) return;
  const fromWord = words.slice(1).some((word) => isRemote(word.flow));
  if (fromWord || (isRemote(command.input) && readsProgram(name, words))) {
    facts.guarded.push("runs text that comes from the network");
  }
}

/** Without a script or `-c`, an interpreter runs what it reads. */
function readsProgram(name: string, words: readonly Word[]): boolean {
  const args = readArguments(words, name === "node" ? "e p r eval print require" : "c e m O o W X");
  const operand = scriptOf(name, args.operands);
  if (isShell(name))
    return !hasOption(args, "-c") && (operand === undefined || hasOption(args, "-s") || STDIN.test(operand.text));
  if (hasOption(args, "-c -e -m -p --eval --print")) return false;
  return operand === undefined || STDIN.test(operand.text);
}

/** `deno run x.ts`: the word behind the verb. */
const scriptOf = (name: string, [first, second]: readonly Word[]): Word | undefined =>
  /^(?:deno|bun)$/.test(name) && first?.text === "run" ? second : first;

const STDIN = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

/** The words of a command that execute a file: the program itself, or the script that an interpreter is given. */
export function executedFiles({ name, words }: Call): readonly Word[] {
  const [program] = words;
  if (program === undefined) return [];
  if (program.text.includes("/")) return [program];
  if (!isInterpreter(name)) return [];
  const operand = scriptOf(name, readArguments(words, "c e m").operands);
  return operand === undefined ? [] : [operand];
}

export const fetches = (name: string): boolean => isFetcher(name);
