/** What a script sees of a request, and two ways to write one. A script is a function of the request and of nothing else. */

import type { Block, Request, Turn } from "./rules/request.ts";
import { isRecord } from "./rules/shape.ts";
import type { Json, Script, ScriptedTurn, ScriptRequest, ScriptResult } from "./types.ts";

export function scriptRequest({ body, turns }: Request): ScriptRequest {
  const assistants = turns.filter((turn) => turn.role === "assistant" && !turn.summary);
  return {
    body,
    index: assistants.length,
    lastUserText: () => {
      const last = turns.findLast((turn) => turn.role === "user");
      return (last?.blocks ?? [])
        .flatMap(({ block }) => (block.type === "text" ? [String(block.text)] : []))
        .join("\n");
    },
    assistantTurns: () => assistants.map((turn) => turn.blocks.map(({ block }) => block)),
    toolResults: () => resultsIn(turns),
    lastResults: () => resultsIn(turns.slice(turns.findLastIndex((turn) => turn.role === "assistant"))),
  };
}

function resultsIn(turns: readonly Turn[]): readonly ScriptResult[] {
  const calls = new Map<unknown, Block>();
  const results: ScriptResult[] = [];
  for (const { block } of turns.flatMap((turn) => turn.blocks)) {
    if (block.type === "tool_use") calls.set(block.id, block);
    const call = block.type === "tool_result" ? calls.get(block.tool_use_id) : undefined;
    if (call) results.push(result(call, block));
  }
  return results;
}

function result(call: Block, answer: Block): ScriptResult {
  const input = call.input;
  return {
    id: String(call.id),
    name: String(call.name),
    input: isRecord(input) ? input : {},
    text: textOf(answer.content),
    isError: answer.is_error === true,
  };
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((block: Json) => (typeof block.text === "string" ? block.text : "")).join("");
}

/** The n-th answer to a conversation that holds n assistant turns; a retry gets the same one. Past the end the server answers 400. */
export function sequence(turns: readonly ScriptedTurn[]): Script {
  return ({ index }) => {
    const turn = turns[index];
    if (!turn) throw new Error(`the script has ${turns.length} turns, and none for index ${index}`);
    return turn;
  };
}

export interface Loop {
  /** How many turns call tools. */
  readonly steps: number;
  readonly turn: (index: number, request: ScriptRequest) => ScriptedTurn;
  /** What the model says when the steps are used up. */
  readonly last?: string;
}

/** A long tool loop: `steps` turns, then a text that ends it. */
export const loop =
  ({ steps, turn, last = "Done." }: Loop): Script =>
  (request) =>
    request.index < steps ? turn(request.index, request) : { content: [{ type: "text", text: last }] };
