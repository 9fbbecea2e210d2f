/** The strict server without its socket: judges a request as the loopback API does, and signs the answer to it. */
import { type CompletedBlock, type ModelRequest, modelFacts, requestBody } from "../../../src/anthropic/index.ts";
import { MODELS } from "../../../src/simulator/index.ts";
import { sealCompaction } from "../../../src/simulator/prompt/compaction.ts";
import { type Accepted, judge } from "../../../src/simulator/rules/validate.ts";
import type { ScriptedBlock } from "../../../src/simulator/types.ts";
import { type AnswerBlock, composeAnswer } from "../../../src/simulator/wire/answer.ts";
import { IMAGES } from "./images.ts";

const SECRET = "strict";
const HEADERS = {
  "x-api-key": "any",
  "anthropic-version": "2026-10-21",
  "content-type": "application/json",
  "anthropic-beta": "compact-2026-09-04",
};

export type { Accepted };

/** What the server makes of the request; a text says which of its rules was broken. */
export function judgeRequest(request: ModelRequest): Accepted | string {
  const body = Buffer.from(JSON.stringify(requestBody(request, modelFacts(request.model), IMAGES)));
  const judgement = judge(
    { endpoint: "messages", headers: HEADERS, body, tooLarge: false },
    { models: MODELS, secret: SECRET, apiKey: undefined, isPaused: () => false },
  );
  return "accepted" in judgement ? judgement.accepted : `rule ${judgement.refusal.rule}: ${judgement.refusal.message}`;
}

/** The answer's blocks, thinking signed over the request as it stood. `serial` keeps the ids of calls apart. */
export function answerTo(
  accepted: Accepted,
  content: readonly ScriptedBlock[],
  serial: number,
): readonly CompletedBlock[] {
  const unique = (block: number): string => `${serial}x${block}`.padStart(16, "0");
  return composeAnswer({ content }, { accepted, secret: SECRET, unique }).blocks.map(completed);
}

/** As the client would have read it from the stream. */
function completed({ whole }: AnswerBlock): CompletedBlock {
  const { citations: _none, ...block } = JSON.parse(JSON.stringify(whole)); // made of the kinds that a completed block has
  return block as CompletedBlock;
}

export const compactionBlock = (content: string) => ({
  type: "compaction" as const,
  content,
  signature: sealCompaction(SECRET, { content }),
});
