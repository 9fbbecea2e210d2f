/**
 * What a repository's own settings would make git run though it is only asked to look: a monitor, a filter, a driver. A
 * repository that came as an archive, or lies as plain files among others, brings such settings along. They are read as text,
 * and strictly: what only might name a program does. Nothing is run.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "../shared/index.ts";
import { resolveRealPath } from "./real-path.ts";

const MAX_SETTINGS_BYTES = 1024 * 1024;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 4;
const MAX_SUBMODULES = 200;

interface Repository {
  readonly gitDir: string;
  /** The folder that holds `.git`; a bare repository has none. */
  readonly workTree?: string;
}

/** The setting by which git would run a program in this folder, as in `core.fsmonitor`; undefined when there is none. */
export function settingThatRuns(folder: string): string | undefined {
  const real = resolveRealPath(folder);
  return real === undefined ? "of a folder that cannot be found" : settingBelow(real, 0);
}

function settingBelow(folder: string, depth: number): string | undefined {
  const repository = repositoryAround(folder);
  if (repository === undefined) return undefined;
  const { gitDir } = repository;
  const pointed = textAt(join(gitDir, "commondir"))?.trim();
  const common = pointed ? resolve(gitDir, pointed) : gitDir;
  const texts = [join(common, "config"), join(gitDir, "config.worktree")].flatMap((path) => settingsIn(path, 0));
  const own = texts.includes(undefined) ? "that cannot be read" : namedIn(texts.join("\n"), repository);
  return own ?? inSubmodules(repository, depth);
}

function repositoryAround(start: string): Repository | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const git = join(folder, ".git");
    if (isThere(join(git, "HEAD"))) return { gitDir: git, workTree: folder };
    const pointed = /^gitdir: *(.+)/.exec(textAt(git) ?? "")?.[1];
    if (pointed !== undefined) return { gitDir: resolve(folder, pointed.trim()), workTree: folder };
    if (["HEAD", "objects", "refs"].every((name) => isThere(join(folder, name)))) return { gitDir: folder };
    if (dirname(folder) === folder) return undefined;
  }
}

/** With what it includes; undefined for what is there but cannot be read. */
function settingsIn(path: string, depth: number): readonly (string | undefined)[] {
  if (!isThere(path)) return [];
  const text = textAt(path);
  if (text === undefined || depth > MAX_DEPTH) return [undefined];
  const { sections, values } = read(text);
  if (!sections.has("include") && !sections.has("includeif")) return [text];
  const included = (values.get("path") ?? []).map((value) => value.replace(/^"(.*)"$/, "$1"));
  if (included.some((name) => /^(?:~[^/]|%)|["\\]/.test(name))) return [undefined];
  return [
    text,
    ...included.flatMap((name) => settingsIn(resolve(dirname(path), name.replace(/^~(?=\/)/, homedir())), depth + 1)),
  ];
}

interface Settings {
  readonly sections: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Which key stands in which section is not asked: a text that is laid out cleverly gains nothing. */
function read(text: string): Settings {
  const sections = new Set<string>();
  const values = new Map<string, string[]>();
  for (const line of text.replaceAll("]", "]\n").split("\n")) {
    const section = /^\s*\[\s*([\w-]+)/.exec(line)?.[1];
    if (section !== undefined) sections.add(section.toLowerCase());
    const [, key, value = "true"] = /^\s*([a-z][\w-]*)\s*(?:=\s*(.*?)\s*)?$/i.exec(line) ?? [];
    if (key !== undefined) values.set(key.toLowerCase(), [...(values.get(key.toLowerCase()) ?? []), value]);
  }
  return { sections, values };
}

/** By section, the keys whose value is a program that looking may start. Pagers are not: commands are given one. */
const NAMING: Readonly<Record<string, readonly string[]>> = {
  core: ["fsmonitor", "worktree"],
  filter: ["clean", "smudge", "process"],
  diff: ["external", "command", "textconv"],
  merge: ["driver"],
  gpg: ["program"],
};
/** Started by looking only where what is missing is fetched on the way. */
const NAMING_ON_FETCH: Readonly<Record<string, readonly string[]>> = {
  core: ["sshcommand", "gitproxy", "askpass"],
  remote: ["uploadpack", "vcs"],
  credential: ["helper"],
  protocol: ["allow"],
};

function namedIn(text: string, repository: Repository): string | undefined {
  const settings = read(text);
  const fetches = settings.values.has("promisor") || settings.values.has("partialclone");
  const tables = fetches ? [NAMING, NAMING_ON_FETCH] : [NAMING];
  for (const [section, keys] of tables.flatMap((table) => Object.entries(table))) {
    if (!settings.sections.has(section)) continue;
    const named = keys.find((key) => settings.values.get(key)?.some((value) => !isHarmless(key, value, repository)));
    if (named !== undefined) return `${section}.${named}`;
  }
  return undefined;
}

function isHarmless(key: string, value: string, { gitDir, workTree }: Repository): boolean {
  switch (key) {
    case "fsmonitor": // git's own
      return /^(?:true|false|yes|no|on|off|1|0)?\s*(?:[#;].*)?$/i.test(value);
    case "worktree": // of a submodule
      return workTree !== undefined && /^[\w./ -]+$/.test(value) && resolve(gitDir, value) === workTree;
    case "clean":
    case "smudge":
    case "process":
      return /^git-lfs (?:clean|smudge|filter-process)(?: -- %f)?$/.test(value);
    default:
      return false;
  }
}

/** Looking at a repository looks at those inside it, by their own settings. */
function inSubmodules({ gitDir, workTree }: Repository, depth: number): string | undefined {
  const index = workTree === undefined ? undefined : bytesAt(join(gitDir, "index"), MAX_INDEX_BYTES);
  if (index === undefined || workTree === undefined || !index.includes(GITLINK)) return undefined;
  const paths = index.readUInt32BE(4) > 3 || depth > MAX_DEPTH ? undefined : linkedPaths(index);
  if (paths === undefined) return "of submodules that are not looked at";
  const folders = paths.map((path) => join(workTree, path)).filter((folder) => isThere(join(folder, ".git")));
  const found = folders.filter((folder) => folder !== workTree).map((folder) => settingBelow(folder, depth + 1));
  return found.find((setting) => setting !== undefined);
}

/** The mode of a submodule's entry in an index. In its fourth version paths are cut short. */
const GITLINK = Buffer.from([0, 0, 0xe0, 0]);
/** From there to the path: with SHA-1 and SHA-256, without and with more flags. */
const TO_PATH = [38, 40, 50, 52];

/** Some that are none, too; undefined when there are too many. */
function linkedPaths(index: Buffer): readonly string[] | undefined {
  const paths: string[] = [];
  for (let at = index.indexOf(GITLINK); at >= 0; at = index.indexOf(GITLINK, at + 1)) {
    if (paths.length > MAX_SUBMODULES * TO_PATH.length) return undefined;
    for (const offset of TO_PATH) paths.push(index.toString("utf8", at + offset, index.indexOf(0, at + offset)));
  }
  return paths.filter((path) => path !== "");
}

const isThere = (path: string): boolean => path.length < 4096 && statOf(path) !== undefined;

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false }); // a HEAD may be a link to nothing
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

const textAt = (path: string): string | undefined => bytesAt(path, MAX_SETTINGS_BYTES)?.toString("utf8");

/** Undefined for what is no regular file, cannot be read, or is larger. Never blocks. */
function bytesAt(path: string, maxBytes: number): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const bytes = Buffer.alloc(stat.size);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
