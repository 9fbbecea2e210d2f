/**
 * What a message mentions, captured once, when it is said: the text of files, the listing of a folder, an image. Each goes
 * through the permission gate first. What cannot be given to the model is told in its place; a mention never fails a message.
 */
import type { SessionHandle } from "../session/index.ts";
import { byteLength, type Mention, type Payload } from "../shared/index.ts";
import { resolveToolPath, type ToolContext, type ToolDefinition, type ToolResult } from "../tools/index.ts";
import type { Workspace } from "../workspace/index.ts";
import { type Attachment, captureImage } from "./image-mention.ts";
import type { PermissionGate } from "./permission-gate.ts";
import { recordedPath } from "./tool-run.ts";

type Context = NonNullable<Payload<"user.message-created">["context"]>;

export interface Captured {
  /** One entry for each mention, named by its path. */
  readonly context: Context;
  readonly mentions: Mention[];
  readonly attachments: Attachment[];
  /** What the model knows of files once it has the message. */
  readonly reads: readonly Payload<"file.read">[];
}

/** An abort cuts it short: the rest is told to be missing. Rejects only when a blob cannot be stored, or for a bug. */
export type CaptureMentions = (mentions: readonly Mention[], signal: AbortSignal) => Promise<Captured>;

export const NOTHING_CAPTURED: Captured = { context: [], mentions: [], attachments: [], reads: [] };

export interface MentionDeps {
  readonly session: SessionHandle;
  readonly workspace: Workspace;
  readonly gate: PermissionGate;
  /** Shows a file as the model knows it from its own calls. */
  readonly readTool: ToolDefinition;
  /** The user's home folder, for `~/`. */
  readonly home: string;
}

export const MAX_MENTIONS = 50;
const MAX_FILE_BYTES = 64 * 1024;
const MAX_MESSAGE_BYTES = 256 * 1024;
/** Below this there is no room for a file that would be worth it. */
const MIN_FILE_BYTES = 4 * 1024;

export const createMentionCapture =
  (deps: MentionDeps): CaptureMentions =>
  async (mentions, signal) => {
    if (mentions.length === 0) return NOTHING_CAPTURED;
    const pieces: Piece[] = [];
    let room = MAX_MESSAGE_BYTES;
    for (const mention of mentions.slice(0, MAX_MENTIONS)) {
      const given = pieces.flatMap(({ attachment }) => attachment ?? []);
      const piece = await capture(deps, mention, { room, given, signal });
      pieces.push(piece);
      room -= byteLength(piece.text);
    }
    return together(mentions, pieces);
  };

interface Piece {
  readonly mention: Mention;
  readonly text: string;
  readonly attachment?: Attachment;
  readonly reads?: readonly Payload<"file.read">[];
}

interface Surroundings {
  readonly room: number;
  readonly given: readonly Attachment[];
  readonly signal: AbortSignal;
}

async function capture(deps: MentionDeps, mention: Mention, { room, given, signal }: Surroundings): Promise<Piece> {
  const { session, workspace, gate, home } = deps;
  const path = resolveToolPath(mention.path, workspace.cwd(), home);
  const { allowed, ...refusal } = await gate.authorize(
    [{ kind: "path", op: "read", path }],
    { mention: mention.path },
    signal,
  );
  if ("feedback" in refusal && !allowed) return notGiven(mention, refusal.feedback);
  const image = await captureImage({ session, workspace }, path, given);
  if (image?.kind === "refused") return notGiven(mention, image.message);
  if (image) {
    const { attachment } = image;
    return { mention: { ...mention, sha256: attachment.sha256 }, text: told(mention, image.message), attachment };
  }
  if (room < MIN_FILE_BYTES) return notGiven(mention, NO_ROOM);
  return captureText(deps, mention, Math.min(room, MAX_FILE_BYTES));
}

/** The user is told as well as the model: who mentions a file counts on its being read. */
const notGiven = (mention: Mention, why: string): Piece => ({
  mention: { ...mention, notGiven: firstLine(why) },
  text: told(mention, why),
});

const MAX_REASON = 200;
const firstLine = (text: string): string => (text.split("\n", 1)[0] ?? "").slice(0, MAX_REASON).toWellFormed();

const NO_ROOM = `Not given: the files mentioned before it fill the ${MAX_MESSAGE_BYTES / 1024} KiB that one message takes. Read it when it is needed.`;

async function captureText({ readTool, workspace }: MentionDeps, mention: Mention, bytes: number): Promise<Piece> {
  const { range, path } = mention;
  const lines = range && { offset: range.start, limit: range.end - range.start + 1 };
  const result = await readTool.execute({ file_path: path, ...lines }, readingContext(bytes));
  const reads = (result.read ?? []).map((fact) => ({ ...fact, path: recordedPath(workspace.cwd(), fact.path) }));
  const hash = reads[0]?.sha256;
  const known = { ...mention, ...(hash !== undefined && { sha256: hash }) };
  return isGiven(result, range)
    ? { mention: known, text: told(mention, result.modelText), reads }
    : { ...notGiven(known, result.modelText), reads };
}

/** Of a folder its names were wanted, which are there. A file may have none of the lines. */
const isGiven = ({ errorKind, shows }: ToolResult, range: Mention["range"]): boolean =>
  shows !== undefined || (errorKind === undefined && range === undefined);

/** A read is over at once, writes nothing and keeps nothing. */
const readingContext = (maxResultBytes: number): ToolContext => ({
  signal: new AbortController().signal,
  emitOutput: () => undefined,
  beforeWrite: () => Promise.resolve(),
  lastSeenSha256: () => undefined,
  spillFile: "/dev/null",
  maxResultBytes,
});

const told = ({ path }: Mention, text: string): string =>
  `<mentioned path=${JSON.stringify(path)}>\n${text}\n</mentioned>`;

function together(mentions: readonly Mention[], pieces: readonly Piece[]): Captured {
  const left = mentions
    .slice(pieces.length)
    .map((mention) => ({ ...mention, notGiven: `More than ${MAX_MENTIONS} at once.` }));
  const names = left
    .map(({ path }) => path)
    .join(", ")
    .slice(0, 2_000);
  const rest =
    left.length === 0
      ? []
      : [
          {
            name: "mentions",
            text: `<mentioned>\nNot given, more than ${MAX_MENTIONS} at once: ${names}\n</mentioned>`,
          },
        ];
  return {
    context: [...pieces.map(({ mention, text }) => ({ name: mention.path, text })), ...rest],
    mentions: [...pieces.map(({ mention }) => mention), ...left],
    attachments: pieces.flatMap(({ attachment }) => attachment ?? []),
    reads: pieces.flatMap(({ reads = [] }) => reads),
  };
}
