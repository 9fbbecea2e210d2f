/**
 * What commands change, recorded as facts: a picture of the project before a command that may write, and a look at what
 * differs afterwards, however the command ended. What the user changes in the same moments cannot be told apart from that.
 */
import { isAbsolute, join, relative } from "node:path";
import type { SessionHandle, SessionState } from "../session/index.ts";
import { type Access, byteLength, type Payload, StoreError, toBytes } from "../shared/index.ts";
import { contentDiff } from "../tools/index.ts";
import { publishAll } from "./recording.ts";
import { recordedPath } from "./tool-run.ts";

export interface ChangeWatch {
  /** To be called before anything starts to act. Undefined when nothing of it can change a file of the project. */
  before(accesses: readonly Access[]): Promise<Watched | undefined>;
  /** Records what the calls changed that a crash cut, as far as their pictures tell. To be called before they are closed. */
  recover(): Promise<void>;
}

export interface Watched {
  /** Names the kept picture, for a resume after a crash; absent where it could not be kept. */
  readonly picture?: string;
  /** Records what changed, as changes by this call. Called once, also after a failure or an interrupt. */
  record(toolUseId?: string): Promise<void>;
  /** If the command was a check: up to which event its result speaks. What it changed itself does not make it stale. */
  coversSeq(): number;
}

/** A file that differs from a picture. Contents stand in the blob store under their hash; what is absent is not known. */
export interface PicturedChange {
  /** Absolute. */
  readonly path: string;
  readonly beforeSha256?: string | null;
  readonly afterSha256?: string | null;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  readonly mode?: number;
}

/** Pictures of the project. `P` is theirs alone. */
export interface PicturePort<P> {
  take(known: readonly string[]): Promise<P>;
  /** Returns how many more files may have changed than were told. */
  changesSince(
    before: P,
    search: { readonly first: ReadonlySet<string>; readonly onChange: (change: PicturedChange) => Promise<void> },
  ): Promise<number>;
  text(picture: P): string;
  from(text: string): P | undefined;
}

export interface ChangeWatchDeps<P> {
  readonly session: SessionHandle;
  readonly pictures: PicturePort<P>;
  /** The working directory and the project's root, absolute and real. */
  readonly cwd: string;
  readonly root: string;
  /** Whether a command changes nothing, and needs no picture. */
  readonly onlyReads: (access: Extract<Access, { kind: "command" }>) => boolean;
  /** Called before the first command that may write. */
  readonly beforeFirst: () => Promise<void>;
}

export function createChangeWatch<P>(deps: ChangeWatchDeps<P>): ChangeWatch {
  const { session, pictures, onlyReads } = deps;
  let isFirst = true;
  return {
    async before(accesses) {
      if (!accesses.some((access) => mayWrite(access, onlyReads))) return undefined;
      if (isFirst) await deps.beforeFirst();
      isFirst = false;
      const picture = await pictures.take([...knownFiles(deps)]);
      const hash = await kept(session, pictures.text(picture));
      return watched(deps, picture, hash);
    },
    async recover() {
      for (const { stage, picture: hash, toolUseId } of session.state().turn.pending) {
        const text = stage === "started" && hash !== undefined ? await session.blobs.get(hash) : undefined;
        const picture = text && pictures.from(new TextDecoder().decode(text));
        if (picture) publishAll(session, (await changesBy(deps, picture, toolUseId)).map(asEvent));
      }
    },
  };
}

const mayWrite = (access: Access, onlyReads: ChangeWatchDeps<unknown>["onlyReads"]): boolean =>
  access.kind === "input" || (access.kind === "command" && !onlyReads(access));

function watched<P>(deps: ChangeWatchDeps<P>, picture: P, hash: string | undefined): Watched {
  const { session } = deps;
  const startSeq = session.state().lastSeq;
  let endSeq: number | undefined;
  return {
    ...(hash !== undefined && { picture: hash }),
    async record(toolUseId) {
      // Something else was recorded meanwhile, such as what a cancelled call did: the command may have run before it or after.
      const disturbed = session.state().turn.verification.lastCodeChangeSeq > startSeq;
      const found = await changesBy(deps, picture, toolUseId);
      const touchesWork = found.some((change) => isModelsWork(session.state(), change));
      publishAll(session, found.map(asEvent));
      if (!disturbed && !touchesWork) endSeq = session.state().lastSeq;
    },
    coversSeq: () => endSeq ?? startSeq,
  };
}

/** A picture that cannot be kept costs a later rewind its certainty, but not the command. */
async function kept(session: SessionHandle, text: string): Promise<string | undefined> {
  try {
    return await session.blobs.put(toBytes(text));
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

/** Of the project, relative to its root: what the model has seen, and what was changed. */
function knownFiles({ session, cwd, root }: Pick<ChangeWatchDeps<never>, "session" | "cwd" | "root">): Set<string> {
  const { seen, changes } = session.state().files;
  const found = new Set<string>();
  for (const path of [...Object.keys(changes), ...Object.keys(seen)]) {
    const inside = relative(root, isAbsolute(path) ? path : join(cwd, path));
    if (!inside.startsWith("..") && !isAbsolute(inside)) found.add(inside);
  }
  return found;
}

type Modified = Payload<"file.modified">;

/** All diffs of one command together; what is beyond is only counted. */
const MAX_DIFF_BYTES = 256 * 1024;
const MAX_FILE_DIFF_BYTES = 32 * 1024;

const asEvent = (payload: Modified) => ({ type: "file.modified", payload }) as const;

/**
 * What the model wrote or read, and what its claim rests on, is not the same any more: a check over it has to be repeated. Once
 * it was, the model's content is gone, so a check that changes a file each time is not repeated for ever.
 */
const isModelsWork = ({ files, turn }: SessionState, { path, beforeSha256 }: Modified): boolean =>
  turn.verification.changedFiles.includes(path) && beforeSha256 !== undefined && files.seen[path] === beforeSha256;

async function changesBy<P>(
  deps: ChangeWatchDeps<P>,
  picture: P,
  toolUseId: string | undefined,
): Promise<readonly Modified[]> {
  const { session, pictures, cwd } = deps;
  const found: Modified[] = [];
  let room = MAX_DIFF_BYTES;
  const unlisted = await pictures.changesSince(picture, {
    first: knownFiles(deps),
    async onChange(change) {
      const path = recordedPath(cwd, change.path);
      if (isRecorded(session, path, change)) return;
      const { diff, diffStats } = await differenceOf(path, change, Math.min(room, MAX_FILE_DIFF_BYTES));
      room -= byteLength(diff ?? "");
      const { before: _before, after: _after, ...hashes } = change;
      found.push({ ...hashes, path, operation: "exec", diffStats, ...(diff !== undefined && { diff }) });
    },
  });
  const last = found.length - 1;
  return found.map((change, at) => ({
    ...change,
    ...(at === last && unlisted > 0 && { unlisted }),
    ...(toolUseId !== undefined && { toolUseId }),
  }));
}

/** A change of a tool of ours in the same moments, or what a look after a crash has already told. */
const isRecorded = (session: SessionHandle, path: string, { afterSha256, beforeSha256 }: PicturedChange): boolean =>
  afterSha256 !== undefined &&
  afterSha256 !== beforeSha256 &&
  session.state().files.changes[path]?.lastAfterSha256 === afterSha256;

async function differenceOf(path: string, change: PicturedChange, maxBytes: number) {
  const { beforeSha256, afterSha256, before, after } = change;
  const isKnown = (beforeSha256 === null || before) && (afterSha256 === null || after);
  const difference = isKnown ? await contentDiff(path, [before, after], maxBytes) : undefined;
  return difference ?? { diff: undefined, diffStats: { added: 0, removed: 0 } };
}
