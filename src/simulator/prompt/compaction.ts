/**
 * Server-made compaction blocks: sealed when they are made, and accepted later only as they were made. A seal holds all that
 * is needed to check it, also what the thinking behind the summarised messages is bound to, so a restarted server goes on.
 */
import { createHmac } from "node:crypto";
import { holdsSummary, type Request } from "../rules/request.ts";
import { type Refusal, refuse } from "../rules/table.ts";
import type { Json } from "../types.ts";
import { digest } from "./canon.ts";

/** What a summary stands for. */
export interface Covered {
  /** What thinking that directly follows the summarised messages may be bound to; empty: it is bound to nothing any more. */
  readonly chains: readonly string[];
  /** The tools that are not deferred and the system prompt of the request that asked for the summary. */
  readonly head: string;
  /** Of the last message that was summarised: a message of the same role behind it would have been part of it. */
  readonly lastRole: string;
}

interface Seal extends Covered {
  readonly content: string;
  readonly encrypted: string;
  readonly changes: string;
}

const NOTHING: Covered = { chains: [], head: "", lastRole: "" };

/** `block` has all but its signature. */
export function sealCompaction(secret: string, block: Json, covered: Covered = NOTHING): string {
  const seal: Seal = { ...partsOf(block), ...covered };
  return Buffer.from(JSON.stringify([seal, macOf(secret, seal)])).toString("base64");
}

/** A part that is missing is another than one that is null. */
const partsOf = (block: Json): Omit<Seal, keyof Covered> => ({
  content: digest(String(block.content)),
  encrypted: digest(JSON.stringify(block.encrypted_content) ?? ""),
  changes: digest(JSON.stringify(block.tool_changes) ?? ""),
});

const macOf = (secret: string, { content, encrypted, changes, chains, head, lastRole }: Seal): string =>
  createHmac("sha256", secret)
    .update(JSON.stringify(["compaction", content, encrypted, changes, chains, head, lastRole]))
    .digest("base64");

export type SummaryVerdict = { readonly refusal: Refusal } | { readonly covered: Covered | undefined };

/** Assumes that a block stands where it may. One whose content is null is the record of a failed compaction, and says nothing. */
export function verifyCompaction({ turns, model }: Request, secret: string): SummaryVerdict {
  const first = turns[0]?.blocks[0];
  if (!first || !holdsSummary(first.block)) return { covered: undefined };
  const { block, path } = first;
  if (!model.serverCompaction) return { refusal: refuse("39c", { path }) };
  const seal = genuineSeal(String(block.signature), secret);
  if (!seal) return { refusal: refuse("39b", { path }) };
  const { content, encrypted, changes } = partsOf(block);
  if (seal.content !== content) return { refusal: refuse("39g", { path, field: "content" }) };
  if (seal.encrypted !== encrypted) return { refusal: refuse("39g", { path, field: "encrypted_content" }) };
  if (seal.changes !== changes) return { refusal: refuse("39h", { path }) };
  return { covered: seal };
}

function genuineSeal(encoded: string, secret: string): Seal | undefined {
  try {
    const [seal, mac] = JSON.parse(Buffer.from(encoded, "base64").toString("utf8"));
    return macOf(secret, seal) === mac ? seal : undefined;
  } catch {
    return undefined; // whatever it is, it is not one of ours
  }
}
