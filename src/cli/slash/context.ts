/** `/context`: what the model sees. Sections are estimated, and said to be; whole numbers come from the API alone. */
import { limitsFor, PRUNE_FROM, threshold } from "../../context/index.ts";
import { type CacheLedger, eventsOfTypes, type LedgerEntry } from "../../session/index.ts";
import type { DurableEvent } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { DEFAULT_OUTPUT_TOKENS } from "../opening.ts";
import { sessionSpending } from "../spending/session-spending.ts";
import { contextTokens } from "../terminal/session-facts.ts";
import { counted, tokensText } from "../words.ts";
import { asText, messagesAt } from "./context-messages.ts";
import type { SlashContext } from "./define.ts";
import { markdownTable } from "./markdown-table.ts";
import { breakWords, missWords, shareText } from "./miss-words.ts";

export async function context(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const engine = host.engine();
  const [word = "", ...more] = args.split(/\s+/).filter(Boolean);
  if (word === "") return ui.note(await sections(engine));
  if (word === "diff") {
    const { title, markdown } = await (await import("./context-diff.ts")).contextDiff(more, engine);
    return ui.show(title, markdown);
  }
  if (word === "all" && more.length === 0) {
    return ui.show("What the model sees", asText(engine.session.state().conversation.messages));
  }
  const seq = /^@([1-9]\d{0,14})$/.exec(args.trim())?.[1];
  if (seq === undefined) {
    throw new Error(`"${args.trim()}": there is /context, /context all, /context @EVENT and /context diff @A @B.`);
  }
  const [messages = []] = await messagesAt(engine, [Number(seq)]);
  ui.show(`What the model saw at event ${seq}`, asText(messages.map(({ message }) => message)));
}

async function sections(engine: Engine): Promise<string> {
  const { session, store, models } = engine;
  const state = session.state();
  const { contextWindow } = models.facts(state.turn.model);
  const request = await lastRequest(session.path);
  if (!request)
    return `Nothing was sent yet. The window of ${state.turn.model} holds ${tokensText(contextWindow)} tokens.`;
  const { sections: parts, estimatedInputTokens } = request.contextStats;
  const { ledger } = await sessionSpending(store, session.id, models.price);
  const table = markdownTable(
    ["section", "estimated tokens:", "share:"],
    parts.map(({ name, estimatedTokens }) => [name, estimatedTokens, percent(estimatedTokens, estimatedInputTokens)]),
  );
  const told = [measuredText(engine), roomText(engine), ...cacheText(ledger)].join("\n");
  return `${told}\n\nThe last request, by section (estimated: text from its bytes, a picture at its most; ${estimatedInputTokens} in all):\n\n${table}`;
}

function measuredText({ session, models }: Engine): string {
  const state = session.state();
  const { contextWindow } = models.facts(state.turn.model);
  const real = contextTokens(state);
  const window = `of the window of ${tokensText(contextWindow)}`;
  if (real !== undefined) {
    return `The last request and its answer are **${real}** tokens as the API counted them: ${percent(real, contextWindow)} ${window}.`;
  }
  return state.conversation.breaks > 0
    ? `What was sent before has been made smaller; the next answer tells how much is left ${window}.`
    : `No answer has told yet how much that is ${window}.`;
}

/** As the engine has it. */
function roomText({ session, models, config }: Engine): string {
  const { model, auxModel } = session.state().turn;
  const facts = models.facts(model);
  const full = threshold(facts, DEFAULT_OUTPUT_TOKENS, limitsFor(facts).bufferTokens);
  const [early, limit] = [tokensText(full * PRUNE_FROM), tokensText(full)];
  const by = { aux: auxModel, main: model, server: "the API itself" }[config.compaction.route];
  return config.compaction.auto
    ? `Room is made: above ${early} tokens old results are taken out before a message, above ${limit} what is older is summed up by ${by}. /compact does it now.`
    : `Room is made: above ${early} tokens old results are taken out before a message; nothing is summed up before it is needed (compaction.auto is off). /compact does it now.`;
}

function cacheText({ entries, unnamed }: CacheLedger): readonly string[] {
  const last = entries.findLast(isOfConversation);
  const breaks = [...entries.flatMap((entry) => entry.breaks), ...unnamed];
  const newest = breaks.at(-1);
  const told = newest ? `${counted(breaks.length, "break")} of the cache so far, the last: ${breakWords(newest)}.` : "";
  return [
    ...(last ? [lastText(last)] : []),
    ...(told === "" ? [] : [`${told}${unnamed.length > 0 ? " The next request reads anew." : ""}`]),
  ];
}

const isOfConversation = ({ purpose }: LedgerEntry): boolean => purpose !== "compaction";

function lastText({ usage, reason }: LedgerEntry): string {
  const sent = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const why = reason === undefined ? "" : reason === "first" ? " (it was the first)" : ` (${missWords(reason)})`;
  return sent === 0
    ? "The last request reported nothing of the cache."
    : `Of what the last request sent, ${shareText(usage.cacheReadTokens / sent)} came from the cache${why}.`;
}

const percent = (part: number, whole: number): string => (whole === 0 ? "0%" : `${Math.round((part / whole) * 100)}%`);

async function lastRequest(path: string): Promise<DurableEvent<"model.request-started">["payload"] | undefined> {
  let last: DurableEvent<"model.request-started">["payload"] | undefined;
  for await (const event of eventsOfTypes(path, new Set(["model.request-started"]))) {
    if ("opaque" in event || event.type !== "model.request-started") continue;
    if (event.payload.purpose !== "compaction") last = event.payload;
  }
  return last;
}
