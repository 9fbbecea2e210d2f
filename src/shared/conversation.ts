/**
 * The messages a model sees, structurally equal to the Messages API's own shapes, so that the fold that builds them needs
 * no SDK. A block object is never changed once it is in a message: its reference stands for its bytes.
 */

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}
export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature: string;
}
export interface RedactedThinkingBlock {
  readonly type: "redacted_thinking";
  readonly data: string;
}
export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Who made the call, as the API said it; the API wants it back. */
  readonly caller?: unknown;
  readonly toolset_name?: string;
}
export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: true;
}
/**
 * An image by the hash of its bytes, which lie in the blob store: the log and the hash of a request name them, and only the
 * body that goes out holds them.
 */
export interface ImageBlock {
  readonly type: "image";
  readonly source: {
    readonly type: "blob";
    readonly media_type: string;
    readonly sha256: string;
    readonly bytes: number;
  };
}
/** A server-made compaction block, stored and sent verbatim, with more fields than these; a null `content` says nothing. */
export interface CompactionBlock {
  readonly type: "compaction";
  readonly content?: string | null;
}

export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;
export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock | CompactionBlock;
export type Block = UserBlock | AssistantBlock;

export type Message =
  | { readonly role: "user"; readonly content: readonly UserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantBlock[] };

export const isThinking = (block: Block): block is ThinkingBlock | RedactedThinkingBlock =>
  block.type === "thinking" || block.type === "redacted_thinking";

/** The API refuses a text block without a visible character. */
export const isBlank = (text: string): boolean => text.trim() === "";
