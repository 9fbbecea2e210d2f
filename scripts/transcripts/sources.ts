/**
 * Where transcripts may lie: in the history of a git repository with or without a work tree, and in plain files. Git is only
 * read, never reaches for a network, and equal contents are given once.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";

export interface Source {
  readonly name: string;
  readonly files: readonly SourceFile[];
}

export interface SourceFile {
  readonly name: string;
  /** Undefined when it is listed but not there. */
  read(): Uint8Array | undefined;
}

const MAX_DEPTH = 4;

/** Every repository in the folder (itself included) that holds such files, and the plain files beside them as one more source. */
export function findSources(folder: string): readonly Source[] {
  const repositories = repositoriesIn(folder, 0);
  const sources = repositories.map((place) => ({ name: nameOf(folder, place), files: filesInHistory(place) }));
  const inWorkTrees = (path: string): boolean => repositories.some((place) => path.startsWith(`${place}/`));
  const plain = plainFiles(folder).filter((path) => !inWorkTrees(path));
  const files = plain.map((path) => ({ name: relative(folder, path), read: () => readFileSync(path) }));
  return [...sources, { name: basename(folder), files }].filter((source) => source.files.length > 0);
}

const nameOf = (folder: string, place: string): string => relative(folder, place) || basename(folder);

const isBare = (path: string): boolean =>
  existsSync(join(path, "HEAD")) && existsSync(join(path, "objects")) && existsSync(join(path, "refs"));

function repositoriesIn(folder: string, depth: number): readonly string[] {
  if (existsSync(join(folder, ".git")) || isBare(folder)) return [folder];
  if (depth >= MAX_DEPTH) return [];
  return foldersIn(folder).flatMap((path) => repositoriesIn(path, depth + 1));
}

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map(({ name }) => join(folder, name))
    .sort();

function plainFiles(folder: string): readonly string[] {
  if (statSync(folder).isFile()) return [folder];
  if (isBare(folder)) return [];
  const here = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
    .map(({ name }) => join(folder, name))
    .sort();
  const below = foldersIn(folder).filter((path) => basename(path) !== ".git");
  return [...here, ...below.flatMap(plainFiles)];
}

/** Each content of each .jsonl file that any commit of any branch added, by the newest of its names. */
function filesInHistory(repository: string): readonly SourceFile[] {
  const log = ["log", "--all", "--format=", "--raw", "--no-abbrev", "--no-renames", "-m", "-z", "--", "*.jsonl"];
  const listed = git(repository, log);
  if (listed === undefined) throw new Error(`git cannot read ${repository}`);
  const fields = listed.toString("utf8").split("\0");
  const names = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const object = fields[at]?.trim().split(" ")[3] ?? "";
    if (/[1-9a-f]/.test(object) && !names.has(object)) names.set(object, fields[at + 1] ?? "");
  }
  return [...names].map(([object, name]) => ({
    name: `${name}@${object.slice(0, 8)}`,
    read: () => git(repository, ["cat-file", "blob", object]),
  }));
}

function git(repository: string, args: readonly string[]): Buffer | undefined {
  const env = {
    PATH: process.env.PATH,
    GIT_NO_LAZY_FETCH: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const ran = Bun.spawnSync(["git", "-C", repository, "-c", "safe.directory=*", ...args], { env, stderr: "ignore" });
  return ran.exitCode === 0 ? ran.stdout : undefined;
}
