/** Writes a checkpoint as YAML: keys in their order, texts of several lines as blocks, nothing folded, nothing named twice. */
import type { Scalar } from "yaml";
import { wellFormed } from "../../shared/index.ts";
import { limited } from "./lists.ts";
import { holdsTag, withoutTags } from "./message.ts";
import { CHECKPOINT_KEYS, type Checkpoint } from "./types.ts";

/** Deterministic. `readCheckpoint` reads the same value from it, as far as its texts are well-formed and its lists not too long. */
export async function writeCheckpoint(checkpoint: Checkpoint): Promise<string> {
  const { Document, Scalar: Text } = await import("yaml");
  const scalar = (text: string): Scalar => {
    const made = new Text(wellFormed(text));
    made.type = styleOf(text);
    return made;
  };
  const bounded = boundedLists(checkpoint);
  const fields = (record: object): unknown =>
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, scalar(text)]));
  const written = (value: Checkpoint[keyof Checkpoint]): unknown =>
    typeof value === "string"
      ? scalar(value)
      : value.map((entry) => (typeof entry === "string" ? scalar(entry) : fields(entry)));
  const document = new Document(Object.fromEntries(CHECKPOINT_KEYS.map((key) => [key, written(bounded[key])])));
  return withoutTags(document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }));
}

/**
 * As a block only what comes back from one as it was, wherever it stands: nothing blank at its beginning, at most one line end
 * behind it. Everything else that the writer would quote anyway it quotes by itself.
 */
function styleOf(text: string): "QUOTE_DOUBLE" | "BLOCK_LITERAL" | "PLAIN" {
  if (holdsTag(text)) return "QUOTE_DOUBLE";
  if (!text.includes("\n")) return "PLAIN";
  return BLANK_ENDS.test(text) ? "QUOTE_DOUBLE" : "BLOCK_LITERAL";
}

const BLANK_ENDS = /^\s*\n|[^\S\n]\n?$|\n\n$/;

/** What is to be done loses its end, what has happened its beginning. */
const boundedLists = (checkpoint: Checkpoint): Checkpoint => ({
  ...checkpoint,
  completed: limited(checkpoint.completed, { drop: "first", gap: String }),
  important_files: limited(checkpoint.important_files, { drop: "last", gap: (path) => ({ path, reason: "" }) }),
  changes: limited(checkpoint.changes, { drop: "first", gap: String }),
  failed_attempts: limited(checkpoint.failed_attempts, { drop: "first", gap: String }),
  decisions: limited(checkpoint.decisions, { drop: "first", gap: String }),
  running_processes: limited(checkpoint.running_processes, {
    drop: "first",
    gap: (id) => ({ id, command: "", status: "" }),
  }),
  next_steps: limited(checkpoint.next_steps, { drop: "last", gap: String }),
  raw_evidence: limited(checkpoint.raw_evidence, { drop: "first", gap: (label) => ({ label, content: "" }) }),
});
