/** What `/compact` shows before anything happens: what goes, what stays in any case, and what each way costs, all of it estimated. */
import {
  auxiliaryRequest,
  type CompactionPlan,
  type CompactionRoute,
  limitsFor,
  possibleRoutes,
} from "../../context/index.ts";
import type { CacheLedger, NamedBreak } from "../../session/index.ts";
import { estimateTokens, type ModelUsage, NO_USAGE } from "../../shared/index.ts";
import type { ChoiceRow, Question } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { counted, moneyText, tokensText } from "../words.ts";
import { inCode } from "./markdown-table.ts";

export interface Preview {
  readonly engine: Engine;
  readonly plan: CompactionPlan;
  readonly ledger: CacheLedger;
  readonly focus: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

export function previewText(preview: Preview): string {
  const { engine, plan, focus } = preview;
  const { messages } = engine.session.state().conversation;
  const stays = messages.length - plan.going;
  const kept =
    stays === 0
      ? "Nothing stays word for word, for the turn goes on behind it."
      : `What is newer stays word for word: ${counted(stays, "message")}, about ${tokensText(counting(preview, plan.keptTokens))} tokens.`;
  return [
    `**${plan.going} of ${counted(messages.length, "message")} go**, about ${tokensText(counting(preview, plan.goingTokens))} tokens; a checkpoint takes their place. ${kept}`,
    survivors(preview),
    nextRequest(preview),
    ...(focus === undefined ? [] : [`To be kept in particular: ${inCode(focus)}`]),
  ]
    .map((line) => `- ${line}`)
    .join("\n");
}

/** What a fold knows does not depend on what a model writes. */
function survivors({ engine, plan }: Preview): string {
  const { files, processes } = engine.session.state();
  const changed = Object.keys(files.changes).length;
  const known = [
    ...(plan.isInTurn ? ["your words of this turn"] : []),
    ...(changed > 0 ? [counted(changed, "changed file")] : []),
    ...(processes.live.length > 0 ? [counted(processes.live.length, "running process", "running processes")] : []),
    "what was tried and failed",
  ];
  return `Kept in any case: the project's instructions as they are; in the checkpoint ${known.join(", ")}.`;
}

function nextRequest(preview: Preview): string {
  const { engine, plan } = preview;
  const { fixedTokens, keptTokens } = plan;
  const { model } = engine.session.state().turn;
  const cacheReadTokens = isPrefixWarm(preview) ? counting(preview, fixedTokens) : 0;
  const cacheWriteTokens = counting(preview, isPrefixWarm(preview) ? keptTokens : fixedTokens + keptTokens);
  const usd = engine.models.price(model, { ...NO_USAGE, cacheReadTokens, cacheWriteTokens });
  const price = usd === null ? "at a price that is not known" : `for about ${moneyText(usd)}`;
  const read = cacheReadTokens === 0 ? "" : `about ${tokensText(cacheReadTokens)} tokens from the cache, and `;
  return `The next request reads ${read}about ${tokensText(cacheWriteTokens)} tokens and the checkpoint anew, ${price} (estimated).`;
}

/** As the API would count what was estimated, by the rate of its last answer. */
const counting = ({ engine }: Pick<Preview, "engine">, estimated: number): number =>
  Math.round(estimated * (engine.session.state().usage.calibration ?? 1));

/** So long a summary is taken to be, where it may be that long. */
const SUMMARY_TOKENS = 2000;

/** `none`: no model is asked. */
export type Way = CompactionRoute | "none";

export function routeQuestion(preview: Preview): Question {
  const { engine, plan } = preview;
  const state = engine.session.state();
  const possible = possibleRoutes(state, plan, engine.models.facts(state.turn.model));
  const wanted = engine.config.compaction.route;
  const order: readonly CompactionRoute[] = wanted === "server" ? ["server", "main", "aux"] : [wanted, "aux"];
  return {
    title: `Who sums it up? Estimated, for ${tokensText(summaryTokens(preview))} tokens of summary`,
    rows: [
      ...possible.map((route) => ({ value: route, ...ROWS[route](preview) })),
      { value: "none" satisfies Way, label: "no model: what the log knows", detail: "free" },
      { value: "not-now", label: "not now" },
    ],
    current: order.find((route) => possible.includes(route)) ?? "aux",
  };
}

type Row = Omit<ChoiceRow, "value">;

const ROWS: Readonly<Record<CompactionRoute, (preview: Preview) => Row>> = {
  aux(preview) {
    const { engine, plan, focus } = preview;
    const { auxModel } = engine.config;
    const question = { state: engine.session.state(), plan, focus, answerTokens: checkpointTokens(preview) };
    const { messages } = auxiliaryRequest(question, auxModel, engine.models.facts(auxModel)); // long results are cut in it
    const inputTokens = counting(preview, estimateTokens(JSON.stringify(messages)));
    return { label: `${auxModel} reads it as text`, detail: priceOf(preview, auxModel, { inputTokens }) };
  },
  main(preview) {
    const { model } = preview.engine.session.state().turn;
    const isWarm = isCacheWarm(preview);
    return {
      label: `${model} reads ${isWarm ? "its cache" : "it anew"}`,
      detail: priceOf(preview, model, wholePrompt(preview, isWarm)),
    };
  },
  server(preview) {
    const { model } = preview.engine.session.state().turn;
    return {
      label: "the API itself: its summary stands alone",
      detail: priceOf(preview, model, wholePrompt(preview, isCacheWarm(preview))),
    };
  },
};

function wholePrompt(preview: Preview, isWarm: boolean): Partial<ModelUsage> {
  const { fixedTokens, goingTokens } = preview.plan;
  const tokens = counting(preview, fixedTokens + goingTokens);
  return isWarm ? { cacheReadTokens: tokens } : { cacheWriteTokens: tokens };
}

function priceOf(preview: Preview, model: string, usage: Partial<ModelUsage>): string {
  const outputTokens = summaryTokens(preview);
  const usd = preview.engine.models.price(model, { ...NO_USAGE, ...usage, outputTokens });
  return usd === null ? "price unknown" : `about ${moneyText(usd)}`;
}

const summaryTokens = (preview: Preview): number => Math.min(SUMMARY_TOKENS, checkpointTokens(preview));

/** The most that a summary may have. */
const checkpointTokens = ({ engine }: Preview): number =>
  limitsFor(engine.models.facts(engine.session.state().turn.model)).checkpointTokens;

/** So long the cache keeps what no request reads. */
const KEPT_MS = 5 * 60_000;

const isCacheWarm = (preview: Preview): boolean => preview.ledger.unnamed.length === 0 && isRecent(preview);

/** Breaks that change messages alone: the cache keeps the frozen prefix before them. */
const IN_MESSAGES: readonly NamedBreak["kind"][] = ["compacted", "pruned", "taken-back"];

const isPrefixWarm = (preview: Preview): boolean =>
  preview.ledger.unnamed.every(({ kind }) => IN_MESSAGES.includes(kind)) && isRecent(preview);

function isRecent({ ledger: { entries }, now }: Preview): boolean {
  const last = entries.findLast(({ purpose }) => purpose !== "compaction");
  if (!last) return false;
  const { cacheReadTokens, cacheWriteTokens } = last.usage;
  return now - last.startedTs < KEPT_MS && cacheReadTokens + cacheWriteTokens > 0;
}
