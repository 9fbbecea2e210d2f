/** The store of sessions, and what it takes and gives beside handles: lines as they stand in a log, and where a fork was cut. */
import type { LogEvent, Payload } from "../shared/index.ts";
import type { BlobStore, SessionHandle, SessionMeta } from "./types.ts";

export interface SessionStore {
  readonly blobs: BlobStore;
  /** Texts without the keys in use, as an event would hold them. */
  redacted(texts: readonly string[]): readonly string[];
  /** Makes the log and its first line. `id` must not be taken. Throws StoreError. */
  create(started: Payload<"session.started">, id?: string): Promise<SessionHandle>;
  /** A new session with the lines of another, which is not changed and may be open elsewhere. Throws StoreError as `open` does. */
  fork(parent: string, options?: ForkOptions): Promise<Forked>;
  /**
   * Locks the log, moves a torn tail to `<id>.jsonl.torn`, and replays through the same folds that live events use. Appends
   * nothing: the caller publishes `session.resumed` and then `recoveryEvents(state)`. Throws StoreError `locked`, `damaged`
   * (names line and byte; the file is untouched; also for a log that needs a newer version), `not-found`, `read-only`,
   * `full` (a torn tail could not be kept) or `io`.
   */
  open(id: string): Promise<SessionHandle>;
  /** The readable events of a log, named by id or path, in order and without a lock. Ends at the first damaged line. Holds one event at a time. */
  read(idOrPath: string): AsyncIterable<LogEvent>;
  /** Every line of a log as it stands, also behind damage; what is wrong stands in its place. Without a lock; one line at a time. */
  lines(idOrPath: string, options?: ReadingOptions): AsyncIterable<LogLine>;
  /** Judges a log without changing it. Takes an id or a file's path. */
  check(idOrPath: string): Promise<LogVerdict>;
  /**
   * From meta caches; of a log that has grown since, only the rest is read, and of one without a cache all of it, unless a quick
   * list is wanted. Newest first. Damaged logs are listed as such, empty ones are not. Other calls and screens get their turns.
   */
  list(filter?: ListFilter): Promise<readonly SessionListing[]>;
  /** The absolute path of a session's log, or undefined. */
  locate(id: string): Promise<string | undefined>;
}

export interface ListFilter {
  readonly projectHash?: string;
  /** Only logs that were written to at this time or later; epoch milliseconds. The others are not opened. */
  readonly writtenSince?: number;
  /** The id of a session that is left out: its log is not opened. */
  readonly except?: string;
  /**
   * For whoever waits: reads 16 MiB of logs at most, the newest first, and of each that is left a little at both ends. Those are
   * listed with `glance` in the place of `meta`. What was read is kept, so the next list knows more.
   */
  readonly quick?: boolean;
}

/** One line of a log: an event with its own bytes as text, or what is wrong in its place. */
export type LogLine = { readonly number: number; readonly event: LogEvent; readonly text: string } | LogProblem;

export interface LogProblem {
  readonly number: number;
  readonly byte: number;
  readonly problem: string;
  /** The end of a log whose writer was cut off: no damage. */
  readonly torn?: true;
  /** The line is in order; only this build cannot read it. */
  readonly newer?: true;
  /** What the line seems to have been: `event 7, tool.completed`. Its letters are foreign. */
  readonly looksLike?: string;
  /** The line is an event, but not one that can stand there. */
  readonly misplaced?: LogEvent;
}

export interface ReadingOptions {
  /** Go on when the end is reached, as long as the log grows, until this aborts or the log is deleted. */
  readonly follow?: AbortSignal;
}

export interface ForkOptions {
  /** The last line to take over, or the nearest before it at which nothing is open; without it everything that is sound. */
  readonly seq?: number;
  /** Of the new session. */
  readonly id?: string;
}

export interface Forked {
  /** Its first event must be `session.resumed` with the fork's marker: before that there is no file of this name. */
  readonly session: SessionHandle;
  /** seq of the last line that was taken over. */
  readonly seq: number;
  /** What stayed behind at the parent's end because it is torn or damaged, in words. */
  readonly leftBehind?: string;
}

export interface SessionListing {
  readonly id: string;
  readonly path: string;
  readonly meta?: SessionMeta;
  /** In place of `meta` where the log was not read whole: then nobody knows yet whether it is damaged. Neither, where nothing is known. */
  readonly glance?: SessionGlance;
  /** Why it cannot be resumed. */
  readonly damaged?: string;
  /** It is in order; only this build cannot read all of it. */
  readonly newer?: true;
}

/** What the beginning and the end of a log tell. What neither says is absent, and no number stands for it. */
export interface SessionGlance
  extends Pick<SessionMeta, "id" | "projectHash" | "workingDirectory" | "gitBranch" | "createdAt"> {
  /** A name that was given in between is not known. Empty when the beginning has none. */
  readonly title: string;
  /** A change in between is not known. */
  readonly model: string;
  /** Of the last line, or of the file where that is not to be read. */
  readonly updatedAt: number;
  readonly events?: number;
  /** At least. */
  readonly userMessages: number;
  readonly lastOutcome?: SessionMeta["lastOutcome"];
}

/** What `fsck` says of one log; the field names of its JSON are a contract with scripts. */
export interface LogVerdict {
  readonly sessionId: string;
  readonly path: string;
  readonly verdict: "ok" | "torn" | "damaged";
  readonly resumable: boolean;
  readonly events: number;
  readonly tornBytes: number;
  /** A line that only a newer version can read is named here too; alone it leaves the verdict as it is, but not resumable. */
  readonly damage: readonly DamagedLine[];
  /** The line with which the torn end begins. */
  readonly torn?: Pick<DamagedLine, "line" | "byte" | "looksLike">;
  /**
   * The newest event before the first damage at which no answer and no call is open: a fork of what comes up to it needs no
   * repair. Absent when there is none.
   */
  readonly safeSeq?: number;
  /** The newest event before the first damage. */
  readonly soundSeq?: number;
  /** Calls of ended responses that have no result: closed by the next resume, but for those that it leaves open. */
  readonly unpaired: readonly string[];
  /** Those: a resume asks again for what waits for consent, and goes on with what stands behind it. */
  readonly leftOpen: readonly { readonly toolUseId: string; readonly isWaiting: boolean }[];
}

export interface DamagedLine {
  readonly line: number;
  readonly byte: number;
  readonly reason: string;
  readonly newer?: true;
  /** As in `LogProblem`. */
  readonly looksLike?: string;
}

/** A place in a log where the words stand. */
export interface Match {
  /** Of the session that wrote the line: in a fork's log this may be an ancestor. */
  readonly sessionId: string;
  readonly seq: number;
  readonly ts: number;
  readonly who: "title" | "user" | "khaelor" | "model" | "call" | "result";
  /** The whole line of the text; foreign, and as long as it was. */
  readonly line: string;
}

export interface SearchOptions {
  /** How many of the newest matches are kept. */
  readonly limit: number;
  /** Where to look; everywhere without it. */
  readonly only?: readonly Match["who"][];
  /** Whose lines to pass over, such as those of a parent that is looked through itself. */
  readonly skip?: (sessionId: string) => boolean;
}

/** A file that can go, or a whole folder of a run that was to leave nothing. */
export interface Removable {
  readonly path: string;
  readonly bytes: number;
  readonly kind: "log" | "beside a log" | "spilled output" | "blob" | "draft" | "throwaway";
  /** Of a log. */
  readonly sessionId?: string;
}

export interface RemovalPlan {
  readonly files: readonly Removable[];
  /** Logs that are open in another process: nothing of theirs goes. */
  readonly held: readonly string[];
  readonly home: string;
  /** Nothing that was touched after this goes, for a session that runs may be about to name it. Epoch milliseconds. */
  readonly untouchedSince: number;
}

export interface RemovalWish {
  /** Logs to remove, with all that only they name. */
  readonly logs: readonly string[];
  /** Also what no log names at all, and what broken-off work left. */
  readonly orphans: boolean;
}
