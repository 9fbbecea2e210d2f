/** What happened in a story, by name: a generator that no longer reaches a situation is a test that no longer tests it. */
import type { DurableEvent, LogEvent, Payload } from "../../../src/shared/index.ts";
import { countedCalls, of } from "../expected-conversation.ts";
import { isResult } from "./memory-session.ts";

export function situationsIn(events: readonly LogEvent[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [at, event] of events.entries()) {
    if ("opaque" in event) found.add("an unknown event");
    else for (const what of situationsAt(event, events, at)) found.add(what);
  }
  return found;
}

function situationsAt(event: DurableEvent, events: readonly LogEvent[], at: number): readonly string[] {
  const before = events.slice(0, at);
  switch (event.type) {
    case "session.resumed":
      return [resumption(event, before)];
    case "user.message-created":
      return message(event, before);
    case "user.steering-queued":
      return shown("queued", event.payload);
    case "context.pruned":
      return [event.payload.imageSha256s ? "images that are gone" : "context.pruned"];
    case "session.model-changed":
      return [event.payload.reason === "fallback" ? "a fallback" : event.type];
    case "permission.requested":
      return [event.payload.mention === undefined ? event.type : "a question about a mention"];
    case "user.steering-injected":
      return [`steering at ${event.payload.seam}`, `steering after ${lastWord(before)}`];
    case "user.interrupted":
      return [`an interrupt ${moment(before)}`, `an interrupt, then ${events[at + 1]?.type}`];
    case "model.response-completed":
      return [`stop reason ${event.payload.stopReason}${actedSince(before) ? " after tools" : ""}`];
    case "model.request-failed":
      return isOfSummary(event, before)
        ? [`a summary that fails: ${event.payload.kind}`]
        : [`failure ${event.payload.kind}`, `failure ${moment(before)}`];
    case "model.text-block-completed":
    case "model.thinking-block-completed":
      return [block(event)];
    case "tool.cancelled":
      return [`cancelled: ${event.payload.reason}`, ...result(event, before)];
    case "context.compacted":
      return compaction(event, before);
    default:
      return isResult(event) ? result(event, before) : [event.type];
  }
}

function message({ payload }: DurableEvent<"user.message-created">, before: readonly LogEvent[]): readonly string[] {
  if (payload.shell) return [`a command of the user's own ${moment(before)}`];
  const who = missing(before) > 0 ? "while results are missing" : `by ${payload.by}`;
  const repair = payload.answerRepair ? ["an answer that does not fit"] : [];
  return [`a message ${who}`, ...(payload.context?.length ? ["context"] : []), ...shown("said", payload), ...repair];
}

/** What is shown to the model beside words. */
const shown = (how: string, { mentions, attachments }: Partial<Payload<"user.message-created">>): readonly string[] => [
  ...(mentions?.length ? [`a mention that is ${how}`] : []),
  ...(attachments?.length ? [`an image that is ${how}`] : []),
];

function block(event: DurableEvent<"model.text-block-completed" | "model.thinking-block-completed">): string {
  if (event.type === "model.text-block-completed") {
    return event.payload.partial ? "partial text" : event.payload.text.trim() === "" ? "blank text" : "text";
  }
  if (event.payload.redacted !== undefined) return "redacted thinking";
  return event.payload.thinking === "" ? "wordless thinking" : "thinking";
}

function resumption({ payload }: DurableEvent<"session.resumed">, before: readonly LogEvent[]): string {
  if (payload.fork) return "a fork";
  const named = of(before, "session.resumed").at(-1) ?? of(before, "session.started").at(-1);
  if (named?.payload.systemSha256 !== payload.systemSha256) return "a new epoch";
  if (payload.outputSchemaSha256 === undefined) return "a resume";
  return payload.outputSchemaSha256 === null ? "a schema that is taken away" : "another schema";
}

const missing = (before: readonly LogEvent[]): number => {
  const ended = new Set(before.filter(isResult).map(({ payload }) => payload.toolUseId));
  return countedCalls(before, Number.POSITIVE_INFINITY).filter((id) => !ended.has(id)).length;
};

const isOfSummary = ({ payload }: DurableEvent<"model.request-failed">, before: readonly LogEvent[]): boolean =>
  of(before, "model.request-started").findLast((event) => event.payload.requestId === payload.requestId)?.payload
    .purpose === "compaction";

/** What the newest request had brought. */
function moment(before: readonly LogEvent[]): string {
  const since = before.slice(before.findLastIndex(({ type }) => type === "model.request-started") + 1);
  if (since.some(({ type }) => type === "model.response-completed" || type === "model.request-failed")) {
    return missing(before) > 0 ? "while tools run" : "between requests";
  }
  const types = new Set(since.map(({ type }) => type));
  if (types.has("tool.requested")) return "behind a call";
  if (types.has("model.text-block-completed")) return "behind text";
  return types.has("model.thinking-block-completed") ? "behind thinking alone" : "before any block";
}

const lastWord = (before: readonly LogEvent[]): string =>
  before.findLast(
    ({ type }) => type.startsWith("task.") || type === "user.interrupted" || type === "user.message-created",
  )?.type ?? "nothing";

const actedSince = (before: readonly LogEvent[]): boolean =>
  before.findLast((event) => isResult(event) || event.type === "user.message-created")?.type !== "user.message-created";

function compaction({ payload }: DurableEvent<"context.compacted">, before: readonly LogEvent[]): readonly string[] {
  const last = before.findLast(({ type }) => type === "user.message-created" || type === "user.steering-injected");
  const again = before.findLast(({ type }) => type === "context.compacted" || type === "model.request-started");
  const inRow = of(before, "model.request-started").at(-1)?.payload.purpose === "compaction" && again !== undefined;
  return [
    ...(payload.trigger === "new-epoch" || payload.trigger === "fallback"
      ? [`a loop that ends: ${payload.trigger}`]
      : []),
    ...(payload.trigger === "user-command" ? ["a compaction between turns"] : []),
    payload.block ? "a checkpoint made by the server" : "a checkpoint",
    payload.cut.toSeq < (last?.seq ?? 0) ? "a compaction that keeps a tail" : "a compaction of everything",
    ...(inRow && of(before, "context.compacted").length > 0 ? ["compactions in a row"] : []),
  ];
}

function result(
  { payload: { toolUseId } }: { payload: { toolUseId: string } },
  before: readonly LogEvent[],
): readonly string[] {
  const ended = new Set(before.filter(isResult).map(({ payload }) => payload.toolUseId));
  if (ended.has(toolUseId)) return ["a second end of a call"];
  const open = countedCalls(before, Number.POSITIVE_INFINITY).filter((id) => !ended.has(id));
  return open.indexOf(toolUseId) > 0 ? ["a result before that of an earlier call"] : ["a result"];
}
