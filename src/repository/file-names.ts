/** The names of all files below a folder that ignore files leave in, and of the folders that hold them. Bounded. */
import { err, ok, type Result } from "../shared/index.ts";
import { foundPath, runRipgrep, type SearchPlace, type SearchPorts, type SearchTrouble } from "./ripgrep-run.ts";

export const MAX_NAMES = 200_000;

/** Relative to the place; folders end in a slash. What was found before a limit is there. */
export async function fileNames(
  ports: SearchPorts,
  place: SearchPlace,
  signal: AbortSignal,
): Promise<Result<readonly string[], SearchTrouble>> {
  const files: string[] = [];
  let prefix: number | undefined;
  const ran = await runRipgrep(ports, {
    place,
    options: ["--files", "--null"],
    separator: "\0",
    take(record) {
      // What stands before the relative path is the same in every record.
      prefix ??= record.length - (foundPath(ports.projectRoot, place, record).length - rootLength(place.root));
      files.push(record.slice(prefix));
      return files.length < MAX_NAMES;
    },
    signal,
  });
  if (signal.aborted) return err({ kind: "cancelled", message: "The search was interrupted." });
  return ran.ok ? ok([...foldersOf(files), ...files]) : ran;
}

const rootLength = (root: string): number => (root.endsWith("/") ? root.length : root.length + 1);

function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
