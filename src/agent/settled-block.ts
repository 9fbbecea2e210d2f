/** The event that records a block which the stream has settled. */
import type { CompletedBlock } from "../anthropic/index.ts";
import type { DurableInput } from "../shared/index.ts";

export function settledBlock(
  block: CompletedBlock,
  at: { readonly requestId: string; readonly blockIndex: number },
  toolUseId: string,
): DurableInput {
  switch (block.type) {
    case "text":
      return { type: "model.text-block-completed", payload: { ...at, text: block.text } };
    case "thinking": {
      const { thinking, signature } = block;
      return { type: "model.thinking-block-completed", payload: { ...at, thinking, signature } };
    }
    case "redacted_thinking": {
      const payload = { ...at, thinking: "", signature: "", redacted: block.data };
      return { type: "model.thinking-block-completed", payload };
    }
    case "tool_use": {
      const { name: toolName, input } = block;
      return { type: "tool.requested", payload: { ...at, toolUseId, toolName, input } };
    }
    default:
      return block satisfies never;
  }
}
