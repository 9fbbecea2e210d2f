/** The pieces of messages that several formats write alike: text, images, results, and what can only be counted. */
import { type Json, recordAt, recordsIn, textAt } from "./lines.ts";
import type { AnswerBlock, Part, Tally } from "./types.ts";

/** What a user's content holds beside results. A type that is not known here is counted. */
export function partsOf(content: unknown, tally: Tally): readonly Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return recordsIn(content, tally).flatMap((block) => partOf(block, tally) ?? []);
}

function partOf(block: Json, tally: Tally): Part | undefined {
  const type = textAt(block, "type") ?? "text";
  const text = textAt(block, "text");
  if (type === "text" && text !== undefined) return { type, text };
  const image = type === "image" ? imageOf(block) : undefined;
  if (!image) tally.add(`user blocks of type ${type}`);
  return image;
}

/** Both spellings: `data` and `mimeType` beside the type, or a `source` with `media_type`. */
function imageOf(block: Json): Part | undefined {
  const source = recordAt(block, "source") ?? block;
  const base64 = textAt(source, "data");
  const mediaType = textAt(source, "media_type") ?? textAt(source, "mimeType");
  return base64 === undefined || mediaType === undefined ? undefined : { type: "image", mediaType, base64 };
}

/** A result as text: its text blocks, one below the other. Results hold no images here. */
export function resultText(content: unknown, tally: Tally): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  const texts = recordsIn(content, tally).flatMap((block) => {
    const text = textAt(block, "text");
    if (text === undefined) tally.add(`${textAt(block, "type") ?? "unknown"} blocks in results`);
    return text ?? [];
  });
  return texts.join("\n");
}

/** A block of an answer as the Messages API spells it. */
export function answerBlock(block: Json, tally: Tally): AnswerBlock | undefined {
  const type = textAt(block, "type") ?? "unknown";
  if (type === "text") return { type, text: textAt(block, "text") ?? "" };
  if (type === "thinking") return thinking(block, textAt(block, "signature"));
  if (type === "redacted_thinking") return { type: "thinking", thinking: "", kind: "redacted" };
  const [id, name] = [textAt(block, "id"), textAt(block, "name")];
  if (type === "tool_use" && id !== undefined && name !== undefined)
    return { type: "call", id, name, input: block.input };
  tally.add(`answer blocks of type ${type}`);
  return undefined;
}

export function thinking(block: Json, signature: string | undefined): AnswerBlock {
  return { type: "thinking", thinking: textAt(block, "thinking") ?? "", kind: signature ? "signed" : "unsigned" };
}
