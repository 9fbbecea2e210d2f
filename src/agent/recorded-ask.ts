/**
 * Requests outside the conversation, such as for a summary: sent and recorded like every other, so that what they cost is known
 * and what they said can be read later. Calls in such an answer are not recorded: nobody will run them.
 */
import { type JsonObject, type ModelClient, ModelError, type ModelEvent } from "../anthropic/index.ts";
import type { Ask, AskedAnswer } from "../context/index.ts";
import type { SessionHandle } from "../session/index.ts";
import { err, type NewId, ok } from "../shared/index.ts";
import type { TurnPolicy } from "./actions.ts";
import { beforeStream, recordFailure, recordStream } from "./record-stream.ts";
import { publishAll } from "./recording.ts";

export interface RecordedAskDeps {
  readonly session: SessionHandle;
  readonly model: ModelClient;
  readonly newId: NewId;
  readonly policy: Pick<TurnPolicy, "exceeded" | "isSpent">;
}

export function createRecordedAsk({ session, model, newId, policy }: RecordedAskDeps): Ask {
  return async (request, record, signal) => {
    const limit = policy.exceeded(session.state());
    if (limit) return err({ kind: "cancelled", message: limit.detail, stop: limit });
    const started = { model: request.model, purpose: "compaction", ...record } as const;
    const stream = { newRequestId: newId, started, uniqueToolUseId: (id: string) => id };
    let recording = beforeStream;
    let answer = nothingSaid(request.model);
    try {
      for await (const event of model.stream(request, signal)) {
        answer = heard(answer, event, request.model);
        if (isOfCall(event)) continue;
        const [after, durable, ephemeral] = recordStream(recording, event, stream);
        recording = after;
        if (ephemeral) session.publishEphemeral(ephemeral);
        publishAll(session, durable);
        const spent = event.type === "attempt-failed" && policy.isSpent?.(session.state());
        const stop = spent ? policy.exceeded(session.state()) : undefined;
        if (stop) return err({ kind: "cancelled", message: stop.detail, stop });
      }
      return ok(answer);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      publishAll(session, recordFailure(recording, error.failure, false, stream));
      return err({ kind: error.failure.kind, message: error.failure.message });
    }
  };
}

const nothingSaid = (model: string): AskedAnswer => ({ text: "", stopReason: "none", model });

/** Of a repeated attempt only the last one counts. */
function heard(answer: AskedAnswer, event: ModelEvent, asked: string): AskedAnswer {
  switch (event.type) {
    case "started":
      return nothingSaid(asked);
    case "finished":
      return { ...answer, stopReason: event.stopReason, model: event.resolvedModel ?? answer.model };
    case "block-completed":
      return withBlock(answer, event.block);
    default:
      return answer;
  }
}

type Block = Extract<ModelEvent, { type: "block-completed" }>["block"];

function withBlock(answer: AskedAnswer, block: Block): AskedAnswer {
  if (block.type === "text") return { ...answer, text: answer.text + block.text };
  return block.type === "compaction" ? { ...answer, block: block.block satisfies JsonObject } : answer;
}

const isOfCall = (event: ModelEvent): boolean =>
  event.type === "tool-call-started" ||
  event.type === "tool-input-delta" ||
  (event.type === "block-completed" && event.block.type === "tool_use");
