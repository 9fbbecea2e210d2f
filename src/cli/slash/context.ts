/** `/context`: what the model sees. Sections are estimated, and said to be; whole numbers come from the API alone. */
import { conversation, eventsOfTypes } from "../../session/index.ts";
import { type Block, type DurableEvent, estimateTokens, type Message } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { contextTokens } from "../terminal/session-facts.ts";
import { counted, tokensText } from "../words.ts";
import type { SlashContext } from "./define.ts";
import { fenced, markdownTable } from "./markdown-table.ts";

export async function context(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const engine = host.engine();
  const wanted = args.trim();
  if (wanted === "") return ui.note(await sections(engine));
  if (wanted === "all") {
    return ui.show("What the model sees", asText(engine.session.state().conversation.messages));
  }
  const seq = /^@([1-9]\d{0,14})$/.exec(wanted)?.[1];
  if (seq === undefined) throw new Error(`"${wanted}": there is /context, /context all and /context @EVENT.`);
  ui.show(`What the model saw at event ${seq}`, asText(await messagesAt(engine, Number(seq))));
}

async function sections(engine: Engine): Promise<string> {
  const { session, models } = engine;
  const state = session.state();
  const { contextWindow } = models.facts(state.turn.model);
  const real = contextTokens(state);
  const request = await lastRequest(session.path);
  if (!request)
    return `Nothing was sent yet. The window of ${state.turn.model} holds ${tokensText(contextWindow)} tokens.`;
  const { sections: parts, estimatedInputTokens } = request.contextStats;
  const measured =
    real === undefined
      ? "No answer has told yet how much that is."
      : `The last request and its answer are **${real}** tokens as the API counted them: ${percent(real, contextWindow)} of the window of ${tokensText(contextWindow)}.`;
  const table = markdownTable(
    ["section", "estimated tokens:", "share:"],
    parts.map(({ name, estimatedTokens }) => [name, estimatedTokens, percent(estimatedTokens, estimatedInputTokens)]),
  );
  return `${measured}\n\nThe last request, by section (estimated: text from its bytes, a picture at its most; ${estimatedInputTokens} in all):\n\n${table}`;
}

const percent = (part: number, whole: number): string => (whole === 0 ? "0%" : `${Math.round((part / whole) * 100)}%`);

async function lastRequest(path: string): Promise<DurableEvent<"model.request-started">["payload"] | undefined> {
  let last: DurableEvent<"model.request-started">["payload"] | undefined;
  for await (const event of eventsOfTypes(path, new Set(["model.request-started"]))) {
    if (!("opaque" in event) && event.type === "model.request-started") last = event.payload;
  }
  return last;
}

/** As the fold has it after that event: the same fold that makes requests. */
async function messagesAt({ store, session }: Engine, seq: number): Promise<readonly Message[]> {
  if (seq > session.state().lastSeq) throw new Error(`The last event is @${session.state().lastSeq}.`);
  let state = conversation.initial();
  for await (const event of store.read(session.id)) {
    if (event.seq > seq) break;
    state = conversation.apply(state, event);
  }
  return state.messages;
}

/** A screen is no place for a megabyte: each block is shown up to here, and the log has all of it. */
const MAX_BLOCK_CHARACTERS = 4_000;
const MAX_MESSAGES = 400;

function asText(messages: readonly Message[]): string {
  if (messages.length === 0) return "Nothing was said yet.";
  const shown = messages.slice(-MAX_MESSAGES);
  const left = messages.length - shown.length;
  const parts = shown.map(({ role, content }, at) => {
    const blocks = (content as readonly Block[]).map(blockText); // as: both roles' blocks are blocks
    return `### ${left + at + 1} ${role}\n\n${blocks.join("\n\n")}`;
  });
  return [...(left > 0 ? [`${counted(left, "older message")} stand before these.`] : []), ...parts].join("\n\n");
}

function blockText(block: Block): string {
  const body = contentOf(block);
  const cut = body.length > MAX_BLOCK_CHARACTERS ? `${body.slice(0, MAX_BLOCK_CHARACTERS).toWellFormed()}\n…` : body;
  return `${block.type}, about ${tokensText(estimateTokens(body))} tokens\n\n${fenced(cut)}`;
}

function contentOf(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "tool_use":
      return `${block.name} ${JSON.stringify(block.input)}`;
    case "tool_result":
      return typeof block.content === "string" ? block.content : JSON.stringify(block.content);
    default:
      return JSON.stringify(block);
  }
}
