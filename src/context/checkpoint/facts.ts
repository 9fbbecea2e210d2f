/** What the folds know better than any model: what changed, what runs, what failed, and what the user said, word for word. */
import { type FileChange, isAtTurnStart, type ProcessTable, type SessionState } from "../../session/index.ts";
import { type Message, wellFormed } from "../../shared/index.ts";
import { endingOf } from "../capture.ts";
import { attempts } from "./failed-attempts.ts";
import { oneLine } from "./lists.ts";
import { foundCheckpoint } from "./message.ts";
import { readCheckpoint } from "./read.ts";
import type { Checkpoint } from "./types.ts";
import { beginsBroken, boundedWords, userWords, type Words } from "./user-words.ts";

export interface Facts {
  /** As the user said it. */
  readonly objective: string;
  /** Whether the conversation stops in the middle of a turn, so that the message has to say the words again. */
  readonly isInTurn: boolean;
  /** What the user said in the newest turn, as far as it goes: in full, however much it is. */
  readonly words: readonly string[];
  /** All that the user said in what goes: bounded, a gap named. */
  readonly said: readonly string[];
  readonly changes: readonly ChangedFile[];
  readonly running_processes: Checkpoint["running_processes"];
  /** What was looked at last, the newest first, without what changed. */
  readonly read: readonly string[];
  readonly failed_attempts: readonly string[];
  /** What was tried at all, as `failed_attempts` begin: what an earlier checkpoint says of these is out of date. */
  readonly tried: readonly string[];
  /** What an earlier compaction left, when what goes begins with it. */
  readonly previous: Checkpoint | undefined;
  readonly going: readonly Message[];
}

export interface ChangedFile {
  /** Relative inside the working directory, absolute elsewhere. */
  readonly path: string;
  readonly what: string;
}

/** `upTo`: so many messages, from the first, go. */
export async function checkpointFacts(state: SessionState, upTo: number): Promise<Facts> {
  const { turn, files, processes, meta, conversation } = state;
  const going = conversation.messages.slice(0, upTo);
  const words = userWords(going);
  const relative = (path: string): string => relativeTo(meta.workingDirectory, path);
  const changes = Object.values(files.changes).map((change) => changedFile(change, relative));
  return {
    objective: wellFormed(turn.objective),
    isInTurn: !isAtTurnStart(state),
    words: turnWords(state, upTo, words),
    said: boundedWords(words.map(({ text }) => text)),
    changes,
    running_processes: processLines(processes),
    read: lastRead(going, Object.keys(files.seen).map(relative), relative).filter(
      (path) => !changes.some((change) => change.path === path),
    ),
    ...attempts(going, turn.verification),
    previous: await previousCheckpoint(going),
    going,
  };
}

/** Undefined also when it is not one that can be read: a later version may write another. */
async function previousCheckpoint(messages: readonly Message[]): Promise<Checkpoint | undefined> {
  const found = foundCheckpoint(messages);
  if (!found) return undefined;
  const read = await readCheckpoint(found.yaml);
  return read.ok ? read.value : undefined;
}

/**
 * The newest turn begins with its objective. Where that has gone with an earlier break, everything that was said since belongs to
 * the same turn; where it stays behind what goes, nothing does.
 */
function turnWords({ turn, conversation }: SessionState, upTo: number, words: readonly Words[]): readonly string[] {
  const objective = wellFormed(turn.objective);
  if (objective.trim() === "") return [];
  const begins = ({ text, isKept }: Words): boolean =>
    text === objective || (isKept && text.startsWith(`${objective}\n\n`));
  const from = words.findLastIndex(begins);
  const isLater = userWords(conversation.messages).some((said) => said.at >= upTo && begins(said));
  if (isLater) return [];
  if (from !== -1) return words.slice(from).map(({ text }) => text);
  if (!beginsBroken(conversation.messages)) return [];
  return [objective, ...words.filter(({ isKept }) => !isKept).map(({ text }) => text)];
}

function relativeTo(folder: string, path: string): string {
  const inside = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(inside) && path !== inside ? path.slice(inside.length) : path;
}

function changedFile(change: FileChange, relative: (path: string) => string): ChangedFile {
  const { path, operations, diffStats } = change;
  const times = operations === 1 ? "once" : `${operations} times`;
  return {
    path: relative(path),
    what: `changed ${times}, +${diffStats.added} −${diffStats.removed}${becameOf(change)}`,
  };
}

/** Null is no file; an absent hash is not known. */
function becameOf({ firstBeforeSha256: before, lastAfterSha256: after }: FileChange): string {
  if (before === null && after === null) return ", made and removed again";
  if (before === null) return ", new";
  if (after === null) return ", removed";
  return before !== undefined && before === after ? ", now as it was before" : "";
}

const COMMAND_BYTES = 500;

const processLines = ({ live, ended }: ProcessTable): Checkpoint["running_processes"] => [
  ...ended.map((process) => processLine(process, endingOf(process))),
  ...live.map((process) => processLine(process, "running")),
];

const processLine = (
  { processId: id, command }: { readonly processId: string; readonly command: string },
  status: string,
): Checkpoint["running_processes"][number] => ({ id, command: oneLine(command, COMMAND_BYTES), status });

const MAX_READ = 12;

/** By the calls that named them, newest first; then what the model knows of otherwise, in the order in which it first saw it. */
function lastRead(
  messages: readonly Message[],
  seen: readonly string[],
  relative: (path: string) => string,
): readonly string[] {
  const known = new Set(seen);
  const named = messages
    .flatMap(({ content }): readonly Message["content"][number][] => content)
    .flatMap((block) => (block.type === "tool_use" ? filePath(block.input) : []))
    .map(relative)
    .filter((path) => known.has(path));
  return [...new Set([...named.reverse(), ...[...seen].reverse()])].slice(0, MAX_READ);
}

function filePath(input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null || !("file_path" in input)) return [];
  return typeof input.file_path === "string" ? [input.file_path.replace(/^\.\//, "")] : [];
}
