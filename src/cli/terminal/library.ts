/**
 * The native part of the screen is a file within the executable, which the runtime copies into the folder for temporary files.
 * Where that cannot be written, or nothing in it may be run, a copy of the user's own does.
 */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../../shared/index.ts";
import { replaceOwnFile } from "./own-file.ts";

/** Loads the screen, with this file as its native part where one is given. */
type Load = (libraryPath?: string) => Promise<void>;

/** The library heeds these: files that it writes, and where it takes its native part from. */
const SWITCH = /^(OTUI|OPENTUI)_/;

/** Undefined when the screen can be drawn; otherwise why not, in a sentence. */
export async function loadWithLibrary(load: Load, cache: string): Promise<string | undefined> {
  for (const name of Object.keys(process.env)) if (SWITCH.test(name)) delete process.env[name];
  try {
    await load();
    return undefined;
  } catch (error) {
    return (await loadOwnCopy(load, cache)) ? undefined : errorMessage(error);
  }
}

async function loadOwnCopy(load: Load, cache: string): Promise<boolean> {
  try {
    const path = await copyLibrary(cache);
    if (path === undefined) return false;
    await load(path);
    return true;
  } catch {
    return false; // what went wrong at first says more
  }
}

/** Written anew each time: what lies there may be anybody's by now. Undefined when the executable holds none. */
async function copyLibrary(cache: string): Promise<string | undefined> {
  const embedded = Bun.embeddedFiles.find((file) => nameOf(file).startsWith("libopentui"));
  if (!embedded) return undefined;
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  chmodSync(cache, 0o700);
  const path = join(cache, nameOf(embedded));
  replaceOwnFile(path, await embedded.bytes());
  return path;
}

const nameOf = (file: Blob): string => (file as Blob & { readonly name: string }).name; // as: the runtime's own files have names
