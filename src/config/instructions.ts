/**
 * Finds the instruction files that apply: the user's own, then those from the project's root down to the working directory,
 * each followed by what it imports with `@path`.
 *
 * In one folder the first of KHAELOR.md, AGENTS.md and CLAUDE.md is read and the others are not, whatever they hold: projects
 * keep several of them for several agents, mostly with the same content. One that wants another says `@AGENTS.md`.
 */
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { byteLength, bytePrefix, wellFormed } from "../shared/index.ts";
import { importsIn, mayBeImported } from "./imports.ts";
import { readRegularFile, type SmallFile } from "./loader.ts";

export interface InstructionFile {
  /** Absolute, as it was found (links unresolved). */
  readonly path: string;
  readonly scope: "global" | "project";
  /** The text to send; ends in a marker when it was cut. */
  readonly text: string;
  /** The file whose `@path` named this one. */
  readonly importedBy?: string;
}

export interface DiscoverOptions {
  /** khaelor's own folder. */
  readonly home: string;
  /** The user's home folder: where `~` is, and the widest place from which the user's own file may import. */
  readonly userHome: string;
  /** Absolute and real. */
  readonly projectRoot: string;
  /** Absolute and real. Folders are searched from `projectRoot` down to it. */
  readonly cwd: string;
}

export interface Instructions {
  /** Weakest first: a later file wins where two disagree. */
  readonly files: readonly InstructionFile[];
  /** What was not read and why, one sentence each, for a person. */
  readonly problems: readonly string[];
}

const INSTRUCTION_NAMES = ["KHAELOR.md", "AGENTS.md", "CLAUDE.md"] as const;

const MAX_FILE_BYTES = 64 * 1024;
const MAX_TOTAL_BYTES = 192 * 1024;
const MAX_FILES = 64;
const MAX_FOLDERS = 32;
const MAX_IMPORT_DEPTH = 5;

/** Never rejects for what stands on the disk. */
export async function discoverInstructions(options: DiscoverOptions): Promise<Instructions> {
  const { home, userHome, projectRoot, cwd } = options;
  const search = createSearch(userHome);
  await search.folder(home, { scope: "global", within: [home, userHome] });
  for (const folder of foldersBetween(projectRoot, cwd)) {
    await search.folder(folder, { scope: "project", within: [projectRoot] });
  }
  return search.found();
}

interface Trust {
  readonly scope: InstructionFile["scope"];
  /** Folders that a file must really lie in, links followed. The user's own first file may be a link to anywhere. */
  readonly within: readonly string[];
}

/** From the root down to the working directory; the working directory alone when it lies elsewhere. */
function foldersBetween(root: string, cwd: string): readonly string[] {
  if (!isInside(cwd, root)) return [cwd];
  const steps = relative(root, cwd).split("/").filter(Boolean);
  return [root, ...steps.map((_, at) => join(root, ...steps.slice(0, at + 1)))].slice(0, MAX_FOLDERS);
}

interface Search {
  readonly folder: (folder: string, trust: Trust) => Promise<void>;
  readonly found: () => Instructions;
}

interface Candidate {
  readonly path: string;
  readonly trust: Trust;
  readonly depth: number;
  readonly importedBy?: string;
}

function createSearch(userHome: string): Search {
  const files: InstructionFile[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  let bytesLeft = MAX_TOTAL_BYTES;

  /** Takes a file and everything it imports. False when there is no such file. */
  async function take({ path, trust, depth, importedBy }: Candidate): Promise<boolean> {
    const read = await readRegularFile(path, MAX_FILE_BYTES);
    if (!read.ok) problems.push(`${read.error}. It was not read as instructions.`);
    if (!read.ok || read.value === undefined) return !read.ok;
    const file = read.value;
    const own = trust.scope === "global" && depth === 0;
    const refusal = whyNot(path, file, own ? { ...trust, within: ["/"] } : trust, files.length);
    if (refusal !== undefined) problems.push(refusal);
    if (refusal !== undefined || seen.has(file.realPath)) return true;
    seen.add(file.realPath);
    const text = bounded(file, bytesLeft);
    bytesLeft = Math.max(0, bytesLeft - byteLength(text));
    files.push({ path, scope: trust.scope, text, ...(importedBy !== undefined && { importedBy }) });
    await takeImports(text, { path, trust, depth });
    return true;
  }

  async function takeImports(text: string, { path: importer, trust, depth }: Candidate): Promise<void> {
    for (const { path: written, alone } of importsIn(text)) {
      const path = resolved(written, dirname(importer), userHome);
      if (depth === MAX_IMPORT_DEPTH) {
        problems.push(`${importer} imports ${written} more than ${MAX_IMPORT_DEPTH} levels deep; it was not read.`);
      } else if (!(await take({ path, trust, depth: depth + 1, importedBy: importer })) && alone) {
        problems.push(`${importer} imports ${written}, which does not exist.`);
      }
    }
  }

  return {
    async folder(folder, trust) {
      for (const name of INSTRUCTION_NAMES) {
        if (await take({ path: join(folder, name), trust, depth: 0 })) return;
      }
    },
    found: () => ({ files, problems }),
  };
}

function whyNot(
  path: string,
  { realPath, text }: SmallFile,
  { scope, within }: Trust,
  taken: number,
): string | undefined {
  if (!within.some((folder) => isInside(realPath, folder)) || !mayBeImported(realPath)) {
    const place = scope === "project" ? "the project's documents" : "your home folder's documents";
    return `${path} leads outside ${place} (to ${realPath}); it was not read as instructions.`;
  }
  if (text.includes("\0")) return `${path} is not text; it was not read as instructions.`;
  if (taken >= MAX_FILES) return `${path} was not read: ${MAX_FILES} instruction files are enough.`;
  return undefined;
}

function bounded({ text, sizeBytes }: SmallFile, bytesLeft: number): string {
  const whole = wellFormed(text.replace(/^\uFEFF/, ""));
  const kept = bytePrefix(whole, Math.min(MAX_FILE_BYTES, bytesLeft));
  const left = sizeBytes - byteLength(kept);
  const isWhole = kept === whole && sizeBytes <= MAX_FILE_BYTES;
  return isWhole ? whole : `${kept}\n[KHAELOR left out the rest of this file: ${left} bytes]\n`;
}

function resolved(written: string, folder: string, userHome: string): string {
  return written.startsWith("~/") ? join(userHome, written.slice(2)) : resolve(folder, written);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith("../") || isAbsolute(way));
}
