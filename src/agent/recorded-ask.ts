/**
 * Requests outside the conversation, such as for a summary: sent and recorded like every other, so that what they cost is known
 * and what they said can be read later. Calls in such an answer are not recorded: nobody will run them.
 */
import { type JsonObject, type ModelClient, ModelError, type ModelEvent } from "../anthropic/index.ts";
import type { Ask, AskedAnswer } from "../context/index.ts";
import type { SessionHandle, SessionState } from "../session/index.ts";
import { err, type NewId, ok, type Payload } from "../shared/index.ts";
import type { TurnPolicy } from "./actions.ts";
import { beforeStream, recordFailure, recordStream, type StreamContext, type StreamState } from "./record-stream.ts";
import { publishAll } from "./recording.ts";

export interface RecordedAskDeps {
  readonly session: SessionHandle;
  readonly model: ModelClient;
  readonly newId: NewId;
  readonly policy: Pick<TurnPolicy, "outOfMoney">;
}

export function createRecordedAsk(deps: RecordedAskDeps): Ask {
  const { session, newId, policy } = deps;
  return async (request, record, signal) => {
    const limit = spentUp(policy, session.state()); // one that is asked for between turns counts as no request of theirs
    if (limit) return stoppedBy(limit);
    const started = { model: request.model, purpose: "compaction", ...record } as const;
    const stream = { newRequestId: newId, started, uniqueToolUseId: (id: string) => id };
    const heard: Heard = { recording: beforeStream, answer: nothingSaid(request.model) };
    try {
      const stop = await listen(deps, heard, { events: deps.model.stream(request, signal), stream });
      return stop ? stoppedBy(stop) : ok(heard.answer);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      publishAll(session, recordFailure(heard.recording, error.failure, false, stream));
      return err({ kind: error.failure.kind, message: error.failure.message });
    }
  };
}

const stoppedBy = (stop: Payload<"task.failed">) => err({ kind: "cancelled" as const, message: stop.detail, stop });

/** Kept outside of the loop, for what was heard when it fails. */
interface Heard {
  recording: StreamState;
  answer: AskedAnswer;
}

interface Listening {
  readonly events: AsyncIterable<ModelEvent>;
  readonly stream: StreamContext;
}

/** To the end of the answer, or to the limit that a failed attempt has reached. */
async function listen(
  { session, policy }: RecordedAskDeps,
  heard: Heard,
  { events, stream }: Listening,
): Promise<Payload<"task.failed"> | undefined> {
  for await (const event of events) {
    heard.answer = withHeard(heard.answer, event, stream.started.model);
    if (isOfCall(event)) continue;
    const [after, durable, ephemeral] = recordStream(heard.recording, event, stream);
    heard.recording = after;
    if (ephemeral) session.publishEphemeral(ephemeral);
    publishAll(session, durable);
    const stop = event.type === "attempt-failed" ? spentUp(policy, session.state()) : undefined;
    if (stop) return stop;
  }
  return undefined;
}

/** What the failed attempt had used was the rest of the money: the next one is not made. */
const spentUp = ({ outOfMoney }: RecordedAskDeps["policy"], state: SessionState) => outOfMoney?.(state);

const nothingSaid = (model: string): AskedAnswer => ({ text: "", stopReason: "none", model });

/** Of a repeated attempt only the last one counts. */
function withHeard(answer: AskedAnswer, event: ModelEvent, asked: string): AskedAnswer {
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
