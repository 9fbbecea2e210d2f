/** What streams to a screen: for each kind the events that carry and settle it, with only the fields that name its lane. */

/** What can stream, where its text is found in a frame, and the events that carry and settle it. */
export const KINDS = {
  text: {
    field: "textAppends",
    key: (id: string) => `${id}/0`,
    delta: (id: string, text: string) => ({
      type: "model.text-delta",
      payload: { requestId: id, blockIndex: 0, text },
    }),
    settled: (id: string) => ({
      type: "model.text-block-completed",
      payload: { requestId: id, blockIndex: 0, text: "" },
    }),
  },
  thinking: {
    field: "thinkingAppends",
    key: (id: string) => `${id}/1`,
    delta: (id: string, text: string) => ({
      type: "model.thinking-delta",
      payload: { requestId: id, blockIndex: 1, text },
    }),
    settled: (id: string) => ({ type: "model.request-failed", payload: { requestId: id } }),
  },
  input: {
    field: "toolInputPreviews",
    key: (id: string) => id,
    delta: (id: string, partialJson: string) => ({
      type: "model.tool-input-delta",
      payload: { requestId: "r", blockIndex: 2, toolUseId: id, partialJson },
    }),
    settled: (id: string) => ({ type: "tool.requested", payload: { requestId: "r", blockIndex: 2, toolUseId: id } }),
  },
  tool: {
    field: "toolOutputAppends",
    key: (id: string) => id,
    delta: (id: string, chunk: string) => ({ type: "tool.output", payload: { toolUseId: id, chunk } }),
    settled: (id: string) => ({ type: "tool.failed", payload: { toolUseId: id } }),
  },
  process: {
    field: "processOutputAppends",
    key: (id: string) => id,
    delta: (id: string, chunk: string) => ({
      type: "process.output",
      payload: { processId: id, chunk, stream: "stdout" },
    }),
    settled: (id: string) => ({ type: "process.exited", payload: { processId: id } }),
  },
} as const;
export type Kind = keyof typeof KINDS;
