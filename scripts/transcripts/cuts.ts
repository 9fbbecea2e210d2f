/** A compaction at every place where the log may be cut: the fold's conversation stays paired, and some of the requests are sent. */
import type { FrozenPrefix } from "../../src/context/index.ts";
import { conversation, type SessionState, safeCuts } from "../../src/session/index.ts";
import type { DurableEvent } from "../../src/shared/index.ts";
import { type Exchange, engineFor } from "./exchange.ts";
import type { Api } from "./ground.ts";
import { pairingProblem } from "./pairing-rule.ts";

export interface CutsOutcome {
  readonly cuts: number;
  readonly sent: number;
  readonly problems: readonly string[];
}

const SENT_CUTS = 6;

export async function tryCuts(exchange: Exchange, prefix: FrozenPrefix, api: Api): Promise<CutsOutcome> {
  const state = exchange.session.state();
  const cuts = safeCuts(state.conversation);
  const problems: string[] = [];
  const step = Math.max(1, Math.floor(cuts.length / SENT_CUTS));
  let sent = 0;
  for (const [at, toSeq] of cuts.entries()) {
    const cut = compactedAt(state, toSeq);
    const problem = pairingProblem(cut.conversation.messages) ?? lossProblem(state, cut, toSeq);
    if (problem !== undefined) problems.push(`a compaction up to ${toSeq}: ${problem}`);
    if (at % step !== 0 && at !== cuts.length - 1) continue;
    const { request } = engineFor({ prefix, api }).selectContext(cut);
    const refused = await exchange.probe(request);
    sent++;
    if (refused !== undefined) problems.push(`the request after a compaction up to ${toSeq} was refused: ${refused}`);
  }
  return { cuts: cuts.length, sent, problems };
}

const CHECKPOINT = "What was done before this is summed up here.";

/** As the fold makes it, with something said at the end when an answer stands there. */
function compactedAt(state: SessionState, toSeq: number): SessionState {
  const envelope = { v: 1, id: "x", sessionId: "x", seq: state.lastSeq + 1, ts: 0 } as const;
  const compacted: DurableEvent<"context.compacted"> = {
    ...envelope,
    type: "context.compacted",
    payload: {
      checkpointYaml: CHECKPOINT,
      cut: { fromSeq: 1, toSeq },
      trigger: "user-command",
      tokensBefore: 0,
      summaryModel: "none",
      message: CHECKPOINT,
    },
  };
  // as: the state that readers see is the fold's own, which it does not change when a break makes new lists.
  const own = state.conversation as ReturnType<typeof conversation.initial>;
  const folded = conversation.apply(own, compacted);
  const isAnswered = folded.messages.at(-1)?.role === "assistant" && folded.awaiting.length === 0;
  if (!isAnswered) return { ...state, conversation: folded };
  const said: DurableEvent<"user.message-created"> = {
    ...envelope,
    seq: state.lastSeq + 2,
    type: "user.message-created",
    payload: { text: "Go on.", mentions: [] },
  };
  return { ...state, conversation: conversation.apply(folded, said) };
}

/** Behind the cut stands what stood there before, and nothing of it is gone. */
function lossProblem(before: SessionState, after: SessionState, toSeq: number): string | undefined {
  const { messages, spans } = before.conversation;
  const kept = messages.slice(spans.filter(({ last }) => last <= toSeq).length);
  const said = kept.at(-1)?.role === "assistant" ? 1 : 0;
  const [left, expected] = [blocksOf(after.conversation.messages), 1 + blocksOf(kept) + said];
  return left === expected ? undefined : `${left} blocks where ${expected} were expected`;
}

const blocksOf = (messages: SessionState["conversation"]["messages"]): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);
