/** What ends the prefix that requests share, read from the whole log and not from a fold. */
import type { DurableEvent, DurableType, LogEvent } from "../../src/shared/index.ts";

export const of = <T extends DurableType>(events: readonly LogEvent[], type: T): readonly DurableEvent<T>[] =>
  events.filter((event): event is DurableEvent<T> => event.type === type);

export function isBreak(event: LogEvent, events: readonly LogEvent[]): boolean {
  if ("opaque" in event) return false;
  if (event.type === "session.resumed") return isOtherPrefix(event, events);
  return (
    event.type === "context.pruned" || event.type === "context.compacted" || event.type === "session.model-changed"
  );
}

/** Tools or system prompt are others than before, or the answers get another schema. */
export function isOtherPrefix({ seq, payload }: DurableEvent<"session.resumed">, events: readonly LogEvent[]): boolean {
  const earlier = events.filter((event) => event.seq < seq);
  const named = [...of(earlier, "session.started"), ...of(earlier, "session.resumed")].sort((a, b) => a.seq - b.seq);
  const before = named.at(-1)?.payload;
  if (payload.systemSha256 !== before?.systemSha256 || payload.toolsSha256 !== before?.toolsSha256) return true;
  const schema = named.findLast((event) => event.payload.outputSchemaSha256 !== undefined)?.payload.outputSchemaSha256;
  return payload.outputSchemaSha256 !== undefined && payload.outputSchemaSha256 !== (schema ?? null);
}
