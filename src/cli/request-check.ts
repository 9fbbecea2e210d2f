/**
 * Rebuilds every request of a log from the log alone and compares its hash with the one recorded when it was sent. The chain
 * of hashes is carried on from request to request, for a request of a long session repeats all those before it.
 */
import { createHashChain, type HashChain, requestBinding } from "../context/index.ts";
import { conversation, conversationImages, type SessionStore, turnState } from "../session/index.ts";
import { type DurableEvent, type LogEvent, StoreError } from "../shared/index.ts";

export interface RequestCheck {
  /** The seqs of requests whose rebuild differs. */
  readonly mismatches: readonly number[];
  /** Hashes of images that the next request would hold, and whose bytes are no longer stored. */
  readonly missingImages: readonly string[];
  /** The stored system prompt or tools with which the session would be gone on with are gone. */
  readonly isPrefixMissing: boolean;
}

/** Stops quietly where the log is damaged: that is reported elsewhere. */
export async function checkRequests(store: SessionStore, id: string): Promise<RequestCheck> {
  const mismatches: number[] = [];
  const chain = createHashChain();
  let messages = conversation.initial();
  let turn = turnState.initial();
  try {
    for await (const event of store.read(id)) {
      if (isHashedRequest(event) && !matches(event, { messages, turn, chain })) mismatches.push(event.seq);
      messages = conversation.apply(messages, event);
      turn = turnState.apply(turn, event);
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  const images = new Set(conversationImages(messages).map(({ sha256 }) => sha256));
  const found = await Promise.all([...images].map(async (sha256) => ((await store.blobs.get(sha256)) ? [] : [sha256])));
  return { mismatches, missingImages: found.flat(), isPrefixMissing: await isPrefixMissing(store, messages) };
}

async function isPrefixMissing(
  { blobs }: SessionStore,
  { systemSha256, toolsSha256 }: ReturnType<typeof conversation.initial>,
): Promise<boolean> {
  for (const sha256 of [systemSha256, toolsSha256]) {
    if (sha256 !== undefined && (await blobs.get(sha256)) === undefined) return true;
  }
  return false;
}

const isHashedRequest = (event: LogEvent): event is DurableEvent<"model.request-started"> =>
  event.type === "model.request-started" &&
  !("opaque" in event) &&
  event.payload.purpose !== "compaction" &&
  event.payload.requestSha256 !== undefined;

interface Rebuilt {
  readonly messages: ReturnType<typeof conversation.initial>;
  readonly turn: ReturnType<typeof turnState.initial>;
  readonly chain: HashChain;
}

function matches(
  { payload }: DurableEvent<"model.request-started">,
  { messages: rebuilt, turn, chain }: Rebuilt,
): boolean {
  const { systemSha256, toolsSha256, outputSchemaSha256, sentBlocks, messages } = rebuilt;
  if (systemSha256 === undefined || toolsSha256 === undefined) return false;
  const schema = outputSchemaSha256 === undefined ? {} : { outputSchemaSha256 };
  const binding = requestBinding(turn, { systemSha256, toolsSha256, ...schema });
  const { requestSha256, prefixSha256 } = chain.extend(binding, messages, sentBlocks);
  return requestSha256 === payload.requestSha256 && prefixSha256 === payload.prefixSha256;
}
