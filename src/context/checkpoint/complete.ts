/**
 * A checkpoint made whole: what a model summed up, corrected by what the folds know, or the folds alone. Both have an end: the
 * bytes of the YAML that is written from them.
 */
import { byteLength, byteSuffix, isBlank } from "../../shared/index.ts";
import { plainLines } from "../plain-text.ts";
import type { ChangedFile, Facts } from "./facts.ts";
import { fitted, textBytes, yamlBytes } from "./fitting.ts";
import { cutText, gapText, isGap, MAX_ENTRIES } from "./lists.ts";
import { unsaid } from "./similar.ts";
import type { Checkpoint } from "./types.ts";

const EVIDENCE_BYTES = 8 * 1024;
const WORDS_BYTES = 24 * 1024;
const MAX_CHANGES = 100;
const MAX_IMPORTANT = 40;

/**
 * Facts win. Of changes and processes the model may add only what no fold knows: what a change was about, and changes that nobody
 * recorded, marked as such; which processes run, it is not asked.
 */
export function completed(fromModel: Checkpoint, facts: Facts, bytes: number): Checkpoint {
  const { previous } = facts;
  return fitted(
    {
      ...fromModel,
      objective: fromModel.objective.trim(),
      current_state: fromModel.current_state.trim(),
      changes: describedChanges(fromModel.changes, facts.changes),
      important_files: importantFiles(fromModel.important_files, facts.changes),
      failed_attempts: united(previous?.failed_attempts, fromModel.failed_attempts, facts.failed_attempts),
      decisions: united(previous?.decisions, fromModel.decisions),
      running_processes: facts.running_processes,
      raw_evidence: evidence(facts, fromModel.raw_evidence).filter(({ label }) => label !== TRANSCRIPT),
    },
    bytes,
  );
}

/** What nobody summed up: it says so, and keeps the newest part of the conversation as text. */
export function fromFactsAlone(facts: Facts, bytes: number): Checkpoint {
  const { previous } = facts;
  const objective = isBlank(facts.objective) ? (previous?.objective ?? UNKNOWN) : facts.objective.trim();
  const whole: Checkpoint = {
    objective,
    completed: carried(previous?.completed),
    current_state: previous ? `${NO_MODEL} ${BEFORE}${previous.current_state.trim()}` : NO_MODEL,
    important_files: [
      ...importantFiles([], facts.changes),
      ...facts.read.map((path) => ({ path, reason: "read lately" })),
    ],
    changes: describedChanges(previous?.changes ?? [], facts.changes),
    failed_attempts: united(previous?.failed_attempts, facts.failed_attempts),
    decisions: carried(previous?.decisions),
    running_processes: facts.running_processes,
    next_steps: ["Look at the present state of the files and processes named here.", "Go on with the objective."],
    raw_evidence: evidence(facts, saidBefore(facts)),
  };
  return withTranscript(fitted(whole, Math.floor(bytes / 2)), facts, bytes);
}

const NO_MODEL =
  "No model summed this up: it was put together from what was recorded, and what the work had come to has to be found out by " +
  "looking at the files.";
const BEFORE = "The last summary before that said: ";
const UNKNOWN = "Not known: what the user said last is below.";

const carried = (list: readonly string[] = []): readonly string[] => list.filter((text) => !isGap(text));

/** Each thing said once, as the first of the newer lists says it; what is older stands first. */
function united(older: readonly string[] | undefined, ...newer: readonly (readonly string[])[]): readonly string[] {
  const own = unsaid(newer.flatMap((list) => carried(list).slice(-MAX_ENTRIES)));
  return [...unsaid(carried(older), own), ...own];
}

function describedChanges(said: readonly string[], changes: readonly ChangedFile[]): readonly string[] {
  const left = new Set(said.filter((text) => !isGap(text) && !isBlank(text)));
  const lines = changes.map(({ path, what }) => {
    const about = [...left].filter((text) => names(text, path));
    for (const text of about) left.delete(text);
    return [`${path}: ${what}`, ...about.flatMap((text) => described(text, path))].join("; ");
  });
  const dropped = lines.length - MAX_CHANGES;
  const recorded = dropped > 0 ? [gapText(dropped), ...lines.slice(dropped)] : lines;
  return [
    ...recorded,
    ...[...left].map((text) => (text.startsWith(UNRECORDED) ? text : `${UNRECORDED}${text.trim()}`)),
  ];
}

/** Without what an earlier checkpoint had put before it. */
function described(text: string, path: string): readonly string[] {
  const about = text.startsWith(`${path}: `) ? text.slice(path.length + 2) : text;
  return about.split("; ").filter((part) => !COUNTED.test(part) && !isBlank(part));
}
const COUNTED = /^changed (?:once|\d+ times), \+\d+ −\d+/;

const UNRECORDED = "not recorded, as summed up: ";

/** As a whole path: `a.ts` does not name `data.ts`. */
function names(text: string, path: string): boolean {
  if (path === "") return false; // it would be found at every place, again and again
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const [before, after] = [text[at - 1] ?? "", text.slice(at + path.length)];
    if (!/[\w./-]/.test(before) && !/^(?:[\w/-]|\.\w)/.test(after)) return true;
  }
  return false;
}

function importantFiles(
  said: Checkpoint["important_files"],
  changes: readonly ChangedFile[],
): Checkpoint["important_files"] {
  const own = said.filter(({ path }) => !isGap(path) && !isBlank(path));
  const known = new Set(own.map(({ path }) => path.replace(/^\.\//, "")));
  const forgotten = changes.filter(({ path }) => !known.has(path)).map(({ path, what }) => ({ path, reason: what }));
  return [...own, ...forgotten.reverse()].slice(0, MAX_IMPORTANT);
}

type Evidence = Checkpoint["raw_evidence"];

const WORDS = "said by the user in the newest turn, word for word";
const EARLIER_WORDS = "said by the user in an earlier turn, word for word";
const SAID = "said by the user, word for word";
const TRANSCRIPT = "the newest part of the conversation, as text";

/** The older first, the user's words last. In the middle of a turn the message itself says those, so they are not said twice. */
function evidence({ previous, words, isInTurn }: Facts, own: Evidence): Evidence {
  const newest: Evidence =
    isInTurn || words.length === 0 ? [] : [{ label: WORDS, content: cutText(words.join("\n\n"), WORDS_BYTES) }];
  const known = new Set([...own, ...newest].map(({ content }) => content.trim()));
  const older = (previous?.raw_evidence ?? []).filter(({ content }) => !known.has(content.trim()));
  const bounded = [...older, ...own]
    .filter(({ label }) => !isGap(label))
    .map(({ label, content }) => ({
      label: label === WORDS ? EARLIER_WORDS : label,
      content: label === TRANSCRIPT ? byteSuffix(content, EVIDENCE_BYTES) : cutText(content, EVIDENCE_BYTES),
    }));
  return [...bounded, ...newest];
}

/** What was said before the newest turn, whose words stand elsewhere. */
function saidBefore({ said, words }: Facts): Evidence {
  const before = said.filter((text) => !words.includes(text));
  return before.length === 0 ? [] : [{ label: SAID, content: before.join("\n\n") }];
}

const MIN_TRANSCRIPT_BYTES = 1024;

/** As much of the newest part as there is room for. */
function withTranscript(checkpoint: Checkpoint, { going, previous }: Facts, bytes: number): Checkpoint {
  const room = bytes - yamlBytes(checkpoint) - TRANSCRIPT_LABEL_BYTES;
  if (room < MIN_TRANSCRIPT_BYTES) return checkpoint;
  const lines = plainLines(going).slice(previous ? 1 : 0); // the first is that checkpoint itself
  const content = newestPart(lines.join("\n\n"), room);
  if (content === "") return checkpoint;
  return { ...checkpoint, raw_evidence: [...checkpoint.raw_evidence, { label: TRANSCRIPT, content }] };
}

const TRANSCRIPT_LABEL_BYTES = 128;

function newestPart(text: string, bytes: number): string {
  let kept = byteSuffix(text, bytes);
  while (textBytes(kept) > bytes) kept = byteSuffix(kept, Math.floor(byteLength(kept) * 0.9));
  return kept.length === text.length ? text : `[… left out …]\n\n${kept}`;
}
