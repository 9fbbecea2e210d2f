/** KHAELOR's own changes, from the log and the contents kept before each: the whole session's, or this turn's. */
import { eventsOfTypes } from "../../session/index.ts";
import { type DiffStats, type Payload, sha256 } from "../../shared/index.ts";
import { contentDiff } from "../../tools/index.ts";
import type { DiffFile } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { counted } from "../words.ts";

export interface ChangeList {
  readonly files: readonly DiffFile[];
  /** What the list does not say. */
  readonly notes: readonly string[];
}

/** More than anybody looks through at once; each diff is bounded too. */
export const MAX_FILES = 300;
export const MAX_FILE_BYTES = 64 * 1024;
const MAX_CONTENT_BYTES = 8 * 1024 * 1024;

type Modified = Payload<"file.modified">;

/** One file's way through the changes that are looked at. */
interface Course {
  readonly path: string;
  /** Null: there was no file. Absent: it is not known. */
  readonly beforeSha256?: string | null | undefined;
  readonly afterSha256?: string | null | undefined;
  readonly diffStats: DiffStats;
  /** As recorded, of the newest change. */
  readonly diff?: string | undefined;
}

export async function changedByKhaelor({ session, workspace }: Engine): Promise<ChangeList> {
  return listOf({ session, workspace }, await coursesIn(session, 0));
}

export async function changedInTurn({ session, workspace }: Engine): Promise<ChangeList> {
  return listOf({ session, workspace }, await coursesIn(session, session.state().turn.turnStartSeq));
}

type Reading = Pick<Engine, "session" | "workspace">;

async function coursesIn(session: Engine["session"], afterSeq: number): Promise<readonly Course[]> {
  const found = new Map<string, Course>();
  for await (const event of eventsOfTypes(session.path, new Set(["file.modified"]))) {
    if ("opaque" in event || event.type !== "file.modified" || event.seq <= afterSeq) continue;
    found.set(event.payload.path, grown(found.get(event.payload.path), event.payload));
  }
  return [...found.values()];
}

function grown(before: Course | undefined, now: Modified): Course {
  return {
    path: now.path,
    beforeSha256: before ? before.beforeSha256 : now.beforeSha256,
    afterSha256: now.afterSha256,
    diffStats: {
      added: (before?.diffStats.added ?? 0) + now.diffStats.added,
      removed: (before?.diffStats.removed ?? 0) + now.diffStats.removed,
    },
    diff: before ? undefined : now.diff,
  };
}

async function listOf(reading: Reading, courses: readonly Course[]): Promise<ChangeList> {
  const files: DiffFile[] = [];
  for (const course of courses.slice(0, MAX_FILES)) {
    const file = await fileOf(reading, course);
    if (file) files.push(file);
  }
  const left = courses.length - MAX_FILES;
  return { files, notes: left > 0 ? [`${counted(left, "more file")} are not looked at.`] : [] };
}

/** Undefined where it is again as it was. */
async function fileOf(reading: Reading, course: Course): Promise<DiffFile | undefined> {
  const { path, beforeSha256, afterSha256, diffStats } = course;
  const now = await contentOf(reading.workspace, path);
  const nowSha256 = now === undefined ? null : now === "unreadable" ? undefined : sha256(now);
  const isYoursToo = afterSha256 === undefined || nowSha256 !== afterSha256;
  const by = isYoursToo ? "both" : "khaelor";
  if (nowSha256 !== undefined && nowSha256 === beforeSha256) return undefined;
  const before = await beforeOf(reading, beforeSha256);
  const difference =
    before === "unknown" || now === "unreadable" ? undefined : await contentDiff(path, [before, now], MAX_FILE_BYTES);
  if (!difference) return { path, diff: course.diff ?? "", ...diffStats, by };
  return { path, diff: difference.diff ?? "", ...difference.diffStats, by };
}

async function beforeOf(
  { session }: Reading,
  beforeSha256: string | null | undefined,
): Promise<Uint8Array | undefined | "unknown"> {
  if (beforeSha256 === null) return undefined;
  return (beforeSha256 === undefined ? undefined : await session.blobs.get(beforeSha256)) ?? "unknown";
}

/** Undefined: there is no such file. */
export async function contentOf(
  workspace: Engine["workspace"],
  path: string,
): Promise<Uint8Array | undefined | "unreadable"> {
  const read = await workspace.readFile(path, { maxBytes: MAX_CONTENT_BYTES });
  if (read.ok) return read.value.sizeBytes > MAX_CONTENT_BYTES ? "unreadable" : read.value.bytes;
  return read.error.kind === "not-found" ? undefined : "unreadable";
}
