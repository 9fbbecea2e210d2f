/** Folds of the conversation that are wrong in one place each: what the property of byte stability has to notice. */
import { conversation as realConversation } from "../../src/session/index.ts";
import type { Conversation } from "../../src/session/projections/conversation-state.ts";
import {
  type DurableEvent,
  type DurableType,
  isThinking,
  type Message,
  type Payload,
  type Projection,
  sortedJson,
  type UserBlock,
} from "../../src/shared/index.ts";

type Fold = Projection<Conversation>;

/** The fold, wrong in one place. */
export const wrongly = (
  apply: (state: Conversation, event: DurableEvent, real: Fold["apply"]) => Conversation,
): Fold => ({
  ...realConversation,
  apply: (state, event) => ("opaque" in event ? state : apply(state, event, realConversation.apply)),
});
/** It reads another payload than the one that was recorded. */
const reading = <T extends DurableType>(type: T, change: (payload: Payload<T>, seq: number) => Payload<T>): Fold =>
  wrongly((state, event, real) => {
    // The type picks the payload: `event.type === type` is all that the compiler would need to know.
    const payload = event.payload as Payload<T>;
    return real(
      state,
      event.type === type ? ({ ...event, payload: change(payload, event.seq) } as DurableEvent) : event,
    );
  });
const ignoring = (...types: readonly DurableType[]): Fold =>
  wrongly((state, event, real) => (types.includes(event.type) ? state : real(state, event)));
/** It does the right thing, and then something with the messages. */
const spoiling = (
  types: readonly DurableType[],
  spoil: (after: readonly Message[], before: readonly Message[]) => readonly Message[],
): Fold =>
  wrongly((state, event, real) => {
    const before = [...state.messages];
    const after = real(state, event);
    return types.includes(event.type) && after !== state
      ? { ...after, messages: [...spoil(after.messages, before)] }
      : after;
  });

/** Changes every user message. */
export const inUser = (messages: readonly Message[], change: (content: readonly UserBlock[]) => readonly UserBlock[]) =>
  messages.map((message) => (message.role === "user" ? { ...message, content: change(message.content) } : message));
const sortedInput = (input: unknown): unknown => JSON.parse(sortedJson(input));
const TERMINAL = ["tool.completed", "tool.failed", "tool.cancelled"] as const;
const BREAKS = ["context.pruned", "session.resumed", "session.model-changed"] as const;
let renderings = 0;
const arrivals = new Map<string, number>();

/** Each is wrong in one place, and drives its own sessions. */
export const CONVERSATION_MUTANTS: Readonly<Record<string, Fold>> = {
  "puts steering before a block that is bound": spoiling(["user.steering-injected"], (after, before) => {
    const [first, last] = [after[0], after.at(-1)];
    if (first?.role !== "user" || last?.role !== "user" || before.length < 2) return after;
    const moved: Message = { role: "user", content: [...first.content, ...last.content.slice(-1)] };
    const rest = last.content.slice(0, -1);
    const kept = rest.length > 0 ? [{ ...last, content: rest }] : [];
    return [moved, ...after.slice(1, -1), ...kept];
  }),
  "puts steering before the results": spoiling(["user.steering-injected"], (after) =>
    inUser(after, (content) => [...content].sort((a, b) => (a.type === b.type ? 0 : a.type === "text" ? -1 : 1))),
  ),
  "has its own text for a pruned result": reading("context.pruned", (payload) => ({ ...payload, placeholder: "[-]" })),
  "forgets a prune": ignoring("context.pruned"),
  "forgets a compaction": ignoring("context.compacted"),
  "renders a checkpoint anew": reading("context.compacted", ({ message, ...payload }) => ({
    ...payload,
    message: `Summary:\n${message ?? payload.checkpointYaml}`,
  })),
  "does not know a new epoch": ignoring("session.resumed"),
  "keeps thinking across a break": spoiling(BREAKS, (after, before) =>
    after.map((message, at) => {
      const old = before[at];
      return message.role === "assistant" && old?.role === "assistant" ? old : message;
    }),
  ),
  "drops the newest thinking at a break, not the oldest": wrongly((state, event, real) => {
    const after = real(state, event);
    if (after.breaks === state.breaks) return after;
    const first = state.messages.findIndex(({ content }) => content.some(isThinking));
    const messages = after.messages.map((message, at) => (at === first ? (state.messages[first] ?? message) : message));
    return { ...after, messages };
  }),
  "drops thinking at once": ignoring("model.thinking-block-completed"),
  "drops redacted thinking": wrongly((state, event, real) =>
    event.type === "model.thinking-block-completed" && event.payload.redacted !== undefined
      ? state
      : real(state, event),
  ),
  "drops thinking without words": wrongly((state, event, real) => {
    if (event.type !== "model.thinking-block-completed") return real(state, event);
    return event.payload.thinking === "" && event.payload.redacted === undefined ? state : real(state, event);
  }),
  "drops the text that an interrupt cut": wrongly((state, event, real) =>
    event.type === "model.text-block-completed" && event.payload.partial ? state : real(state, event),
  ),
  "takes an interrupt for a failure": ignoring("user.interrupted"),
  "takes a failure for an interrupt": wrongly((state, event, real) => {
    if (event.type !== "model.request-failed" || !state.open) return real(state, event);
    return real({ ...state, open: { ...state.open, interrupted: true } }, event);
  }),
  "keeps a refused answer": reading("model.response-completed", (payload) =>
    payload.stopReason === "refusal" ? { ...payload, stopReason: "end_turn" } : payload,
  ),
  "keeps the text of a refused turn": wrongly((state, event, real) => {
    const after = real(state, event);
    return after.messages.length < state.messages.length ? { ...after, messages: [...state.messages] } : after;
  }),
  "takes a refused turn back although a tool has run": wrongly((state, event, real) => {
    const after = real(state, event);
    return state.turnStart && !after.turnStart ? { ...after, turnStart: state.turnStart } : after;
  }),
  "takes back what was said before the refused turn": wrongly((state, event, real) => {
    const after = real(state, event);
    const begun = after.turnStart && after.turnStart !== state.turnStart && state.messages.length > 1;
    return begun ? { ...after, turnStart: { messages: state.messages.length - 1, blocks: 0 } } : after;
  }),
  "keeps a call that the limit cut": reading("model.response-completed", (payload) =>
    payload.stopReason === "max_tokens" ? { ...payload, stopReason: "tool_use" } : payload,
  ),
  "keeps the summary's own request": reading("model.request-started", (payload) => ({ ...payload, purpose: "main" })),
  "sorts the keys of an input": reading("tool.requested", (payload) => ({
    ...payload,
    input: sortedInput(payload.input),
  })),
  "leaves an input out that is empty": reading("tool.requested", (payload) => ({
    ...payload,
    input: Bun.deepEquals(payload.input, {}) ? null : payload.input,
  })),
  "orders results as they arrive": wrongly((state, event, real) => {
    const known = event.type === "tool.completed" || event.type === "tool.failed" || event.type === "tool.cancelled";
    if (known && !arrivals.has(event.payload.toolUseId)) arrivals.set(event.payload.toolUseId, event.seq);
    const after = real(state, event);
    const place = (block: UserBlock) => (block.type === "tool_result" ? (arrivals.get(block.tool_use_id) ?? 0) : 1e9);
    if (!known || after === state) return after;
    return {
      ...after,
      messages: inUser(after.messages, (content) => [...content].sort((a, b) => place(a) - place(b))),
    };
  }),
  "lets the last result of a call count": wrongly((state, event, real) => {
    const after = real(state, event);
    if (after !== state || event.type !== "tool.failed") return after;
    const { toolUseId, modelText } = event.payload;
    const again = (content: readonly UserBlock[]) =>
      content.map((it) =>
        it.type === "tool_result" && it.tool_use_id === toolUseId ? { ...it, content: modelText } : it,
      );
    return { ...state, messages: inUser(state.messages, again) };
  }),
  "forgets that a result is an error": spoiling(TERMINAL, (after) =>
    inUser(after, (content) =>
      content.map((block) => {
        if (block.type !== "tool_result") return block;
        const { is_error: _, ...rest } = block;
        return rest;
      }),
    ),
  ),
  "sends a blank result as it is": wrongly((state, event, real) => {
    const after = real(state, event);
    const blanked = (content: readonly UserBlock[]) =>
      content.map((it) => (it.type === "tool_result" && it.content === "(no output)" ? { ...it, content: "" } : it));
    return after === state ? after : { ...after, messages: inUser(after.messages, blanked) };
  }),
  "renders context in place of reading it": reading("user.message-created", (payload) => ({
    ...payload,
    context: (payload.context ?? []).map(({ name }) => ({ name, text: `<${name}>${++renderings}</${name}>` })),
  })),
  "joins context and text": reading("user.message-created", ({ context = [], text, ...payload }) => ({
    ...payload,
    text: [...context.map((entry) => entry.text), text].join("\n"),
  })),
  "leaves context out": reading("user.message-created", (payload) => ({ ...payload, context: [] })),
  "trims what the user said": reading("user.message-created", (payload) => ({ ...payload, text: payload.text.trim() })),
  "trims what the model said": reading("model.text-block-completed", (payload) => ({
    ...payload,
    text: payload.text.trimEnd(),
  })),
  "normalises line ends": reading("tool.completed", (payload) => ({
    ...payload,
    modelText: payload.modelText.replaceAll("\r\n", "\n"),
  })),
  "leaves images out": reading("user.message-created", (payload) => ({ ...payload, attachments: [] })),
  "leaves images of what was queued out": reading("user.steering-queued", (payload) => ({
    ...payload,
    attachments: [],
  })),
  "puts images behind the words": spoiling(["user.message-created", "user.steering-injected"], (after) =>
    inUser(after, (content) => [...content].sort((a, b) => Number(a.type === "image") - Number(b.type === "image"))),
  ),
  "forgets that images are gone": reading("context.pruned", ({ imageSha256s: _, ...payload }) => payload),
  "renders the output of a command anew": reading("user.message-created", (payload) =>
    payload.shell ? { ...payload, context: [{ name: "shell", text: payload.shell.output }] } : payload,
  ),
  "does not know another schema": reading("session.resumed", ({ outputSchemaSha256: _, ...payload }) => payload),
  "delivers what is queued at once": wrongly((state, event, real) => {
    if (event.type !== "user.steering-queued") return real(state, event);
    const said = { ...event, type: "user.message-created" as const, payload: { ...event.payload, mentions: [] } };
    return real(state, said);
  }),
  "loses what was said while results were missing": wrongly((state, event, real) => {
    const after = real(state, event);
    return after.held.length > 0 ? { ...after, held: [] } : after;
  }),
  "makes a message of each text": wrongly((state, event, real) => {
    const after = real(state, event);
    const split = after.messages.flatMap((message) =>
      message.role === "user" && message.content.length > 1 && message.content.every(({ type }) => type === "text")
        ? message.content.map((block): Message => ({ role: "user", content: [block] }))
        : [message],
    );
    return split.length === after.messages.length ? after : { ...after, messages: split };
  }),
  "changes a message that it has shown": wrongly((state, event, real) => {
    const after = real(state, event);
    const last = after.messages.at(-1);
    if (event.type === "user.steering-injected" && last) (last.content as unknown[]).push({ type: "text", text: "x" });
    return after;
  }),
  "miscounts what was sent": wrongly((state, event, real) => {
    const after = real(state, event);
    return after.sentBlocks === state.sentBlocks ? after : { ...after, sentBlocks: after.sentBlocks - 1 };
  }),
  "does not count what was sent": wrongly((state, event, real) => ({ ...real(state, event), sentBlocks: 0 })),
};
