/** One execution of a tool: what it is given, and how long it may still take once the turn is aborted. */
import { isAbsolute, join, relative } from "node:path";
import type { PendingCall, SessionHandle } from "../session/index.ts";
import { type Clock, createSanitizer, sha256, sleep } from "../shared/index.ts";
import type { SpillRoom, ToolContext, ToolResult } from "../tools/index.ts";

export type Settled = ToolResult | { readonly thrown: unknown };

/** After an abort a tool ends its children within 250 ms and reports; this is how long the runtime waits for that. */
const ABORT_GRACE_MS = 1_000;

interface Surroundings {
  readonly session: SessionHandle;
  readonly cwd: string;
  readonly spillFolder: string;
}

/** What differs from call to call. */
interface CallBounds {
  readonly signal: AbortSignal;
  readonly maxResultBytes: number;
  readonly spillRoom: SpillRoom | undefined;
}

export function toolContext(
  { session, cwd, spillFolder }: Surroundings,
  { toolUseId }: PendingCall,
  { signal, maxResultBytes, spillRoom }: CallBounds,
): ToolContext {
  const sanitizer = createSanitizer();
  return {
    toolUseId,
    signal,
    emitOutput: (chunk) => {
      const clean = sanitizer.push(chunk);
      if (clean !== "") session.publishEphemeral({ type: "tool.output", payload: { toolUseId, chunk: clean } });
    },
    beforeWrite: async (_path, before) => {
      if (before) await session.blobs.keep(before);
    },
    lastSeenSha256: (realPath) => session.state().files.seen[recordedPath(cwd, realPath)],
    // The id comes from a server: hashed, it cannot name another place.
    spillFile: join(spillFolder, `${session.id}-${sha256(toolUseId).slice(0, 16)}.txt`),
    ...(spillRoom && { spillRoom }),
    maxResultBytes,
  };
}

/** As file events name a path: relative inside the working directory, absolute elsewhere. */
export function recordedPath(cwd: string, realPath: string): string {
  const inside = relative(cwd, realPath);
  return inside.startsWith("..") || isAbsolute(inside) ? realPath : inside;
}

/** A tool that throws has a bug; that is a result too. "late" when the grace after an abort ran out first. */
export async function runWithGrace(
  execution: Promise<ToolResult>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Settled | "late"> {
  const outcome = execution.catch((thrown: unknown): Settled => ({ thrown }));
  const inTime = await unlessAborted(outcome, signal);
  if (inTime !== undefined) return inTime;
  const done = new AbortController();
  const late = sleep(clock, ABORT_GRACE_MS, done.signal).then(
    () => "late" as const,
    () => "late" as const, // ended early: the race is over
  );
  try {
    return await Promise.race([outcome, late]);
  } finally {
    done.abort();
  }
}

/**
 * What has to be looked at before a call, such as the project under a slow git. After an abort nobody waits for it any more:
 * then it is undefined at once, and how it ends does not matter.
 */
export async function unlessAborted<T>(looked: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  looked.catch(() => undefined); // whoever still waits is told
  if (signal.aborted) return undefined;
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const stop = () => resolve(undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([looked, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
