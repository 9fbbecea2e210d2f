/**
 * A checkpoint made whole: what a model summed up, corrected by what the folds know, or the folds alone. Both have an end: the
 * bytes of the YAML that is written from them.
 */
import { byteLength, byteSuffix, isBlank } from "../../shared/index.ts";
import { newestLines, plainLines } from "../plain-text.ts";
import type { ChangedFile, Facts } from "./facts.ts";
import { stillFailed } from "./failed-attempts.ts";
import { fitted, textBytes, yamlBytes } from "./fitting.ts";
import { cutText, gapText, isGap, MAX_ENTRIES } from "./lists.ts";
import { isSaid, saidEvidence } from "./said.ts";
import { unsaid } from "./similar.ts";
import type { Checkpoint } from "./types.ts";

const EVIDENCE_BYTES = 8 * 1024;
const MAX_CHANGES = 100;
const MAX_IMPORTANT = 40;

/**
 * Facts win. Of changes and processes the model may add only what no fold knows: what a change was about, and changes that nobody
 * recorded, marked as such; which processes run, it is not asked. What an earlier checkpoint listed the model has seen: what it does
 * not say again holds no longer, unless it says nothing at all.
 */
export function completed(fromModel: Checkpoint, facts: Facts, bytes: number): Checkpoint {
  const { previous } = facts;
  const failed = carried(fromModel.failed_attempts);
  const decisions = carried(fromModel.decisions);
  return fitted(
    {
      ...fromModel,
      objective: fromModel.objective.trim(),
      current_state: fromModel.current_state.trim(),
      changes: describedChanges(fromModel.changes, facts.changes),
      important_files: importantFiles(fromModel.important_files, facts.changes),
      failed_attempts: united(failed.length > 0 ? failed : earlierFailures(facts), facts.failed_attempts),
      decisions: united(decisions.length > 0 ? decisions : previous?.decisions, []),
      running_processes: facts.running_processes,
      raw_evidence: evidence(facts, fromModel.raw_evidence, bytes).filter((entry) => !isTranscript(entry)),
    },
    bytes,
  );
}

/** What nobody summed up: it says so, and keeps the newest part of the conversation as text. */
export function fromFactsAlone(facts: Facts, bytes: number): Checkpoint {
  const { previous } = facts;
  const half = Math.floor(bytes / 2);
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
    failed_attempts: united(earlierFailures(facts), facts.failed_attempts),
    decisions: carried(previous?.decisions),
    running_processes: facts.running_processes,
    next_steps: ["Look at the present state of the files and processes named here.", "Go on with the objective."],
    raw_evidence: evidence(facts, [], half),
  };
  return withTranscript(fitted(whole, half), facts, bytes);
}

const NO_MODEL =
  "No model summed this up: it was put together from what was recorded, and what the work had come to has to be found out by " +
  "looking at the files.";
const BEFORE = "The last summary before that said: ";
const UNKNOWN = "Not known: what the user said last is below.";

const carried = (list: readonly string[] = []): readonly string[] => list.filter((text) => !isGap(text));

const earlierFailures = ({ previous, tried }: Facts): readonly string[] =>
  stillFailed(previous?.failed_attempts ?? [], tried);

/** Each thing said once, as the first says it. */
const united = (first: readonly string[] | undefined, second: readonly string[]): readonly string[] =>
  unsaid([first, second].flatMap((list) => carried(list).slice(-MAX_ENTRIES)));

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

const TRANSCRIPT = "the newest part of the conversation, as text";
const isTranscript = ({ label }: Evidence[number]): boolean => label.endsWith(TRANSCRIPT);
const EARLIER = "from an earlier summary: ";

/**
 * The older first, the user's words last. What an earlier checkpoint held is carried on once, marked, unless there is something newer
 * of its name: whoever sums up again has seen it, and can keep it.
 */
function evidence(facts: Facts, fromModel: Evidence, bytes: number): Evidence {
  const own = fromModel.filter((entry) => !isGap(entry.label) && !isSaid(entry));
  const names = new Set(own.map(({ label }) => named(label)).filter((name) => name !== ""));
  const contents = new Set(own.map(({ content }) => content.trim()));
  const older = (facts.previous?.raw_evidence ?? [])
    .filter((entry) => !isGap(entry.label) && !isSaid(entry) && !entry.label.startsWith(EARLIER))
    .filter(({ label, content }) => !names.has(named(label)) && !contents.has(content.trim()))
    .map(({ label, content }) => ({ label: `${EARLIER}${label}`, content }));
  const bounded = [...older, ...own].map((entry) => ({
    label: entry.label,
    content: (isTranscript(entry) ? newestLines : cutText)(entry.content, EVIDENCE_BYTES),
  }));
  return [...bounded, ...saidEvidence(facts, bytes)];
}

const named = (label: string): string => label.trim().toLowerCase();

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
  return newestLines(text, byteLength(kept));
}
