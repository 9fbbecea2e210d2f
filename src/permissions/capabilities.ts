/** From an access to its claims: the command itself, each path that it reads, writes or removes, each host that it reaches. */
import type { Access, Capability } from "../shared/index.ts";
import { assignedName, isDangerousVariable } from "./assignments.ts";
import { type Claim, claim } from "./claims.ts";
import { strictText, wideText } from "./command-text.ts";
import { hostClaims, pathClaims, placesOf, type Use } from "./path-claims.ts";
import type { Ground } from "./paths.ts";
import { executedFiles, fetches } from "./programs/dangers.ts";
import { describeCommand } from "./programs/describe.ts";
import type { Facts, Kind } from "./programs/facts.ts";
import { readGit } from "./shell/git-runs.ts";
import type { SimpleCommand } from "./shell/types.ts";
import { readShell } from "./shell/walk.ts";
import { baseName, wordOf } from "./shell/word.ts";
import { wrapperFolder } from "./shell/wrappers.ts";

type CommandAccess = Extract<Access, { kind: "command" }>;

export function commandClaims(access: CommandAccess, ground: Ground): readonly Claim[] {
  const { command: text, cwd } = access;
  const [projectRoot = cwd] = ground.project;
  const reading = readShell(text, { cwd, home: ground.home, projectRoot });
  const shown = text.trim();
  const whole = { capability: "process.execute", text: shown, why: "" } as const;
  const claims: Claim[] = reading.catastrophes.map((floor) => claim({ ...whole, floor }));
  for (const error of new Set(reading.errors)) {
    claims.push(claim({ ...whole, unresolved: `the command cannot be judged: ${error}`, broken: true }));
  }
  const traces: Traces = { ground, fetched: new Set() };
  for (const command of reading.commands) claims.push(...claimsOf(command, traces));
  return claims;
}

function claimsOf(command: SimpleCommand, traces: Traces): readonly Claim[] {
  const { ground } = traces;
  const facts = believed(describeCommand(command), command, ground);
  const redirected = redirections(command, ground);
  if (command.words.length === 0) return [...bareClaims(command), ...redirected];
  const own = commandClaim(command, { ...facts, guarded: [...facts.guarded, ...runsFetched(command, traces)] });
  leaveTraces(command, facts, traces);
  const hosts = hostClaims(facts.hosts, facts.kind === "network", { ground, command });
  const all = [own, ...hosts, ...redirected];
  // A wrapper's own operands are its inner command's, which stands in the list itself.
  if (command.role === "wrapper") return [own, ...redirected, ...startedIn(command, ground)];
  // `cd` alone goes home.
  const goesHome = command.words.length === 1 && command.words[0]?.text === "cd";
  if (goesHome) facts.reads.push(wordOf(ground.home));
  return [...all, ...uses(facts).flatMap((use) => pathClaims(use, command, ground))];
}

/** `env -C folder cmd` reads the folder as `cd folder` does. */
function startedIn(command: SimpleCommand, ground: Ground): readonly Claim[] {
  const target = wrapperFolder(baseName(command.words[0]?.text ?? ""), command.words);
  return target === undefined ? [] : pathClaims({ kind: "read", target }, command, ground);
}

/** Git that only looks still runs what the repository's own settings name. */
function believed(facts: Facts, command: SimpleCommand, ground: Ground): Facts {
  if (facts.kind !== "read" || baseName(command.words[0]?.text ?? "") !== "git") return facts;
  const setting = settingInForce(command, ground);
  if (setting === undefined) return facts;
  const because = `the repository's own settings (${setting}) make git run a program for it`;
  return { ...facts, kind: "git", readOnly: false, because };
}

function settingInForce({ words, cwds }: SimpleCommand, { settingThatRuns }: Ground): string | undefined {
  const { folders, subcommand } = readGit(words);
  if (subcommand === undefined) return undefined;
  if (cwds.length === 0 || folders.some((word) => !word.known || word.pattern)) return "of one that cannot be told";
  const way = folders.map(({ text }) => text);
  const places = cwds.map((cwd) => way.reduce((at, name) => (name.startsWith("/") ? name : `${at}/${name}`), cwd));
  return places.map(settingThatRuns).find((setting) => setting !== undefined);
}

const CAPABILITY: Readonly<Record<Kind, Capability>> = {
  read: "file.read",
  git: "git.modify",
  network: "network.access",
  run: "process.execute",
};

function commandClaim(command: SimpleCommand, facts: Facts): Claim {
  const dangerous = dangerousAssignments(command);
  const prefix = dangerous.map(({ name, value }) => `${name}=${value.text} `).join("");
  const text = strictText(command.words, prefix);
  const [unresolved] = [...command.problems, ...facts.problems];
  const changesShell = dangerous.length > 0 || namesDangerous(command);
  const isRead = facts.kind === "read" && !changesShell;
  const reads = isRead && facts.readOnly;
  const byHost = facts.kind === "network" && !changesShell;
  return claim({
    capability: facts.kind === "read" && !isRead ? "process.execute" : CAPABILITY[facts.kind],
    text,
    // A network program is judged by its hosts; only rules that forbid it look at its text.
    subjects: facts.kind === "network" ? [] : [text],
    wide: wideText(command.words, strictText(command.words)),
    ...optional({ floor: facts.floor[0], guard: facts.guarded[0], unresolved }),
    byDefault: reads || byHost ? "allow" : "ask",
    why: whyOf(facts, changesShell),
    reads,
    edits: facts.editsOnly && !changesShell,
    role: command.role === "wrapper" && changesShell ? "run" : command.role,
  });
}

/** Only the reasons that there are. */
const optional = (reasons: Readonly<Record<"floor" | "guard" | "unresolved", string | undefined>>): Partial<Claim> =>
  Object.fromEntries(Object.entries(reasons).filter(([, reason]) => reason !== undefined));

function whyOf(facts: Facts, changesShell: boolean): string {
  if (changesShell) return "it sets a variable that changes which programs run";
  if (facts.kind === "read" && facts.readOnly) return "it only reads";
  if (facts.because !== undefined) return facts.because;
  if (facts.kind === "network") return "its hosts are judged on their own";
  return facts.kind === "git" ? "it changes the repository, and no rule matches" : "no rule matches";
}

const dangerousAssignments = (command: SimpleCommand): SimpleCommand["assignments"] =>
  command.assignments.filter(({ name, value }) => isDangerousVariable(name, value.known ? value.text : undefined));

const SETTERS = /^(?:export|declare|typeset|local|readonly|read|printf|mapfile|readarray|unset|getopts)$/;

/** `export PATH=…`, `read PATH`: a builtin that sets a variable which later programs obey. */
function namesDangerous({ words }: SimpleCommand): boolean {
  const [program, ...rest] = words;
  if (program === undefined || !SETTERS.test(program.text)) return false;
  const isAssigning = !/^(?:export|readonly|declare|typeset|local)$/.test(program.text);
  return rest.some((word) => {
    const name = assignedName(word.text) ?? (isAssigning ? word.text : "");
    const value = word.known ? /=(.*)$/s.exec(word.text)?.[1] : undefined;
    return isDangerousVariable(name, value) || (!word.known && !/^\w+=/.test(word.text) && program.text !== "printf");
  });
}

/** Assignments and redirections without a command. */
function bareClaims(command: SimpleCommand): readonly Claim[] {
  const claims = command.problems.map((unresolved) =>
    claim({ capability: "process.execute", text: unresolved, unresolved, why: "", role: command.role }),
  );
  for (const { name, value } of dangerousAssignments(command)) {
    const text = `${name}=${value.text}`;
    const why = "it sets a variable that changes which programs run";
    claims.push(claim({ capability: "process.execute", text, why, role: command.role }));
  }
  return claims;
}

const redirections = (command: SimpleCommand, ground: Ground): readonly Claim[] =>
  command.redirections.flatMap(({ op, target }) => pathClaims({ kind: op, target }, command, ground));

const uses = (facts: Facts): readonly Use[] => [
  ...facts.reads.map((target): Use => ({ kind: "read", target })),
  ...facts.writes.map((target): Use => ({ kind: "write", target })),
  ...facts.mayWrite.map((target): Use => ({ kind: "may-write", target })),
  ...facts.removals.map((removal): Use => ({ kind: "remove", ...removal })),
];

/** What the commands of one text leave behind for its later ones. */
interface Traces {
  readonly ground: Ground;
  /** Files that a network program wrote. */
  readonly fetched: Set<string>;
}

/** Tells when a command runs a file that an earlier one fetched. */
function runsFetched(command: SimpleCommand, { ground, fetched }: Traces): readonly string[] {
  const [program] = command.words;
  if (program === undefined || fetched.size === 0) return [];
  const executed = executedFiles({ name: baseName(program.text), words: command.words, command });
  const runs = executed.some((word) => placesOf(word, command, ground).some((place) => fetched.has(place.path)));
  return runs ? ["runs a file that this command fetches from the network"] : [];
}

function leaveTraces(command: SimpleCommand, facts: Facts, { ground, fetched }: Traces): void {
  for (const { at, target } of facts.links) {
    for (const cwd of command.cwds) ground.addLink(at, target, cwd);
  }
  const isRemote = command.input.kind === "unknown" && command.input.remote;
  if (!isRemote && !fetches(baseName(command.words[0]?.text ?? ""))) return;
  const redirected = command.redirections.filter((use) => use.op === "write").map((use) => use.target);
  // `curl -O` and `wget` name the file after the address.
  const named = facts.hosts.map((host) => ({ ...host, shape: baseName(host.shape.replace(/[?#].*$/, "")) }));
  for (const word of [...facts.writes, ...redirected, ...named]) {
    if (word.shape === "") continue;
    for (const place of placesOf(word, command, ground)) fetched.add(place.path);
  }
}
