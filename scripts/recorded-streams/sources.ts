/**
 * Finds the files that may hold recordings: in the head of a git repository, with or without a work tree, or in a plain folder.
 * Git is only read and never reaches for a network.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Source, SourceFile } from "./types.ts";

/** No recording comes near it. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 16;
const LIKELY = /\.sse$|_response\.txt$|\.chunks\.txt$|\.error\.json$|\/cassettes\/.*\.ya?ml$|nock[^/]*\/[^/]*\.json$/i;

export function findSource(folder: string): Source {
  if (!existsSync(join(folder, ".git")) && !isBare(folder)) {
    return { name: basename(folder), commit: undefined, files: plainFiles(folder) };
  }
  const listed = git(folder, ["ls-tree", "-r", "-z", "--full-tree", "HEAD"]);
  if (listed === undefined) throw new Error(`git cannot read ${folder}`);
  const files = listed
    .toString("utf8")
    .split("\0")
    .flatMap((line) => fileInHead(folder, line));
  return { name: nameOf(folder), commit: git(folder, ["rev-parse", "HEAD"])?.toString("utf8").trim(), files };
}

const isBare = (path: string): boolean => existsSync(join(path, "HEAD")) && existsSync(join(path, "objects"));

/** Bare copies are often called the same, and told apart by the folder around them. */
const nameOf = (folder: string): string =>
  /^(repo|\.git)$/.test(basename(folder)) ? basename(dirname(folder)) : basename(folder);

function fileInHead(folder: string, line: string): readonly SourceFile[] {
  const [about = "", path = ""] = line.split("\t");
  const object = about.split(" ")[2];
  if (object === undefined || !LIKELY.test(`/${path}`)) return [];
  return [{ path, read: () => bounded(git(folder, ["cat-file", "blob", object])) }];
}

function plainFiles(folder: string): readonly SourceFile[] {
  return below(folder, 0)
    .map((path) => ({ path: relative(folder, path), full: path }))
    .filter(({ path }) => LIKELY.test(`/${path}`))
    .map(({ path, full }) => ({
      path,
      read: () => (statSync(full).size <= MAX_FILE_BYTES ? readFileSync(full) : undefined),
    }));
}

function below(folder: string, depth: number): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return [path];
    return entry.isDirectory() && !/^(node_modules|\.git)$/.test(entry.name) ? below(path, depth + 1) : [];
  });
}

const bounded = (bytes: Buffer | undefined): Buffer | undefined =>
  bytes && bytes.length <= MAX_FILE_BYTES ? bytes : undefined;

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
