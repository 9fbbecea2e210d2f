/** The file family: what was read and what changed on disk. */
import { durable } from "./define.ts";
import { DIFF_STATS } from "./parts.ts";

export const fileRead = durable(
  "file.read",
  {
    path: "string",
    "range?": { start: "number.integer", end: "number.integer" },
    bytes: "number.integer",
    mtimeMs: "number",
    "toolUseId?": "string",
    "sha256?": "string",
  },
  "The model saw this file; the hash is what staleness is judged by.",
);

export const fileModified = durable(
  "file.modified",
  {
    path: "string",
    operation: "'write' | 'edit' | 'exec' | 'restore'",
    diffStats: DIFF_STATS,
    "diff?": "string",
    "toolUseId?": "string",
    "beforeSha256?": "string | null",
    "afterSha256?": "string | null",
    "mode?": "number.integer",
    "unlisted?": "number.integer",
  },
  "A file changed. What it held before lies in the blob store under `beforeSha256`; null means there was no file, and an absent hash that it is not known. `unlisted` more files may have been changed by the same command.",
);
