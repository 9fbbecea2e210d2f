/** Questions over recorded requests: was the conversation only ever appended to, and how much of it came from the cache. */
import { withoutMarks } from "./prompt/canon.ts";
import { type Body, type RawMessage, turnsOf } from "./rules/request.ts";
import type { RecordedRequest } from "./types.ts";

export interface AppendOnlyViolation {
  /** In the list that was given. */
  readonly request: number;
  /** What changed: `model`, `tools`, `system`, or the block at this position of the flattened messages. */
  readonly part: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Where a request does not begin with what the one before it sent: tools, system, then every message block, in their JSON text
 * without cache marks. Give it the requests of one conversation, in order, without those for other purposes.
 */
export function appendOnlyViolations(
  requests: readonly Pick<RecordedRequest, "body">[],
): readonly AppendOnlyViolation[] {
  const sent = requests.map(({ body }) => parts(body as Body)); // judged before by the server, or not worth comparing
  return sent.flatMap((now, request) => {
    const before = request === 0 ? undefined : sent[request - 1];
    const changed = before && firstChange(before, now);
    return changed ? [{ request, ...changed }] : [];
  });
}

interface Part {
  readonly name: string;
  readonly json: string;
}

function parts(body: Body): readonly Part[] {
  const system = typeof body.system === "string" ? [{ type: "text", text: body.system }] : (body.system ?? []);
  const messages: readonly RawMessage[] = body.messages ?? [];
  const blocks = turnsOf(messages).turns.flatMap((turn) =>
    turn.blocks.map(({ block }) => ({ role: turn.role, block })),
  );
  return [
    { name: "model", json: JSON.stringify(body.model) },
    { name: "tools", json: JSON.stringify((body.tools ?? []).map(withoutMarks)) },
    { name: "system", json: JSON.stringify(system.map(withoutMarks)) },
    ...blocks.map(({ role, block }, i) => ({
      name: `block ${i}`,
      json: `${role} ${JSON.stringify(withoutMarks(block))}`,
    })),
  ];
}

function firstChange(before: readonly Part[], now: readonly Part[]): Omit<AppendOnlyViolation, "request"> | undefined {
  for (const [i, part] of before.entries()) {
    const after = now[i]?.json ?? "";
    if (after !== part.json) return { part: part.name, before: part.json, after };
  }
  return undefined;
}

/** Σ cache_read / Σ prompt tokens of the request before, over the second to the last answered request. 1 with perfect marks. */
export function cacheReadShare(requests: readonly Pick<RecordedRequest, "usage">[]): number {
  const usages = requests.flatMap(({ usage }) => usage ?? []);
  let read = 0;
  let could = 0;
  for (const [i, usage] of usages.entries()) {
    const before = usages[i - 1];
    if (!before) continue;
    read += usage.cache_read_input_tokens;
    could += before.input_tokens + before.cache_creation_input_tokens + before.cache_read_input_tokens;
  }
  return could === 0 ? 1 : read / could;
}
