/**
 * Questions to git about a repository that may be hostile: its own configuration and attributes name programs that git would
 * run on the way, and none of them may. Reads only; takes no lock, fetches nothing, starts no daemon, has a time limit.
 */
import type { Workspace } from "../workspace/index.ts";

export interface GitAnswer {
  readonly exitCode: number | null;
  /** What git wrote to its standard output; cut at the end when `complete` is false. */
  readonly bytes: Uint8Array;
  readonly complete: boolean;
}

export interface GitQuestion {
  readonly workspace: Workspace;
  /** The folder that holds `.git`. */
  readonly root: string;
  readonly signal?: AbortSignal;
}

const TIME_LIMIT_MS = 5_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Settings that outrank the repository's own. A bare repository inside a project (`safe.bareRepository`) is not entered at
 * all: it could be a plain folder that brings its own configuration.
 */
const FIXED: readonly (readonly [key: string, value: string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["core.untrackedCache", "keep"],
  ["diff.autoRefreshIndex", "false"],
  ["diff.submodule", "short"], // `diff` would start another git inside, which obeys the submodule's configuration
  ["safe.bareRepository", "explicit"],
  ["status.submoduleSummary", "false"],
  ["submodule.recurse", "false"],
];

/** No protocol may be spoken, not even to complete a partial clone: `remote.*.url` may be a command. */
const SILENT = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
} as const;

/**
 * Set by a hook or script that khaelor was started from; they would point git at another repository or another configuration
 * (`git rev-parse --local-env-vars`), or change the meaning of paths.
 */
const INHERITED = [
  "GIT_DIR GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_COMMON_DIR GIT_CONFIG GIT_INDEX_FILE GIT_PREFIX GIT_NAMESPACE",
  "GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_SHALLOW_FILE GIT_GRAFT_FILE GIT_REPLACE_REF_BASE",
  "GIT_NO_REPLACE_OBJECTS GIT_ATTR_SOURCE GIT_EXTERNAL_DIFF GIT_DIFF_OPTS",
  "GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS",
].join(" ");

/** Asks with shell text. The limits are those of this one answer. */
export type AskGit = (script: string, limits?: GitLimits) => Promise<GitAnswer>;

export interface GitLimits {
  readonly timeLimitMs?: number;
  readonly maxOutputBytes?: number;
}

/** A git that may be asked about this repository, or undefined when its configuration cannot be read or is absurd. */
export async function openGit(question: GitQuestion): Promise<AskGit | undefined> {
  const listing = await run(question, `${GIT} config --list --show-scope --name-only -z`, { env: environment([]) });
  if (listing.exitCode !== 0 || !listing.complete) return undefined;
  const off = localFilters(listing.bytes).flatMap(disabled);
  if (off.length > MAX_OVERRIDES) return undefined;
  const env = environment(off);
  return (script, limits = {}) => run(question, script, { env, ...limits });
}

const MAX_OVERRIDES = 400;

/**
 * One question in one shell: whether the repository defines filters of its own is found out on the way, and only one that
 * does costs what `openGit` costs. Undefined like there. The script may replace the shell.
 */
export async function askOnce(question: GitQuestion, script: string): Promise<GitAnswer | undefined> {
  const answer = await run(question, `${WITHOUT_OWN_FILTERS}\n${script}`, { env: environment([]) });
  if (answer.exitCode === UNREADABLE) return undefined;
  return answer.exitCode === OWN_FILTERS ? (await openGit(question))?.(script) : answer;
}

const UNREADABLE = 97;
const OWN_FILTERS = 98;

/** Begins every command of a script: `${GIT} status …`. */
export const GIT = "git --no-pager";

/** No name in a configuration can hold a line break, so each line is a scope, a tab and a name. Trusted are those of `TRUSTED_SCOPES`. */
const WITHOUT_OWN_FILTERS = `names=$(${GIT} config --list --show-scope --name-only) || exit ${UNREADABLE}
tab=$(printf '\\t'); IFS='
'; set -f
for line in $names; do
  case $line in
    "system$tab"* | "global$tab"* | "command$tab"*) ;;
    *"\${tab}filter."*) exit ${OWN_FILTERS} ;;
  esac
done
set +f; unset IFS`;

/** For text that comes from outside the program. */
export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

type Variables = Readonly<Record<string, string>>;

async function run(
  { workspace, root, signal }: GitQuestion,
  script: string,
  { env, timeLimitMs = TIME_LIMIT_MS, maxOutputBytes = MAX_OUTPUT_BYTES }: GitLimits & { readonly env: Variables },
): Promise<GitAnswer> {
  const result = await workspace.exec({
    command: `unset ${INHERITED}; export GIT_WORK_TREE=${quoted(root)}; exec 2>/dev/null; ${script}`,
    cwd: root,
    timeoutMs: timeLimitMs,
    env,
    maxOutputBytes,
    exact: true,
    ...(signal && { signal }),
  });
  if (!result.ok) return { exitCode: null, bytes: new Uint8Array(), complete: false };
  const { exitCode, head, omittedBytes } = result.value;
  return { exitCode, bytes: head, complete: omittedBytes === 0 };
}

/** Overrides as variables and not as `-c`, for a filter's name may hold any character. */
function environment(extra: readonly (readonly [string, string])[]): Variables {
  const settings = [...FIXED, ...extra];
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...SILENT, GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/**
 * The names of clean and smudge filters that the repository itself defines. Looking whether a file has changed would run
 * them; those of the user's own configuration (git-lfs, for one) are the user's choice and stay.
 */
function localFilters(listing: Uint8Array): readonly string[] {
  const fields = new TextDecoder().decode(listing).split("\0");
  const found = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = /^filter\.(.+)\.[^.]+$/s.exec(fields[at + 1] ?? "")?.[1];
    if (name !== undefined && !TRUSTED_SCOPES.has(fields[at] ?? "")) found.add(name);
  }
  return [...found];
}

const TRUSTED_SCOPES: ReadonlySet<string> = new Set(["system", "global", "command"]);

/** An empty command is no command. */
const disabled = (filter: string): readonly (readonly [string, string])[] => [
  [`filter.${filter}.clean`, ""],
  [`filter.${filter}.smudge`, ""],
  [`filter.${filter}.process`, ""],
  [`filter.${filter}.required`, "false"],
];
