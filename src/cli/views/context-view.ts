/** `khaelor fold context`: what the model would see now, by size, and what has ended the prefix of its requests. */
import { measure } from "../../context/index.ts";
import { conversation, type NamedBreak, prefixBreaks, turnState, usageTotals } from "../../session/index.ts";
import type { LogEvent, Message, Payload } from "../../shared/index.ts";
import type { FoldView, ViewParts } from "../fold-views.ts";
import { breakJson } from "./break-json.ts";

type Block = Message["content"][number];
type Request = Payload<"model.request-started">;

export function contextView({ price, facts }: ViewParts): FoldView {
  const totals = usageTotals(price);
  let [talk, turn, used] = [conversation.initial(), turnState.initial(), totals.initial()];
  let [broken, last, seq]: [ReturnType<typeof prefixBreaks.initial>, Request | undefined, number] = [
    prefixBreaks.initial(),
    undefined,
    0,
  ];
  const breaks: NamedBreak[] = [];
  return {
    apply(event) {
      const before = broken.latest;
      [talk, turn, used] = [conversation.apply(talk, event), turnState.apply(turn, event), totals.apply(used, event)];
      [broken, last, seq] = [prefixBreaks.apply(broken, event), requestIn(event) ?? last, event.seq];
      if (broken.latest && broken.latest !== before) breaks.push(broken.latest);
    },
    shown() {
      const blocks = blocksByKind(talk.messages);
      const tokens = Object.values(blocks).reduce((sum, { estimated_tokens }) => sum + estimated_tokens, 0);
      return {
        seq,
        model: turn.model,
        window_tokens: facts(turn.model)?.contextWindow ?? null,
        messages: talk.messages.length,
        blocks,
        estimated_tokens: tokens,
        calibration: used.calibration ?? null,
        breaks: breaks.map(breakJson),
        last_request: last ? requestJson(last) : null,
      };
    },
  };
}

/** The conversation's own. */
function requestIn(event: LogEvent): Request | undefined {
  if ("opaque" in event || event.type !== "model.request-started") return undefined;
  return event.payload.purpose === "compaction" ? undefined : event.payload;
}

const requestJson = ({ requestId, model, contextStats, bytes, messageCount }: Request) => ({
  request_id: requestId,
  model,
  messages: messageCount ?? null,
  bytes: bytes ?? null,
  estimated_tokens: contextStats.estimatedInputTokens,
  sections: contextStats.sections.map(({ name, estimatedTokens }) => ({ name, estimated_tokens: estimatedTokens })),
});

type Sizes = Record<string, { blocks: number; estimated_tokens: number }>;

function blocksByKind(messages: readonly Message[]): Sizes {
  const sizes: Sizes = {};
  for (const { role, content } of messages) {
    for (const block of content) {
      const kind = kindOf(block, role);
      const { blocks, estimated_tokens } = sizes[kind] ?? { blocks: 0, estimated_tokens: 0 };
      const tokens = estimated_tokens + measure(block).estimatedTokens;
      sizes[kind] = { blocks: blocks + 1, estimated_tokens: tokens };
    }
  }
  return sizes;
}

function kindOf(block: Block, role: Message["role"]): string {
  if (block.type === "text") return role === "user" ? "user_text" : "assistant_text";
  return block.type;
}
