/**
 * The rules of the conversation a second time, written to be compared and not to be fast: not a fold, but a timeline of what
 * was said, and of what was taken away again, read from the whole log. It knows nothing of the session's own folds.
 */
import type { DurableEvent, LogEvent, Payload } from "../../src/shared/index.ts";
import { isBreak, isOtherPrefix, of } from "./expected-breaks.ts";
import { inMessages } from "./neighbours.ts";
import { isOwnCommand, isResult, isWithdrawal } from "./story/memory-session.ts";

export { isBreak, of };

/** One message as it must be sent; its blocks as JSON. */
export interface ExpectedMessage {
  readonly role: "user" | "assistant";
  readonly blocks: readonly string[];
}

interface Entry {
  readonly role: "user" | "assistant";
  readonly block: Readonly<Record<string, unknown>>;
  /** When it was said; and when it took its place, which for what came during a batch is behind the batch. */
  readonly origin: number;
  readonly time: number;
}

/** What must be sent at `seq`, that is, what the lines before it say. */
export function expectedMessages(log: readonly LogEvent[], seq: number): readonly ExpectedMessage[] {
  return inMessages(standingAt(log, seq)).map(({ role, entries }) => ({
    role,
    blocks: entries.map(({ block }) => JSON.stringify(block)),
  }));
}

function standingAt(log: readonly LogEvent[], seq: number): readonly Entry[] {
  const events = log.filter((event) => event.seq < seq);
  const answers = answersOf(events);
  const batches = answers.flatMap((answer) => batchOf(answer, events));
  const said = textsOf(events, batches);
  const additions = [...[...answers, ...batches].flatMap(({ entries }) => entries), ...said];
  let standing: readonly Entry[] = [];
  for (const event of events) {
    standing = [...standing, ...additions.filter(({ time }) => time === event.seq)];
    standing = afterwards(standing, event, { events, batches });
  }
  return standing;
}

/** The calls of the last answer that counts before `seq` and has any, in the order of its blocks. */
export const countedCalls = (log: readonly LogEvent[], seq: number): readonly string[] =>
  answersOf(log.filter((event) => event.seq < seq)).findLast(({ calls }) => calls.length > 0)?.calls ?? [];

interface Answer {
  readonly time: number;
  readonly entries: readonly Entry[];
  readonly calls: readonly string[];
}

/** Requests of the conversation that ended in a way that counts, each with the blocks that count. */
function answersOf(events: readonly LogEvent[]): readonly Answer[] {
  return of(events, "model.request-started")
    .filter((request) => isOfTurn(request))
    .flatMap(({ payload: { requestId } }) => {
      const ending = endingOf(events, requestId);
      if (!ending || ending.stopReason === "refusal") return [];
      const time = ending.seq;
      const recorded = blocksOf(events, requestId);
      const isBound = bindingOf(events, ending.seq);
      const blocks = countingBlocks(
        recorded.filter(isBound).map(({ block }) => block),
        ending.stopReason,
      );
      const entries = blocks.map((block): Entry => ({ role: "assistant", block, origin: time, time }));
      const calls = blocks.flatMap((block) => (block.type === "tool_use" ? [String(block.id)] : []));
      return [{ time, entries, calls }];
    });
}

const isOfTurn = (request?: DurableEvent<"model.request-started">): boolean =>
  ["main", "verification-nudge"].includes(request?.payload.purpose ?? "");

function endingOf(events: readonly LogEvent[], requestId: string): { seq: number; stopReason: string } | undefined {
  const completed = of(events, "model.response-completed").find(({ payload }) => payload.requestId === requestId);
  if (completed) return { seq: completed.seq, stopReason: completed.payload.stopReason };
  const failed = of(events, "model.request-failed").find(({ payload }) => payload.requestId === requestId);
  const started = of(events, "model.request-started").find(({ payload }) => payload.requestId === requestId);
  const stopped = of(events, "user.interrupted").find(
    ({ seq }) => seq > (started?.seq ?? 0) && seq < (failed?.seq ?? 0),
  );
  return failed && stopped ? { seq: failed.seq, stopReason: "interrupted" } : undefined;
}

type AnyBlock = Readonly<Record<string, unknown>>;

interface Recorded {
  readonly seq: number;
  readonly at: number;
  readonly block: AnyBlock;
}

function blocksOf(events: readonly LogEvent[], wanted: string): readonly Recorded[] {
  const texts = of(events, "model.text-block-completed").map(({ seq, payload: { requestId, blockIndex, text } }) => ({
    requestId,
    seq,
    at: blockIndex,
    block: { type: "text", text } as AnyBlock,
  }));
  const thoughts = of(events, "model.thinking-block-completed").map(({ seq, payload }) => {
    const { requestId, blockIndex, redacted: data, thinking, signature } = payload;
    const block = data === undefined ? { type: "thinking", thinking, signature } : { type: "redacted_thinking", data };
    return { requestId, seq, at: blockIndex, block };
  });
  const calls = of(events, "tool.requested").map(({ seq, payload }) => {
    const { requestId, blockIndex, toolUseId: id, toolName: name, input, caller, toolsetName } = payload;
    const origin = {
      ...(caller !== undefined && { caller }),
      ...(toolsetName !== undefined && { toolset_name: toolsetName }),
    };
    return { requestId, seq, at: blockIndex, block: { type: "tool_use", id, name, input, ...origin } };
  });
  return [...texts, ...thoughts, ...calls].filter(({ requestId }) => requestId === wanted).sort((a, b) => a.at - b.at);
}

/** Thinking from before a break is worth nothing, also if the answer that holds it counts only from later on. */
function bindingOf(events: readonly LogEvent[], end: number): (recorded: Recorded) => boolean {
  const breaks = events.filter((event) => event.seq < end && isBreak(event, events)).map(({ seq }) => seq);
  return ({ seq, block }) => !isThought(block) || !breaks.some((at) => at > seq);
}

const isThought = ({ type }: AnyBlock): boolean => type === "thinking" || type === "redacted_thinking";

function countingBlocks(blocks: readonly AnyBlock[], stopReason: string): readonly AnyBlock[] {
  const isCut = stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";
  const whole = isCut && blocks.at(-1)?.type === "tool_use" ? blocks.slice(0, -1) : blocks;
  const visible = whole.filter(({ type, text }) => type !== "text" || String(text).trim() !== "");
  return visible.slice(0, visible.findLastIndex(({ type }) => type === "text" || type === "tool_use") + 1);
}

interface Batch {
  readonly from: number;
  readonly time: number;
  readonly entries: readonly Entry[];
}

/** The first result of each call, in the order of the calls, at the moment when the last one came. */
function batchOf({ calls, time: from }: Answer, events: readonly LogEvent[]): readonly Batch[] {
  const results = calls.map((id) => events.find((event) => isResult(event) && event.payload.toolUseId === id));
  if (calls.length === 0) return [];
  const time = Math.max(from, ...results.map((result) => result?.seq ?? Number.POSITIVE_INFINITY));
  const entries = results.flatMap((result) => {
    if (!result || !isResult(result)) return [];
    const { toolUseId: tool_use_id, modelText } = result.payload;
    const content = modelText.trim() === "" ? "(no output)" : modelText;
    const failed = result.type === "tool.completed" ? {} : { is_error: true };
    return [
      { role: "user" as const, block: { type: "tool_result", tool_use_id, content, ...failed }, origin: time, time },
    ];
  });
  return [{ from, time, entries }];
}

function textsOf(events: readonly LogEvent[], batches: readonly Batch[]): readonly Entry[] {
  const queued = new Map(of(events, "user.steering-queued").map((event) => [event.id, event]));
  const written = of(events, "user.message-created").map(({ seq, payload: said }) => ({ seq, since: seq, said }));
  const injected = injectedIn(events).flatMap(({ seq, payload }): Spoken[] => {
    const waited = queued.get(payload.queuedEventId);
    return waited ? [{ seq, since: waited.seq, said: waited.payload }] : [];
  });
  return [...written, ...injected].sort(inOrder).flatMap(({ seq, since, said }) => {
    const time = batches.find((batch) => batch.from < seq && seq < batch.time)?.time ?? seq;
    const lost = of(events, "context.pruned").filter((event) => event.seq > since && event.seq < time);
    return [...(said.context ?? []).map(textOf), ...(said.attachments ?? []).map(imageOf), textOf(said)]
      .filter(({ text }) => text === undefined || String(text).trim() !== "")
      .map((block): Entry => ({ role: "user", block, origin: seq, time }))
      .map((entry) => lost.reduce((before, { payload }) => pruned(before, payload), entry));
  });
}

const injectedIn = (log: readonly LogEvent[]) => of(log, "user.steering-injected").filter((one) => !isWithdrawal(one));

const textOf = ({ text }: { readonly text: string }): AnyBlock => ({ type: "text", text });

const imageOf = (image: NonNullable<Payload<"user.message-created">["attachments"]>[number]): AnyBlock => ({
  type: "image",
  source: { type: "blob", media_type: image.mediaType, sha256: image.sha256, bytes: image.bytes },
});

const inOrder = (a: { readonly seq: number }, b: { readonly seq: number }): number => a.seq - b.seq;

interface Spoken {
  readonly seq: number;
  readonly since: number; // when it was recorded, perhaps to wait
  readonly said: Pick<Payload<"user.message-created">, "text" | "context" | "attachments">;
}

/** What an event takes away, or puts in the place of what was said. */
function afterwards(
  standing: readonly Entry[],
  event: LogEvent,
  log: { readonly events: readonly LogEvent[]; readonly batches: readonly Batch[] },
): readonly Entry[] {
  if ("opaque" in event) return standing;
  switch (event.type) {
    case "model.response-completed":
      return event.payload.stopReason === "refusal" && isOfTurn(requestOf(log.events, event))
        ? withoutRefused(standing, event.seq, log)
        : standing;
    case "context.pruned":
      return withoutThinking(standing).map((entry) => pruned(entry, event.payload));
    case "context.compacted":
      return compacted(standing, event);
    case "session.model-changed":
      return withoutThinking(standing);
    case "session.resumed":
      return isOtherPrefix(event, log.events) ? withoutThinking(standing) : standing;
    default:
      return standing;
  }
}

const requestOf = (events: readonly LogEvent[], { payload }: DurableEvent<"model.response-completed">) =>
  of(events, "model.request-started").find(({ payload: { requestId } }) => requestId === payload.requestId);

const withoutThinking = (all: readonly Entry[]): readonly Entry[] => all.filter(({ block }) => !isThought(block));

function pruned(entry: Entry, { toolUseIds, placeholder, imageSha256s }: Payload<"context.pruned">): Entry {
  const { tool_use_id: id, source } = entry.block;
  if (toolUseIds.includes(String(id))) return { ...entry, block: { ...entry.block, content: placeholder } };
  const hash = (source as { readonly sha256?: string } | undefined)?.sha256;
  return hash !== undefined && imageSha256s?.includes(hash)
    ? { ...entry, block: { type: "text", text: placeholder } }
    : entry;
}

/** Everything since the turn began, unless a batch has ended since, or a loop would be open again that a break took its thinking from. */
function withoutRefused(
  standing: readonly Entry[],
  refused: number,
  { events, batches }: { readonly events: readonly LogEvent[]; readonly batches: readonly Batch[] },
): readonly Entry[] {
  const begun = turnBegin(events, refused);
  if (batches.some(({ time }) => time > begun && time < refused)) return standing;
  const left = standing.filter(({ origin }) => origin < begun);
  const breaks = events.filter((event) => event.seq > begun && event.seq < refused && isBreak(event, events));
  // A loop that a break found open there stays closed, though a compaction has taken it away since.
  const isHeld = breaks.some(
    ({ seq, type }) => type !== "context.compacted" && endsInResults(standingAt(events, seq), begun),
  );
  return isHeld || (breaks.length > 0 && endsInResults(left, begun)) ? standing : left;
}

const endsInResults = (standing: readonly Entry[], begun: number): boolean => {
  const newest = inMessages(standing.filter(({ origin }) => origin < begun)).at(-1)?.entries ?? [];
  return newest.some(({ block }) => block.type === "tool_result");
};

/** The seq of the last message before `seq` that began a turn. */
export function turnBegin(log: readonly LogEvent[], seq: number): number {
  const events = log.filter((event) => event.seq < seq);
  const forNextTurn = of(events, "user.steering-queued").filter(({ payload }) => payload.deliver === "next-turn");
  const waited = new Set(forNextTurn.map(({ id }) => id));
  const written = of(events, "user.message-created").filter(({ payload }) => payload.by !== "kernel" && !payload.shell);
  const injected = injectedIn(events).filter(
    (event) => waited.has(event.payload.queuedEventId) || !isTurnOpen(events, event.seq),
  );
  return Math.max(0, ...[...written, ...injected].map((event) => event.seq));
}

/** Since the last turn ended, something was said. */
function isTurnOpen(log: readonly LogEvent[], seq: number): boolean {
  const words = log.filter((event) => event.seq < seq && !isOwnCommand(event) && !isWithdrawal(event));
  const last = words.findLast(({ type }) => SPEAKS.has(type) || ENDS.has(type));
  return last !== undefined && SPEAKS.has(last.type);
}

const SPEAKS: ReadonlySet<string> = new Set(["user.message-created", "user.steering-injected"]);

const ENDS: ReadonlySet<string> = new Set(["user.interrupted", "task.completed", "task.failed"]);

/** The messages whose last event lies before the cut are one block now. */
function compacted(standing: readonly Entry[], { payload }: DurableEvent<"context.compacted">): readonly Entry[] {
  const { cut, block, message, checkpointYaml } = payload;
  const gone = inMessages(standing).filter(({ last }) => last <= cut.toSeq);
  const time = gone.at(-1)?.last ?? 0;
  const first: Entry = block
    ? { role: "assistant", block: block as AnyBlock, origin: 0, time }
    : { role: "user", block: { type: "text", text: message ?? checkpointYaml }, origin: 0, time };
  const swallowed = new Set(gone.flatMap(({ entries }) => entries));
  return [first, ...withoutThinking(standing.filter((entry) => !swallowed.has(entry)))];
}
