/** What a model is told when a file cannot be used: what is there instead, and the nearest call that works. */
import type { ToolErrorKind } from "../shared/index.ts";
import type { FileError } from "../workspace/index.ts";
import { nearNames } from "./paths.ts";

const MAX_LISTED = 60;

export const ERROR_KINDS: Readonly<Record<FileError["kind"], ToolErrorKind>> = {
  "not-found": "not-found",
  "is-directory": "invalid-input",
  "not-regular": "invalid-input",
  "invalid-path": "invalid-input",
  "not-permitted": "exec-error",
  "read-only": "exec-error",
  full: "exec-error",
  changed: "exec-error",
  io: "exec-error",
};

const THERE_ALL_THE_SAME =
  "A link to nothing has this name, or a file whose name is no UTF-8: look with bash (ls -lb).";

/** The message of a file error, with the names that help. */
export function fileTrouble(error: FileError, path: string): string {
  const { folder, entries = [] } = error.nearby ?? {};
  if (folder === undefined) return error.message;
  if (error.kind === "is-directory") return `${error.message}\nIn it: ${listed(entries)}`;
  const below = folder === "/" ? path.slice(1) : path.slice(folder.length + 1);
  const near = nearNames(below.split("/")[0] ?? "", entries);
  if (below.includes("/")) {
    return `${error.message} The nearest folder that exists is ${folder}.\nIn it: ${listed(near.length > 0 ? near : entries)}`;
  }
  if (entries.includes(below)) return `${error.message} ${THERE_ALL_THE_SAME}`;
  if (near.length > 0) return `${error.message} Did you mean ${near.map((n) => `${folder}/${n}`).join(" or ")}?`;
  return `${error.message}\nIn ${folder}: ${listed(entries)}`;
}

function listed(entries: readonly string[]): string {
  if (entries.length === 0) return "nothing";
  const rest = entries.length - MAX_LISTED;
  return `${entries.slice(0, MAX_LISTED).join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`;
}
