/**
 * What happened to files since the session began, whatever became of the conversation about it, and which content of each
 * file the model knows. The two tables have no prototype, so a file may be called "constructor"; as long lists they are
 * extended in place, and so are the calls of one file.
 */
import { type DurableEvent, type Projection, projection } from "../../shared/index.ts";
import type { FileChange, FileChangeSet } from "../types.ts";

/** The fold's own state; readers see it as FileChangeSet. */
interface FileFold extends FileChangeSet {
  readonly changes: Record<string, FileChange & { readonly toolUseIds: string[] }>;
  readonly seen: Record<string, string>;
  /** Read for queued messages: the model knows it when it has the message. */
  readonly queued: readonly { readonly eventId: string; readonly path: string; readonly sha256: string }[];
  /** The queued message whose mentions are being told; undefined behind any other. */
  readonly telling: string | undefined;
}

const table = <T>(): Record<string, T> => Object.create(null) as Record<string, T>; // empty: it fits every T

export const fileChangeSet: Projection<FileFold> = projection<FileFold>(
  "file-change-set",
  () => ({ changes: table(), seen: table(), queued: [], telling: undefined }),
  {
    // The last look before the first change is what attribution stands on; a later one would hold our own changes.
    "git.baseline-recorded": (state, { payload: { baseline } }) =>
      state.baseline && Object.keys(state.changes).length > 0 ? state : { ...state, baseline },
    "session.resumed": (state, { payload }) => (payload.fork ? { ...state, queued: [] } : state),
    "user.message-created": (state) => (state.telling === undefined ? state : { ...state, telling: undefined }),
    "user.steering-queued": (state, { id }) => ({ ...state, telling: id }),
    "user.steering-injected": (state, { payload: { queuedEventId, seam } }) => {
      const told = state.queued.filter(({ eventId }) => eventId === queuedEventId);
      if (told.length === 0) return state;
      for (const { path, sha256 } of seam === "withdrawn" ? [] : told) state.seen[path] = sha256;
      return { ...state, queued: state.queued.filter((read) => !told.includes(read)) };
    },
    "file.read": (state, { payload: { path, sha256, toolUseId } }) => {
      if (sha256 === undefined) return state;
      const { telling: eventId, queued } = state;
      if (eventId !== undefined && toolUseId === undefined) {
        return { ...state, queued: [...queued, { eventId, path, sha256 }] };
      }
      state.seen[path] = sha256;
      return { ...state, queued: without(queued, path) };
    },
    "file.modified": (state, { payload }) => {
      state.changes[payload.path] = changed(state.changes[payload.path], payload);
      const isKnown = noteSeen(state.seen, payload);
      return { ...state, ...(isKnown && { queued: without(state.queued, payload.path) }) };
    },
  },
);

type Modified = DurableEvent<"file.modified">["payload"];

/** No more calls run at once: an older one changes nothing any more. */
const MAX_AT_ONCE = 64;

function changed(before: FileFold["changes"][string] | undefined, now: Modified): FileFold["changes"][string] {
  const first = before ? before.firstBeforeSha256 : now.beforeSha256;
  const ids = before?.toolUseIds ?? [];
  const { toolUseId } = now;
  if (toolUseId !== undefined && !ids.slice(-MAX_AT_ONCE).includes(toolUseId)) ids.push(toolUseId);
  return {
    path: now.path,
    operations: (before?.operations ?? 0) + 1,
    diffStats: {
      added: (before?.diffStats.added ?? 0) + now.diffStats.added,
      removed: (before?.diffStats.removed ?? 0) + now.diffStats.removed,
    },
    ...(first !== undefined && { firstBeforeSha256: first }),
    ...(now.afterSha256 !== undefined && { lastAfterSha256: now.afterSha256 }),
    toolUseIds: ids,
  };
}

/**
 * What the model wrote it knows; what a command or a rewind left it has not seen, so its old knowledge stays and is stale.
 * False for the latter.
 */
function noteSeen(seen: FileFold["seen"], { path, operation, afterSha256 }: Modified): boolean {
  if (operation !== "write" && operation !== "edit") return false;
  if (afterSha256) seen[path] = afterSha256;
  else delete seen[path];
  return true;
}

/** What the model has of a file by its own hand is newer than what it is still to be told. */
const without = (queued: FileFold["queued"], path: string): FileFold["queued"] =>
  queued.some((read) => read.path === path) ? queued.filter((read) => read.path !== path) : queued;
