/** The conversation as the folds hold it for everybody else. */
import type { Message, UserBlock } from "../shared/index.ts";

/** What the model sees. `messages` is append-only between breaks. */
export interface ConversationState {
  readonly messages: readonly Message[];
  /** Blocks of `messages` in the last main request: everything before is bound, everything after is new. */
  readonly sentBlocks: number;
  /** Where the last main request had its tail, for the cache mark; undefined before the first. */
  readonly sentTail?: { readonly message: number; readonly block: number } | undefined;
  /** Where the newest answer stands whose usage counts all before it; undefined behind a break. */
  readonly countedTail?: { readonly message: number; readonly block: number } | undefined;
  /** Rises with each prune, compaction and new epoch: two requests of one epoch share a prefix. */
  readonly breaks: number;
  /** The frozen prefix in force. */
  readonly systemSha256?: string | undefined;
  readonly toolsSha256?: string | undefined;
  /** Of the JSON schema that answers are held to, when there is one. */
  readonly outputSchemaSha256?: string | undefined;
  /** Calls of the last assistant message that have no result yet, in block order; until then `messages` lacks them all. */
  readonly awaiting: readonly string[];
  /** Ids of every call in the log, also of those whose answer did not count or was compacted away. Grows in place. */
  readonly callIds?: ReadonlySet<string>;
  /** What was said and is not in `messages` yet: behind missing results, and queued, by the id of its event. */
  readonly held?: readonly UserBlock[];
  readonly queued?: ReadonlyMap<string, { readonly blocks: readonly UserBlock[] }>;
  /** For each message, the seqs of the first and last event that made it: where a compaction may cut. */
  readonly spans: readonly { readonly first: number; readonly last: number }[];
}
