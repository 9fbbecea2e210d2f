/** Recovery, folds and cuts that are wrong in one place each: what the property of pairing has to notice. */
import {
  conversation,
  type PendingCall,
  recoveryEvents,
  safeCuts,
  type TurnState,
  turnState,
} from "../../src/session/index.ts";
import type { Conversation } from "../../src/session/projections/conversation-state.ts";
import type { DurableInput, LogEvent, Message, Projection } from "../../src/shared/index.ts";
import { CONVERSATION_MUTANTS, wrongly } from "./conversation-mutants.ts";
import { isResult } from "./story/memory-session.ts";

/** Everything that keeps calls and results together. */
export interface Subject {
  readonly conversation: Projection<Conversation>;
  readonly turn: Projection<TurnState>;
  readonly recovery: typeof recoveryEvents;
  readonly cuts: typeof safeCuts;
}
export const REAL: Subject = { conversation, turn: turnState, recovery: recoveryEvents, cuts: safeCuts };

/** The real thing with one part wrong. */
const recovering = (recovery: Subject["recovery"]): Subject => ({ ...REAL, recovery });
const folding = (wrong: Projection<Conversation>): Subject => ({ ...REAL, conversation: wrong });
const cutting = (cuts: Subject["cuts"]): Subject => ({ ...REAL, cuts });
const keeping = (
  apply: (state: TurnState, event: LogEvent, real: Projection<TurnState>["apply"]) => TurnState,
): Subject => ({
  ...REAL,
  turn: { ...turnState, apply: (state, event) => apply(state, event, turnState.apply) },
});

const staged = (turn: TurnState, change: (call: PendingCall, at: number) => PendingCall): TurnState => ({
  ...turn,
  pending: turn.pending.map(change),
});
const isCall = ({ type }: DurableInput): boolean => type === "tool.cancelled";
const isDiscard = (input: DurableInput): boolean =>
  input.type === "tool.cancelled" && input.payload.reason === "discarded";
const boundaries = ({ spans }: Pick<Conversation, "spans">): readonly number[] => spans.map(({ last }) => last);

export const PAIRING_MUTANTS: Readonly<Record<string, Subject>> = {
  "skips the last call": recovering((state) =>
    recoveryEvents(state).filter((input, at, all) => !isCall(input) || at < all.length - 1),
  ),
  "closes nothing": recovering(() => []),
  "lets a cut request be": recovering((state) =>
    recoveryEvents(state).filter(({ type }) => type !== "model.request-failed"),
  ),
  "forgets the calls of answers that did not count": recovering((state) =>
    recoveryEvents(state).filter((input) => !isDiscard(input)),
  ),
  "closes only the calls of the request that was cut": recovering(({ turn: { discarding: _, ...turn } }) =>
    recoveryEvents({ turn }),
  ),
  "cancels a call that waits for consent": recovering(({ turn }) =>
    recoveryEvents({ turn: staged(turn, (call) => ({ ...call, stage: "granted" })) }),
  ),
  "cancels what is behind a waiting call": recovering(({ turn }) => {
    const waiting = turn.pending.findIndex(({ stage }) => stage === "waiting");
    const behind = (at: number) => waiting !== -1 && at > waiting;
    return recoveryEvents({ turn: staged(turn, (call, at) => (behind(at) ? { ...call, stage: "started" } : call)) });
  }),
  "cancels nothing while a call waits": recovering((state) =>
    state.turn.pending.some(({ stage }) => stage === "waiting") ? [] : recoveryEvents(state),
  ),
  "keeps a call whose question was answered": {
    ...keeping((state, event, real) => {
      const after = real(state, event);
      const waited = new Set(state.pending.flatMap(({ stage, toolUseId }) => (stage === "waiting" ? [toolUseId] : [])));
      const isAnswer = event.type === "permission.granted" || event.type === "permission.denied";
      return isAnswer
        ? staged(after, (call) => (waited.has(call.toolUseId) ? { ...call, stage: "waiting" } : call))
        : after;
    }),
  },
  "keeps the questions of a stopped turn": recovering(({ turn }) =>
    recoveryEvents({ turn: { ...turn, phase: "open" } }),
  ),
  "recovers again and again": recovering((state) => [
    ...recoveryEvents(state),
    ...state.turn.pending
      .filter(({ stage }) => stage === "waiting")
      .map(
        (call): DurableInput => ({
          type: "session.renamed",
          payload: { title: call.toolUseId },
        }),
      ),
  ]),

  "loses calls that settle behind an interrupt": keeping((state, event, real) => {
    const after = real(state, event);
    return state.phase === "interrupted" && event.type === "tool.requested"
      ? { ...after, pending: state.pending }
      : after;
  }),
  "runs the calls of a refused answer": keeping((state, event, real) => {
    const after = real(state, event);
    const calls = after === state || event.type !== "model.response-completed" ? [] : (state.request?.calls ?? []);
    const missing = calls.filter((call) => !after.pending.some(({ toolUseId }) => toolUseId === call.toolUseId));
    return missing.length > 0 ? { ...after, pending: [...after.pending, ...missing] } : after;
  }),

  "takes results of discarded calls into the conversation": folding(
    wrongly((state, event, real) => {
      const after = real(state, event);
      const last = after.messages.at(-1);
      if (event.type !== "tool.cancelled" || event.payload.reason !== "discarded" || last?.role !== "user")
        return after;
      const { toolUseId: tool_use_id, modelText: content } = event.payload;
      const longer: Message = { ...last, content: [...last.content, { type: "tool_result", tool_use_id, content }] };
      return { ...after, messages: after.messages.with(-1, longer) };
    }),
  ),
  "loses one of several results": folding(
    wrongly((state, event, real) => {
      const after = real(state, event);
      const last = after.messages.at(-1);
      if (!isResult(event) || after.awaiting.length > 0 || last?.role !== "user" || last.content.length < 2)
        return after;
      return after === state
        ? after
        : { ...after, messages: after.messages.with(-1, { ...last, content: last.content.slice(1) }) };
    }),
  ),
  "does not wait for the last result": folding(
    wrongly((state, event, real) => {
      const after = real(state, event);
      return isResult(event) && after.results.size > 0 ? { ...after, awaiting: [] } : after;
    }),
  ),
  "says what the user says before the results": folding(
    wrongly((state, event, real) => {
      if (event.type !== "user.message-created" || state.awaiting.length === 0) return real(state, event);
      return { ...real({ ...state, awaiting: [] }, event), awaiting: state.awaiting };
    }),
  ),
  "keeps calls of an interrupted answer out": folding(
    wrongly((state, event, real) => {
      if (event.type !== "model.request-failed" || !state.open?.interrupted) return real(state, event);
      const blocks = state.open.blocks.filter(({ block }) => block.type !== "tool_use");
      return real({ ...state, open: { ...state.open, blocks } }, event);
    }),
  ),
  "orders results as they arrive": folding(CONVERSATION_MUTANTS["orders results as they arrive"] ?? conversation),
  "puts steering before the results": folding(CONVERSATION_MUTANTS["puts steering before the results"] ?? conversation),
  "applies a compaction wherever it is told to": folding(
    wrongly((state, event, real) => {
      const after = real(state, event);
      if (event.type !== "context.compacted" || after !== state) return after;
      const from = state.spans.filter(({ last }) => last <= event.payload.cut.toSeq).length;
      const first: Message = { role: "user", content: [{ type: "text", text: event.payload.message ?? "" }] };
      return { ...state, messages: [first, ...state.messages.slice(from)] };
    }),
  ),

  "cuts one message too late": cutting((state) => {
    const all = boundaries({ spans: [...state.spans] });
    return safeCuts(state).flatMap((seq) => all[all.indexOf(seq) + 1] ?? []);
  }),
  "cuts anywhere": cutting(({ spans }) => boundaries({ spans: [...spans] })),
  "cuts nowhere": cutting(() => []),
  "cuts before results that have not come": cutting((state) => safeCuts({ ...state, awaiting: [] })),
  "cuts only at the end": cutting((state) => safeCuts(state).slice(-1)),
};
