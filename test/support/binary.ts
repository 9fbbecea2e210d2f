/**
 * The compiled program, for tests that must drive what is shipped. It is built when it is missing or older than a source;
 * a lock lets test files that run side by side build it once. A build takes seconds: ask for it in
 * `beforeAll(async () => { khaelor = await binary(); }, BUILD_TIMEOUT_MS)`.
 */
import { Database, SQLiteError } from "bun:sqlite";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const SOURCES = ["src", "package.json", "bun.lock", "scripts/build.ts"];

export const BUILD_TIMEOUT_MS = 120_000;

interface Product {
  readonly outfile: string;
  /** Files, and folders with all that is in them. */
  readonly sources: readonly string[];
  readonly build: () => Promise<void>;
}

let made: Promise<string> | undefined;

/** The absolute path of an executable that is as new as the sources. Throws with the build's own words when it fails. */
export function binary(): Promise<string> {
  made ??= upToDate({
    outfile: join(ROOT, "dist/khaelor"),
    sources: SOURCES.map((path) => join(ROOT, path)),
    build: runBuild,
  });
  return made;
}

/** Builds if need be, and at most once at a time over all processes. */
export async function upToDate({ outfile, sources, build }: Product): Promise<string> {
  const isFresh = () => (statSync(outfile, { throwIfNoEntry: false })?.mtimeMs ?? 0) > newest(sources);
  if (isFresh()) return outfile;
  const release = await acquire(`${outfile}.lock`);
  try {
    if (!isFresh()) await build();
    return outfile;
  } finally {
    release();
  }
}

/** A folder's own time tells that a file in it was removed. */
function newest(paths: readonly string[]): number {
  const times = paths.map((path) => {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.mtimeMs;
    return Math.max(stat.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))));
  });
  return Math.max(0, ...times);
}

/** An exclusive SQLite transaction is a lock that the system releases when its owner dies. */
async function acquire(path: string): Promise<() => void> {
  mkdirSync(dirname(path), { recursive: true });
  const lock = new Database(path);
  const giveUpAt = Date.now() + BUILD_TIMEOUT_MS;
  for (;;) {
    try {
      lock.run("BEGIN EXCLUSIVE");
      return () => lock.close();
    } catch (error) {
      if (!(error instanceof SQLiteError && error.code === "SQLITE_BUSY") || Date.now() > giveUpAt) throw error;
      await Bun.sleep(50);
    }
  }
}

async function runBuild(): Promise<void> {
  const child = Bun.spawn([process.execPath, "scripts/build.ts"], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`scripts/build.ts failed:\n${out}${errors}`);
}
