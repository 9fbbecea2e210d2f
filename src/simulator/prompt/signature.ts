/**
 * Signatures of thinking, bound to the model, to the block's own text and to everything before its turn. They hold all that
 * is needed to check them, so a restarted server accepts an older conversation. A leading run of thinking may be removed:
 * each signature names the thinking block before it, and only the first block of a request is not asked for it.
 */
import { createHmac } from "node:crypto";
import { type Block, isThinking, loopStart, type PlacedBlock, type Request } from "../rules/request.ts";
import { type Refusal, refuse } from "../rules/table.ts";
import { type Canon, digest } from "./canon.ts";

interface Signature {
  readonly model: string;
  /** The tag of the thinking block before this one, or "". */
  readonly previous: string;
  readonly self: string;
  readonly bound: string;
}

export interface Binding {
  readonly secret: string;
  readonly model: string;
  readonly prefix: string;
}

const hmac = (secret: string, text: string): string => createHmac("sha256", secret).update(text).digest("base64");

const selfMac = (secret: string, { model, previous }: Pick<Signature, "model" | "previous">, text: string): string =>
  hmac(secret, JSON.stringify([model, previous, text]));

/** A signature for a block that follows the thinking block tagged `previous`. */
export function sign({ secret, model, prefix }: Binding, previous: string, text: string): string {
  const self = selfMac(secret, { model, previous }, text);
  const signature: Signature = { model, previous, self, bound: hmac(secret, self + prefix) };
  return Buffer.from(JSON.stringify(signature)).toString("base64");
}

function decode(encoded: string): Signature | undefined {
  try {
    const { model, previous, self, bound } = JSON.parse(Buffer.from(encoded, "base64").toString("utf8"));
    return [model, previous, self, bound].every((part) => typeof part === "string")
      ? { model, previous, self, bound }
      : undefined;
  } catch {
    return undefined; // whatever it is, it is not one of ours
  }
}

const carried = (block: Block): string => String(block.type === "thinking" ? block.signature : block.data);

/** A short name of a thinking block, for the next block's signature. */
export const tagOf = (encoded: string): string =>
  digest(encoded)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 8);

/** An id of a call that tells, later, which thinking stood before it in its answer. */
export const callId = (thinkingTag: string, unique: string): string =>
  `toolu_${thinkingTag === "" ? "0" : "1"}${thinkingTag.padEnd(8, "0")}${unique}`;

const tagInId = (id: unknown): string => /^toolu_1([A-Za-z0-9]{8})[A-Za-z0-9]{16}$/.exec(String(id))?.[1] ?? "";

export interface Dropped {
  readonly path: string;
  readonly reason: "model_binding_mismatch" | "prefix_binding_mismatch";
}

export interface ThinkingVerdict {
  readonly refusal?: Refusal;
  readonly dropped: readonly Dropped[];
  /** The tag of the conversation's last thinking block. */
  readonly lastTag: string;
}

export function verifyThinking(request: Request, canon: Canon, secret: string): ThinkingVerdict {
  const state: Walk = { lastTag: "", isBroken: false, dropped: [] };
  const current = loopStart(request.turns);
  for (const [i, turn] of request.turns.entries()) {
    if (turn.role !== "assistant") continue;
    const bound = { secret, model: request.model.id, prefixes: canon.bindings[i] ?? [] };
    const refusal = verifyTurn(turn.blocks, { state, bound, request, isCurrent: i >= current });
    if (refusal) return { refusal, dropped: state.dropped, lastTag: state.lastTag };
  }
  return { dropped: state.dropped, lastTag: state.lastTag };
}

/** What the walk over a conversation carries from block to block. */
interface Walk {
  lastTag: string;
  /** One block did not fit; neither does any later one. */
  isBroken: boolean;
  readonly dropped: Dropped[];
}

/** Thinking fits when it is bound to one of them. */
interface Prefixes extends Omit<Binding, "prefix"> {
  readonly prefixes: readonly string[];
}

interface TurnContext {
  readonly state: Walk;
  readonly bound: Prefixes;
  readonly request: Request;
  /** Whether the turn belongs to the current tool loop, whose thinking may not be touched. */
  readonly isCurrent: boolean;
}

function verifyTurn(blocks: readonly PlacedBlock[], context: TurnContext): Refusal | undefined {
  for (const placed of blocks) {
    const refusal = isThinking(placed.block) ? verifyBlock(placed, context) : undefined;
    if (refusal) return refusal;
  }
  const bare = context.isCurrent ? callWithoutThinking(blocks) : undefined;
  return bare && refuse("30", { path: bare.path });
}

function verifyBlock(
  { block, path }: PlacedBlock,
  { state, bound, request, isCurrent }: TurnContext,
): Refusal | undefined {
  const { type } = block;
  const verdict = judge(block, bound, state.lastTag);
  if (verdict === "foreign") return refuse("30a", { path, type });
  if (verdict === "altered") return refuse(isCurrent ? "30" : "30a", { path, type });
  state.lastTag = tagOf(carried(block));
  if (verdict === "other-model") {
    state.dropped.push({ path, reason: "model_binding_mismatch" });
    return undefined;
  }
  if (!request.model.prefixCheck || (verdict === "fits" && !state.isBroken)) return undefined;
  if (request.body.thinking?.block_binding?.prefix_mismatch_behavior !== "drop_block")
    return refuse("31", { path, type });
  state.isBroken = true;
  state.dropped.push({ path, reason: "prefix_binding_mismatch" });
  return undefined;
}

function judge(
  block: Block,
  { secret, model, prefixes }: Prefixes,
  previous: string,
): "fits" | "moved" | "other-model" | "altered" | "foreign" {
  const signature = decode(carried(block));
  if (!signature) return "foreign";
  const text = block.type === "thinking" ? String(block.thinking) : "";
  if (selfMac(secret, signature, text) !== signature.self) return "altered";
  if (signature.model !== model) return "other-model";
  const follows = previous === "" || signature.previous === previous;
  const fits = prefixes.some((prefix) => hmac(secret, signature.self + prefix) === signature.bound);
  return follows && fits ? "fits" : "moved";
}

/** A name for all the thinking of an answer so far. */
export const joinTags = (before: string, encoded: string): string => tagOf(before + encoded);

/** A call of the current loop whose answer had thinking before it, of which some is gone. */
function callWithoutThinking(blocks: readonly PlacedBlock[]): PlacedBlock | undefined {
  let tag = "";
  for (const placed of blocks) {
    if (isThinking(placed.block)) tag = joinTags(tag, carried(placed.block));
    const wanted = placed.block.type === "tool_use" ? tagInId(placed.block.id) : "";
    if (wanted !== "" && wanted !== tag) return placed;
  }
  return undefined;
}

/** The tag with which an answer goes on: that of the assistant turn it continues, if it does. */
export const openTag = ({ turns }: Request): string => {
  const last = turns.at(-1);
  const blocks = last?.role === "assistant" ? last.blocks : [];
  return blocks.reduce((tag, { block }) => (isThinking(block) ? joinTags(tag, carried(block)) : tag), "");
};
