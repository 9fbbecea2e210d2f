/** Calls and results: every call answered in the next message, every result asked for, every id used once. */
import type { PlacedBlock, Request, Turn } from "./request.ts";
import { type Refusal, refuse } from "./table.ts";

export function misfitOfPairing({ body, turns, model }: Request): Refusal | undefined {
  const seen = new Set<unknown>();
  for (const [i, turn] of turns.entries()) {
    if (model.lenientHistory) seen.clear();
    const refusal =
      turn.role === "assistant"
        ? (repeatedId(turn, seen) ??
          unanswered(turn, turns[i + 1]) ??
          serverCalls(turn, turns[i + 1], body.tools ?? []))
        : unexpected(turn, turns[i - 1]);
    if (refusal) return refusal;
  }
  return undefined;
}

const ofType = (turn: Turn | undefined, type: string): readonly PlacedBlock[] =>
  turn?.blocks.filter(({ block }) => block.type === type) ?? [];

function repeatedId(turn: Turn, seen: Set<unknown>): Refusal | undefined {
  for (const { block, path } of ofType(turn, "tool_use")) {
    if (seen.has(block.id)) return refuse("24", { path });
    seen.add(block.id);
  }
  return undefined;
}

function unanswered(turn: Turn, next: Turn | undefined): Refusal | undefined {
  const calls = ofType(turn, "tool_use").map(({ block }) => String(block.id));
  if (calls.length === 0) return undefined;
  const results = next?.role === "user" ? next.blocks : [];
  const answered = new Set(results.map(({ block }) => block.tool_use_id));
  const open = calls.filter((id) => !answered.has(id));
  if (open.length > 0) return refuse("21", { index: turn.index, ids: open.join(", ") });
  const firstOther = results.findIndex(({ block }) => block.type !== "tool_result");
  const late = firstOther === -1 ? [] : results.slice(firstOther).filter(({ block }) => block.type === "tool_result");
  const ids = late.map(({ block }) => String(block.tool_use_id)).join(", ");
  return ids === "" ? undefined : refuse("23", { index: turn.index, ids });
}

function unexpected(turn: Turn, before: Turn | undefined): Refusal | undefined {
  const calls = new Set(before?.role === "assistant" ? ofType(before, "tool_use").map(({ block }) => block.id) : []);
  const answered = new Set<unknown>();
  for (const { block, path } of ofType(turn, "tool_result")) {
    const id = String(block.tool_use_id);
    if (!calls.has(id)) return refuse("22", { path, id });
    if (answered.has(id)) return refuse("22b", { path, id });
    answered.add(id);
  }
  return undefined;
}

/** A server call without its result is still running: only results may follow it, and its tool must still be there. */
function serverCalls(
  turn: Turn,
  next: Turn | undefined,
  tools: NonNullable<Request["body"]["tools"]>,
): Refusal | undefined {
  const done = new Set(turn.blocks.map(({ block }) => block.tool_use_id));
  for (const { block, path } of ofType(turn, "server_tool_use")) {
    if (done.has(block.id)) continue;
    const name = String(block.name);
    const gone = !tools.some((tool) => tool.name === name);
    const talk = next?.blocks.some((placed) => placed.block.type !== "tool_result");
    if (gone || talk) return refuse("38", { path, name, id: String(block.id) });
  }
  return undefined;
}
