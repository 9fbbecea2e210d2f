/** Server-made compaction blocks: sealed when they are made, and accepted later only as they were made. */
import { createHmac } from "node:crypto";
import type { Request } from "../rules/request.ts";
import { type Refusal, refuse } from "../rules/table.ts";

export const sealCompaction = (secret: string, content: unknown): string =>
  createHmac("sha256", secret)
    .update(`compaction ${JSON.stringify(content)}`)
    .digest("base64");

/** A block whose content is null is the record of a failed compaction, and says nothing. */
export function verifyCompaction({ turns }: Request, secret: string): Refusal | undefined {
  const first = turns[0]?.blocks[0];
  if (first?.block.type !== "compaction" || first.block.content === null) return undefined;
  const genuine = first.block.signature === sealCompaction(secret, first.block.content);
  return genuine ? undefined : refuse("39b", { path: first.path });
}
