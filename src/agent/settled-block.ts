/** The events that record the beginning of an attempt, and a block which its stream has settled. */
import type { CompletedBlock } from "../anthropic/index.ts";
import type { DurableInput, Payload } from "../shared/index.ts";

type Started = Payload<"model.request-started">;

/** A repeated attempt sends what the one before it sent, so all of it is prefix. */
export function startedPayload(
  requestId: string,
  attempt: number,
  request: Omit<Started, "requestId" | "attempt">,
): Started {
  const { requestSha256 } = request;
  const prefix = attempt > 1 && requestSha256 !== undefined ? { prefixSha256: requestSha256 } : {};
  return { requestId, ...request, ...prefix, attempt };
}

/** A server-made summary is no part of the conversation: it goes to whoever asked for it, and is recorded with the compaction. */
export function settledBlock(
  block: CompletedBlock,
  at: { readonly requestId: string; readonly blockIndex: number },
  toolUseId: string,
): readonly DurableInput[] {
  switch (block.type) {
    case "text":
      return [{ type: "model.text-block-completed", payload: { ...at, text: block.text } }];
    case "thinking": {
      const { thinking, signature } = block;
      return [{ type: "model.thinking-block-completed", payload: { ...at, thinking, signature } }];
    }
    case "redacted_thinking": {
      const payload = { ...at, thinking: "", signature: "", redacted: block.data };
      return [{ type: "model.thinking-block-completed", payload }];
    }
    case "tool_use": {
      const { type: _kind, id: _first, name, ...rest } = block;
      return [{ type: "tool.requested", payload: { ...at, toolUseId, toolName: sendableName(name), ...rest } }];
    }
    case "compaction":
      return [];
    default:
      return block satisfies never;
  }
}

const MAX_NAME_LENGTH = 64;

/** Models make up names that the API would refuse to read back, and with them every later request of the session. */
const sendableName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_LENGTH);
