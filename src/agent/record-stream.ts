/** From a model's events to events to publish: a pure reducer. It decides what settles; the kernel publishes. */
import type { ModelEvent, ModelFailure } from "../anthropic/index.ts";
import { discarded, keptCalls } from "../session/index.ts";
import { type DurableInput, type EphemeralInput, isBlank, type Payload } from "../shared/index.ts";
import { settledBlock, startedPayload } from "./settled-block.ts";

export interface StreamState {
  /** Empty before the first attempt started, and when an attempt has ended. */
  readonly requestId: string;
  /** Text of blocks that have not settled, by block index. */
  readonly partial: Readonly<Record<number, string>>;
  readonly calls: readonly { readonly toolUseId: string; readonly blockIndex: number }[];
  readonly lastBlockIndex: number;
}
export interface StreamContext {
  readonly newRequestId: () => string;
  /** What is recorded of each attempt, beside its id and number. */
  readonly started: Omit<Payload<"model.request-started">, "requestId" | "attempt">;
  /** An id that the conversation does not have yet: this one, or one made from it. */
  readonly uniqueToolUseId: (id: string, taken: StreamState["calls"]) => string;
}
export type Recorded = readonly [StreamState, readonly DurableInput[], EphemeralInput?];
export const beforeStream: StreamState = { requestId: "", partial: {}, calls: [], lastBlockIndex: -1 };

export function recordStream(state: StreamState, event: ModelEvent, context: StreamContext): Recorded {
  const { requestId, partial, calls } = state;
  switch (event.type) {
    case "started": {
      const id = context.newRequestId();
      const payload = startedPayload(id, event.attempt, context.started);
      return [{ ...beforeStream, requestId: id }, [{ type: "model.request-started", payload }]];
    }
    case "text-delta": {
      const { blockIndex, text } = event;
      const grown = { ...state, partial: { ...partial, [blockIndex]: (partial[blockIndex] ?? "") + text } };
      return [grown, [], { type: "model.text-delta", payload: { requestId, blockIndex, text } }];
    }
    case "thinking-delta":
    case "tool-call-started":
    case "tool-input-delta": {
      const { type, ...delta } = event;
      return [state, [], { type: `model.${type}`, payload: { requestId, ...delta } } as EphemeralInput]; // same names
    }
    case "block-completed": {
      const { blockIndex, block } = event;
      const { [blockIndex]: _settled, ...unsettled } = partial;
      const toolUseId = block.type === "tool_use" ? context.uniqueToolUseId(block.id, calls) : "";
      const lastBlockIndex = Math.max(state.lastBlockIndex, blockIndex);
      const requested = block.type === "tool_use" ? [...calls, { toolUseId, blockIndex }] : calls;
      const next = { requestId, partial: unsettled, calls: requested, lastBlockIndex };
      return [next, settledBlock(block, { requestId, blockIndex }, toolUseId)];
    }
    case "finished": {
      const { type: _kind, ...response } = event;
      const kept = keptCalls(calls, state.lastBlockIndex, event);
      const dropped = calls.filter((call) => !kept.includes(call)).map(({ toolUseId }) => discarded(toolUseId));
      return [beforeStream, [{ type: "model.response-completed", payload: { requestId, ...response } }, ...dropped]];
    }
    case "attempt-failed": {
      const { failure, retryAfterMs } = event;
      return [beforeStream, failed(state, failure, { retriesExhausted: false, retryAfterMs })];
    }
    default:
      return event satisfies never;
  }
}

/** The stream ended without an answer: by the user (then unsettled text is kept, and the calls are the kernel's), or for good. Between two attempts nothing is cut. */
export function recordFailure(
  state: StreamState,
  failure: ModelFailure,
  interrupted: boolean,
  context: StreamContext,
): readonly DurableInput[] {
  const { requestId, partial } = state;
  if (requestId === "" && (interrupted || failure.kind === "cancelled")) return [];
  if (requestId === "") {
    const [begun, started] = recordStream(state, { type: "started", attempt: 1 }, context); // it failed before it went out
    return [...started, ...recordFailure(begun, failure, interrupted, context)];
  }
  if (!interrupted) return failed(state, failure, { retriesExhausted: true });
  const texts = Object.entries(partial).flatMap(([index, text]): DurableInput[] => {
    const payload = { requestId, blockIndex: Number(index), text, partial: true as const };
    return isBlank(text) ? [] : [{ type: "model.text-block-completed", payload }];
  });
  return [...texts, ...failed({ ...state, calls: [] }, failure, { retriesExhausted: false })];
}

function failed(
  { requestId, calls }: StreamState,
  failure: ModelFailure,
  ending: Pick<Payload<"model.request-failed">, "retriesExhausted" | "retryAfterMs">,
): readonly DurableInput[] {
  const payload = { requestId, ...failure, ...ending };
  return [{ type: "model.request-failed", payload }, ...calls.map(({ toolUseId }) => discarded(toolUseId))];
}
