/**
 * Makes the shipped ripgrep runnable: once it is asked for, it is copied out of the executable into a private folder, and what
 * lies there is compared with what was shipped before it is run. Whatever else lies there is replaced, never run.
 */
import { constants, type Stats } from "node:fs";
import { access, chmod, type FileHandle, lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { err, errorCode, errorMessage, ok, type Result, sha256 } from "../shared/index.ts";
import { type Shipped, type ShippedFile, shippedRipgrep } from "./shipped-ripgrep.ts";

export interface Ripgrep {
  /** The absolute path of a program to run at once. Ask before each run. The error says in words why there is none. */
  program(): Promise<Result<string, string>>;
}

export interface RipgrepOptions {
  /** Made private (0700) if need be. When it cannot be used, a folder for temporary files takes its place. */
  readonly cacheFolder: string;
  /** Default: what this program carries. */
  readonly shipped?: () => Promise<Shipped>;
}

const PRIVATE = 0o700;
const OTHERS_WRITE = 0o022;

export function createRipgrep({ cacheFolder, shipped = shippedRipgrep }: RipgrepOptions): Ripgrep {
  const folders = [cacheFolder, `${tmpdir()}/khaelor-${process.getuid?.() ?? "user"}`];
  let found: Promise<Shipped> | undefined;
  let wanted: Promise<Wanted> | undefined;
  const verified = new Map<string, string>();
  return {
    async program() {
      found ??= shipped();
      const file = await found;
      if ("missing" in file) return err(unavailable(file.missing));
      if (!file.embedded) return ok(file.path);
      wanted ??= wantedOf(file);
      const refusals: string[] = [];
      for (const folder of folders) {
        const ready = await runnable(folder, await wanted, verified);
        if (ready.ok) return ready;
        refusals.push(`${folder}: ${ready.error}`);
      }
      return err(unavailable(`it cannot be kept in ${refusals.join("; nor in ")}`));
    },
  };
}

const unavailable = (why: string): string =>
  `There is no ripgrep to search with: ${why}. Search with bash instead (grep -rn, find).`;

interface Wanted {
  readonly file: ShippedFile;
  readonly hash: string;
  readonly name: string;
}

async function wantedOf(file: ShippedFile): Promise<Wanted> {
  const hash = file.sha256 ?? sha256(await readFile(file.path));
  return { file, hash, name: `rg-${hash.slice(0, 16)}` };
}

/** `verified` knows the state in which a file was last found whole; while it stays in it, it is not read again. */
async function runnable(
  folder: string,
  wanted: Wanted,
  verified: Map<string, string>,
): Promise<Result<string, string>> {
  const path = `${folder}/${wanted.name}`;
  try {
    const trouble = await makePrivate(folder);
    if (trouble !== undefined) return err(trouble);
    const state = verified.get(path);
    if (state !== undefined && state === (await stateOf(path))) return ok(path);
    const whole = (await wholeState(path, wanted)) ?? (await replaced(path, wanted));
    if (whole === undefined) return err("what was written there did not stay as it was");
    await access(path, constants.X_OK); // refused where a file system runs no programs
    verified.set(path, whole);
    return ok(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return err(errorMessage(error));
  }
}

/** A folder of ours in which only we can write, and no link to one. Says what is wrong with it otherwise. */
async function makePrivate(folder: string): Promise<string | undefined> {
  await mkdir(folder, { recursive: true, mode: PRIVATE });
  const stats = await lstat(folder);
  if (!stats.isDirectory()) return "it is not a folder";
  if (!isOurs(stats)) return "it belongs to somebody else";
  if ((stats.mode & 0o777) !== PRIVATE) await chmod(folder, PRIVATE);
  return undefined;
}

const isOurs = ({ uid }: Stats): boolean => process.getuid === undefined || uid === process.getuid();

/** Changes with every write, replacement or change of mode: the system alone sets the second time. */
const stateFrom = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string => [dev, ino, size, mtimeMs, ctimeMs].join(" ");

async function stateOf(path: string): Promise<string | undefined> {
  try {
    return stateFrom(await lstat(path));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined when it is not there, or anything but our own copy of the shipped bytes. Never blocks, follows no link. */
async function wholeState(path: string, { file, hash }: Wanted): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await handle.stat();
    const fits = stats.isFile() && isOurs(stats) && (stats.mode & OTHERS_WRITE) === 0;
    if (!fits || stats.size !== (await sizeOf(file.path))) return undefined;
    const bytes = await handle.readFile();
    return sha256(bytes) === hash ? stateFrom(stats) : undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined; // it is replaced, and what stands in the way of that is told
  } finally {
    await handle?.close();
  }
}

const sizeOf = async (path: string): Promise<number> => Bun.file(path).size;

/** In one step, so that whoever else starts now finds the old file or the whole new one. */
async function replaced(path: string, wanted: Wanted): Promise<string | undefined> {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const handle = await open(draft, flags, PRIVATE);
    try {
      await handle.writeFile(await readFile(wanted.file.path));
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return wholeState(path, wanted);
}
