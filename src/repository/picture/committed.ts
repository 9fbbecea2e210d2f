/** What files held that were equal to a commit: their content before a command, from git's own store. */
import { type AskGit, GIT, quoted } from "../git.ts";
import { BOUNDS } from "./types.ts";

/** One path in the commit. */
export type CommittedFile =
  | { readonly kind: "none" }
  /** A link, a folder, a submodule. */
  | { readonly kind: "other" }
  /** Without content where the work tree's bytes cannot be told from git's store, or are too many. */
  | { readonly kind: "file"; readonly content?: Uint8Array; readonly executable?: boolean };

export type Committed = (path: string) => CommittedFile;

export const nothingCommitted: Committed = () => ({ kind: "none" });

interface Entry {
  readonly oid: string;
  readonly executable: boolean;
  readonly bytes: number;
}

/** Reads at most 64 MiB; what lies beyond is undefined. */
export async function committedFiles(ask: AskGit, head: string, paths: readonly string[]): Promise<Committed> {
  if (paths.length === 0) return nothingCommitted;
  const [tree, converted] = await Promise.all([entriesOf(ask, head, paths), convertedPaths(ask, paths)]);
  if (!tree) return () => ({ kind: "file" });
  const contents = await blobs(ask, withinBounds([...tree.values()]));
  return (path) => {
    const entry = tree.get(path);
    if (entry === undefined) return { kind: "none" };
    if (entry === "other") return { kind: "other" };
    const content = converted.has(path) ? undefined : contents.get(entry.oid);
    return { kind: "file", executable: entry.executable, ...(content && { content }) };
  };
}

/** By path; `other` for a link, a folder or a submodule. */
async function entriesOf(
  ask: AskGit,
  head: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Entry | "other"> | undefined> {
  const words = paths.map(quoted).join(" ");
  const { exitCode, bytes, complete } = await ask(
    `export GIT_LITERAL_PATHSPECS=1; ${GIT} ls-tree -z -l --full-tree ${quoted(head)} -- ${words}`,
  );
  if (exitCode !== 0 || !complete) return undefined;
  const found = new Map<string, Entry | "other">();
  for (const record of new TextDecoder().decode(bytes).split("\0").slice(0, -1)) {
    const tab = record.indexOf("\t");
    const [mode = "", type, oid = "", size = ""] = record.slice(0, tab).split(/ +/);
    const isFile = type === "blob" && mode.startsWith("100");
    const entry = isFile ? { oid, executable: mode === "100755", bytes: Number(size) } : "other";
    found.set(record.slice(tab + 1), entry);
  }
  return found;
}

function withinBounds(entries: readonly (Entry | "other")[]): readonly Entry[] {
  let total = 0;
  return entries.filter((entry): entry is Entry => {
    if (entry === "other" || entry.bytes > BOUNDS.fileBytes || total + entry.bytes > BOUNDS.keptBytes) return false;
    total += entry.bytes;
    return true;
  });
}

async function blobs(ask: AskGit, wanted: readonly Entry[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const oids = [...new Set(wanted.map(({ oid }) => oid))];
  if (oids.length === 0) return found;
  const total = wanted.reduce((sum, { bytes }) => sum + bytes + 128, 0);
  const { bytes } = await ask(`printf '%s\\n' ${oids.join(" ")} | ${GIT} cat-file --batch`, { maxOutputBytes: total });
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) break;
    const [oid = "", type, size = ""] = new TextDecoder().decode(bytes.subarray(at, end)).split(" ");
    at = end + 1;
    if (type !== "blob") continue;
    const content = bytes.subarray(at, at + Number(size));
    if (content.length === Number(size)) found.set(oid, content);
    at += Number(size) + 1;
  }
  return found;
}

const CONVERTING = "eol filter ident working-tree-encoding";

/** Files that git writes out with other bytes than it stores: of those, the work tree's bytes cannot be told from git's store. */
async function convertedPaths(ask: AskGit, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const printed = `printf '%s\\0' ${paths.map(quoted).join(" ")}`;
  const { exitCode, bytes, complete } = await ask(
    `${GIT} config --get core.autocrlf; ${GIT} config --get core.eol; printf '\\0'; ${printed} | ${GIT} check-attr -z --stdin ${CONVERTING}`,
  );
  const [settings = "", ...fields] = new TextDecoder().decode(bytes).split("\0");
  if (exitCode !== 0 || !complete || /^(?:true|input|crlf)$/m.test(settings)) return new Set(paths);
  const found = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", name, value = ""] = fields.slice(at, at + 3);
    const plain = value === "unspecified" || value === "unset" || (name === "eol" && value === "lf");
    if (!plain) found.add(path);
  }
  return found;
}
