/** `/model` and `/effort`: what the session goes on with. What a switch costs is said before it is chosen, as far as it is known. */
import { problemLines, setConfigValue } from "../../config/index.ts";
import { NO_USAGE } from "../../shared/index.ts";
import type { CommandUi, Question } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { AUTO, type ModelWish, plannedSwitch, rereadBy, switchModel } from "../model-switch.ts";
import { moneyText, tokensText } from "../words.ts";
import { type SlashContext, splitSwitches } from "./define.ts";

export async function model(args: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const { words, switches } = splitSwitches(args, ["--save"]);
  const engine = context.host.engine();
  const chosen = words === "" ? await ui.choose(modelQuestion(engine)) : await modelNamed(words, engine, ui);
  if (chosen === undefined) return;
  const isPriceTold = words === "";
  await carryOut({ model: chosen }, { isPriceTold, isSaved: switches.has("--save"), ui, context });
}

export async function effort(args: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const { words, switches } = splitSwitches(args, ["--save"]);
  const engine = context.host.engine();
  const chosen = words || (await chooseEffort(engine, ui));
  if (chosen === undefined) return;
  await carryOut({ effort: chosen }, { isPriceTold: words === "", isSaved: switches.has("--save"), ui, context });
}

interface Work {
  /** The user chose with the price before him. */
  readonly isPriceTold: boolean;
  readonly isSaved: boolean;
  readonly ui: CommandUi;
  readonly context: SlashContext;
}

async function carryOut(wish: ModelWish, { isPriceTold, isSaved, ui, context }: Work): Promise<void> {
  const engine = context.host.engine();
  const planned = plannedSwitch(engine, wish);
  if (!planned.ok) throw new Error(planned.error);
  if (planned.value && !isPriceTold && !(await isAgreed(planned.value.to, engine, ui))) {
    return ui.say("Nothing was changed.");
  }
  const before = engine.session.state();
  const done = switchModel(engine, wish);
  if (!done.ok) throw new Error(done.error);
  const { turn } = engine.session.state();
  const now = wish.effort === undefined ? turn.model : `${turn.model}, effort ${turn.effort ?? AUTO}`;
  if (done.value === undefined) ui.say(`It is ${now} already.`);
  else ui.say(`From here on: ${now}.${strange(engine, turn.model)}${lostCache(engine, before, turn.model)}`, "ok");
  if (isSaved) await save(wish, ui, context);
}

/** What costs more to read again than this, in US dollars, is told before and not only with the switch. */
const ASK_ABOVE_USD = 0.05;

async function isAgreed(to: string, engine: Engine, ui: CommandUi): Promise<boolean> {
  const { tokens, usd } = rereadBy(engine, engine.session.state(), to);
  if (tokens === undefined || usd === undefined || usd <= ASK_ABOVE_USD) return true;
  const chosen = await ui.choose({
    title: `${to} would read ${tokensText(tokens)} tokens anew, for about ${moneyText(usd)}`,
    rows: [
      { value: "switch", label: "switch" },
      { value: "stay", label: "leave it as it is" },
    ],
  });
  return chosen === "switch";
}

async function save(wish: ModelWish, ui: CommandUi, { places }: SlashContext): Promise<void> {
  if (wish.effort === AUTO)
    throw new Error("It is not kept for new sessions: for that, take the line with effort out of the config file.");
  for (const [key, value] of Object.entries(wish)) {
    const changed = await setConfigValue(places.home, key, value);
    if (!changed.ok) throw new Error(problemLines(changed.error).join("\n"));
    ui.say(`New sessions begin with it: ${key} = ${value} in ${changed.value.path}`, "ok");
  }
}

/** By its id, or by a part of it as in `opus`: the one that has it, or the one that is chosen of several. */
async function modelNamed(typed: string, engine: Engine, ui: CommandUi): Promise<string | undefined> {
  const { known } = engine.models;
  const fitting = known.includes(typed) ? [] : known.filter((id) => id.includes(typed.toLowerCase()));
  const [only, another] = fitting;
  if (only === undefined) return typed;
  return another === undefined ? only : ui.choose(modelQuestion(engine, fitting));
}

const strange = ({ models }: Engine, id: string): string =>
  models.known.includes(id) ? "" : " It is in no list of models: the next request shows whether there is one.";

/** Nothing is said of what nobody knows. */
function lostCache(engine: Engine, before: Parameters<typeof rereadBy>[1], to: string): string {
  const { tokens, usd } = rereadBy(engine, before, to);
  if (tokens === undefined) return "";
  const price = usd === undefined ? "at a price that is not known" : `for about ${moneyText(usd)}`;
  return ` The cache is of no use to the next request: it reads ${tokensText(tokens)} tokens anew, ${price}.`;
}

function modelQuestion(engine: Engine, fitting?: readonly string[]): Question {
  const { models, session } = engine;
  const state = session.state();
  const { tokens } = rereadBy(engine, state, state.turn.model);
  const { model: current } = state.turn;
  const ids = fitting ?? [...new Set([current, ...models.known])];
  return {
    title:
      tokens === undefined
        ? `Which model? ${COLUMNS}`
        : `Which model? Another one reads the ${tokensText(tokens)} tokens so far anew. ${COLUMNS}`,
    rows: ids.map((id) => ({ value: id, label: id, detail: detailOf(engine, id) })),
    isFiltered: true,
    current,
  };
}

function detailOf(engine: Engine, id: string): string {
  const { contextWindow } = engine.models.facts(id);
  const isKnown = engine.models.known.includes(id);
  const { usd } = rereadBy(engine, engine.session.state(), id);
  const reread = usd === undefined || id === engine.session.state().turn.model ? [] : [`re-read ${moneyText(usd)}`];
  return [...(isKnown ? [tokensText(contextWindow)] : []), perMillion(engine, id), ...reread].join("  ");
}

const COLUMNS = "(window, US$ per million tokens in/out)";
const MILLION = 1_000_000;

/** The first tier's price, from the same function that reckons the cost of answers. */
function perMillion({ models }: Engine, id: string): string {
  const part = 1000; // small enough for the tier of short prompts
  const [input, output] = [
    models.price(id, { ...NO_USAGE, inputTokens: part }),
    models.price(id, { ...NO_USAGE, outputTokens: part }),
  ];
  if (input === null || output === null) return "price unknown";
  const dollars = (usd: number) => `$${Number(((usd * MILLION) / part).toPrecision(6))}`;
  return `${dollars(input)}/${dollars(output)}`;
}

async function chooseEffort({ models, session }: Engine, ui: CommandUi): Promise<string | undefined> {
  const { model: id, effort: current } = session.state().turn;
  const { efforts } = models.facts(id);
  if (efforts.length === 0) throw new Error(`${id} has no levels of effort.`);
  const { tokens, usd } = rereadBy({ models }, session.state(), id);
  const price = usd === undefined ? "" : `, for about ${moneyText(usd)}`;
  const cost = tokens === undefined ? "" : ` A change reads ${tokensText(tokens)} tokens anew${price}.`;
  return ui.choose({
    title: `How hard is ${id} to think?${cost}`,
    rows: [
      { value: AUTO, label: AUTO, detail: "as hard as the model does by itself" },
      ...efforts.map((level) => ({ value: level, label: level })),
    ],
    current: current ?? AUTO,
  });
}
