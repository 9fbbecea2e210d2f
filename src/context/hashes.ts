/**
 * The hash of a request: a chain over what the server binds signatures and caches to, one link per block. Cache marks,
 * output limits and stream switches are not part of it. `requestHashes` computes it from nothing; `createHashChain`
 * gives the same and costs only the blocks that are new, for runs as for `fsck`.
 */
import type { ThinkingChoice } from "../anthropic/index.ts";
import type { TurnState } from "../session/index.ts";
import {
  type Block,
  base64Length,
  byteLength,
  estimateTokens,
  type ImageBlock,
  type Message,
  sha256,
} from "../shared/index.ts";

/** What stands before all blocks. The two hashes name the frozen prefix. */
export interface RequestBinding {
  readonly model: string;
  readonly systemSha256: string;
  readonly toolsSha256: string;
  readonly thinking: ThinkingChoice;
  readonly effort?: string;
  readonly outputSchemaSha256?: string;
}

/** From what the log recorded, so that `fsck` finds the same with a rebuilt state. */
export const requestBinding = (
  { model, thinking, effort }: Pick<TurnState, "model" | "thinking" | "effort">,
  prefix: Pick<RequestBinding, "systemSha256" | "toolsSha256" | "outputSchemaSha256">,
): RequestBinding => ({
  model,
  systemSha256: prefix.systemSha256,
  toolsSha256: prefix.toolsSha256,
  thinking: thinking === "off" ? "off" : "adaptive",
  ...(effort !== undefined && { effort }),
  ...(prefix.outputSchemaSha256 !== undefined && { outputSchemaSha256: prefix.outputSchemaSha256 }),
});

export interface RequestHashes {
  /** Over everything: the last link. */
  readonly requestSha256: string;
  /** Over what the previous main request already held: equal to its `requestSha256` unless there was a break between. */
  readonly prefixSha256: string;
}

/** What a block weighs, computed once: a block object never changes. */
export interface BlockMeasure {
  readonly digest: string;
  readonly bytes: number;
  readonly estimatedTokens: number;
}

/** Both hashes from nothing. `sentBlocks` is how many blocks the previous main request held. */
export function requestHashes(
  binding: RequestBinding,
  messages: readonly Message[],
  sentBlocks: number,
): RequestHashes {
  return createHashChain().extend(binding, messages, sentBlocks);
}

export interface HashChain {
  extend(binding: RequestBinding, messages: readonly Message[], sentBlocks: number): RequestHashes;
}

interface Link {
  readonly block: Block;
  readonly role: Message["role"];
  readonly hash: string;
}

/** Remembers the links of the last request, and keeps those whose block and role are still the same. */
export function createHashChain(): HashChain {
  let rooted = "";
  let root = "";
  let seen: Message[] = [];
  /** By message: how many links there are up to its end. */
  const ends: number[] = [];
  let links: Link[] = [];
  return {
    extend(binding, messages, sentBlocks) {
      const named = rootText(binding);
      if (named !== rooted) {
        seen = [];
        links = [];
        rooted = named;
        root = sha256(named);
      }
      const same = sameMessages(seen, messages);
      let at = ends[same - 1] ?? 0;
      seen.length = same;
      ends.length = same;
      for (const message of messages.slice(same)) {
        at = linkMessage(links, message, { at, root });
        seen.push(message);
        ends.push(at);
      }
      links.length = at;
      const prefix = links[Math.min(sentBlocks, at) - 1];
      return { requestSha256: links.at(-1)?.hash ?? root, prefixSha256: prefix?.hash ?? root };
    },
  };
}

/** Its links from `at` on; those of blocks that stand there already stay. Where they end. */
function linkMessage(
  links: Link[],
  { role, content }: Message,
  from: { readonly at: number; readonly root: string },
): number {
  let { at } = from;
  for (const block of content) {
    const known = links[at];
    if (known?.block !== block || known.role !== role) {
      links.length = at;
      links.push({ block, role, hash: linkHash(links.at(-1)?.hash ?? from.root, role, block) });
    }
    at++;
  }
  return at;
}

/** How many messages both begin with. Looks into none of them: a message object never changes. */
export function sameMessages(before: readonly Message[], messages: readonly Message[]): number {
  let at = 0;
  while (at < before.length && at < messages.length && before[at] === messages[at]) at++;
  return at;
}

function rootText({ model, systemSha256, toolsSha256, thinking, effort, outputSchemaSha256 }: RequestBinding): string {
  const parts = ["request-1", model, systemSha256, toolsSha256, thinking, effort ?? null];
  return JSON.stringify(outputSchemaSha256 === undefined ? parts : [...parts, outputSchemaSha256]);
}

const linkHash = (before: string, role: string, block: Block): string =>
  sha256(`${before} ${role} ${measure(block).digest}`);

const measures = new WeakMap<Block, BlockMeasure>();

/** What a model counts for an image is at most this; how large it is in pixels is not looked at here. */
const IMAGE_TOKENS = 4784;

/**
 * The block's digest and size, over its JSON as it is sent: the order of its keys counts. Of an image the digest covers the
 * hash of its bytes in their place, so that it can be checked without them.
 */
export function measure(block: Block): BlockMeasure {
  const known = measures.get(block);
  if (known) return known;
  const json = JSON.stringify(block);
  const text = { digest: sha256(json), bytes: byteLength(json), estimatedTokens: estimateTokens(json) };
  const made = block.type === "image" ? { ...text, ...imageSize(block) } : text;
  measures.set(block, made);
  return made;
}

const imageSize = ({ source }: ImageBlock) => ({ bytes: base64Length(source.bytes), estimatedTokens: IMAGE_TOKENS });
