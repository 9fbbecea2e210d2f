/** Condensed transcripts, as checkpoint tools keep them beside the whole ones: versioned lines, each call with its result inside. */
import { answerBlock, partsOf, resultText } from "./content.ts";
import { type Json, numberAt, recordAt, recordsIn, textAt, timeAt } from "./lines.ts";
import type { Answer, CallResult, Entry, Tally } from "./types.ts";

const isLine = (line: Json): boolean =>
  numberAt(line, "v") !== undefined &&
  textAt(line, "agent") !== undefined &&
  (line.type === "user" || line.type === "assistant");

export const isCondensed = (lines: readonly Json[]): boolean => lines.some(isLine);

export function readCondensed(lines: readonly Json[], tally: Tally): readonly Entry[] {
  return lines.flatMap((line): readonly Entry[] => {
    if (!isLine(line)) {
      tally.add(`lines that are no part of the conversation: ${textAt(line, "type") ?? "unknown"}`);
      return [];
    }
    const at = timeAt(line, "ts");
    const time = at === undefined ? {} : { at };
    if (line.type === "user") return [{ kind: "said", by: "user", parts: partsOf(line.content, tally), ...time }];
    return answered(line, tally).map((entry) => ({ ...entry, ...time }));
  });
}

function answered(line: Json, tally: Tally): readonly [Answer, ...CallResult[]] {
  const blocks = recordsIn(line.content, tally);
  const messageId = textAt(line, "id");
  const answer: Answer = {
    kind: "answer",
    blocks: blocks.flatMap((block) => answerBlock(block, tally) ?? []),
    end: "finished",
    ...(messageId !== undefined && { messageId }),
    spent: {
      input: numberAt(line, "input_tokens") ?? 0,
      output: numberAt(line, "output_tokens") ?? 0,
      cacheRead: 0,
      cacheWrite: 0,
    },
  };
  return [answer, ...blocks.flatMap((block) => resultOf(block, tally) ?? [])];
}

function resultOf(block: Json, tally: Tally): CallResult | undefined {
  const result = recordAt(block, "result");
  if (block.type !== "tool_use" || !result) return undefined;
  const isError = textAt(result, "status") === "error";
  return { kind: "result", callId: textAt(block, "id") ?? "", text: resultText(result.output, tally), isError };
}
