/** A question of consent in words: what is asked, why, what is kept, and what a lasting yes would store. */
import type { OpenQuestion } from "../../model/items.ts";
import { spellOut } from "../../spelling.ts";

const ASKED: Readonly<Record<string, string>> = {
  "file.read": "Read a file?",
  "file.write.project": "Change a file of the project?",
  "process.execute": "Run a command?",
  "network.access": "Reach the network?",
  "git.modify": "Change the git repository?",
  "filesystem.outsideProject": "Go outside of the project?",
  "loop.continue": "Go on although nothing changes?",
};

export function titleOf({ capability, mention }: OpenQuestion): string {
  if (mention !== undefined) return "Give the model a file that you mentioned?";
  return ASKED[capability] ?? `Allow ${spellOut(capability)}?`;
}

export const isLoop = ({ capability }: OpenQuestion): boolean => capability === "loop.continue";

/** Why it asks, and what comes of a yes: sentences, none of them empty. */
export function reasonsOf(question: OpenQuestion): readonly string[] {
  const { because = "", tier, capability } = question;
  const why = [capability, ...(tier === "guarded" ? ["always asked"] : []), because.trim()];
  const after = afterYes(question);
  const what = why.filter((part) => part !== "").map(spellOut);
  return [what.join(" · "), ...(after === undefined ? [] : [after])];
}

/** What a file held is kept; what a command does, nobody can undo. */
function afterYes(question: OpenQuestion): string | undefined {
  const { call, capability, mention } = question;
  if (isLoop(question)) return undefined;
  if (mention !== undefined) return "its content is sent to the model";
  if (isFileChange(call)) return "what the file holds now is kept";
  if (capability === "file.read") return "it only reads; what it reads is sent to the model";
  return "cannot be taken back by khaelor";
}

export function isFileChange(call: OpenQuestion["call"]): boolean {
  const input = fieldsOf(call?.input);
  return (
    typeof input.file_path === "string" && (typeof input.content === "string" || typeof input.new_string === "string")
  );
}

export const fieldsOf = (input: unknown): Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? (input as Readonly<Record<string, unknown>>)
    : {};

/** What s, a and A would allow, and until when or for whom. */
export function lastingWords({ suggestion, mention, ...question }: OpenQuestion): string | undefined {
  if (suggestion) {
    const rule = `${spellOut(suggestion.capability)} “${spellOut(suggestion.pattern)}”`;
    return `always: allow ${rule} · s until this session ends · a in this project · A in all of yours`;
  }
  return question.capability === "loop.continue" || mention !== undefined
    ? undefined
    : "no rule would be safe here: it can be allowed once";
}

/** Said to whoever presses the key of an answer that is not among those that can be given. */
export const whyNone = ({ suggestion }: OpenQuestion): string =>
  suggestion
    ? "There is no room to tell what would last: y allows it once."
    : "No rule would be safe here: y allows it once.";
