/** `/compact`: shows what would go and what it costs, asks by whom, sums up, and says what came of it. */
import type { CompactionPlan } from "../../context/index.ts";
import type { SessionState } from "../../session/index.ts";
import { compactionBy, type Payload } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { sessionSpending } from "../spending/session-spending.ts";
import { moneyText, tokensText } from "../words.ts";
import { type Preview, previewText, routeQuestion, type Way } from "./compact-preview.ts";
import type { SlashContext } from "./define.ts";

export async function compact(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const engine = host.engine();
  const focus = args.trim() || undefined;
  const plan = planFor(engine);
  const { ledger } = await sessionSpending(engine.store, engine.session.id, engine.models.price);
  const preview: Preview = { engine, plan, ledger, focus, now: Date.now() };
  ui.note(previewText(preview));
  const chosen = await ui.choose(routeQuestion(preview));
  const route = ROUTES.find((known) => known === chosen);
  if (route === undefined) return ui.say("Not now: nothing was changed.");
  if (host.current() !== engine) throw new Error("Another session is open by now: nothing was changed.");
  const before = engine.session.state();
  const done = await host.compact({ route, ...(focus !== undefined && { focus }) });
  if (done.ok) return ui.say(doneText(done.value, before, engine), "ok");
  if (done.error.reason === "stopped") await engine.agent.settled(); // so that nothing looks as if it still ran
  const spent = spentText(before, engine.session.state());
  const why = done.error.message.replace(/[^.!?]$/, "$&.");
  ui.say(spent === undefined ? why : `${why} The attempt cost ${spent}.`, "warn");
}

const ROUTES: readonly Way[] = ["aux", "main", "server", "none"];

/** Throws an Error for people where there is nothing to do. */
function planFor({ agent, session, context }: Engine): CompactionPlan {
  const state = session.state();
  if (agent.isBusy()) throw new Error("A turn is under way. Stop it, or wait until it is over.");
  if (state.turn.permissions.length > 0) throw new Error("A question waits for your answer: answer it first.");
  const plan = context.planned(state);
  if (plan.ok) return plan.value;
  const isOpenCall = state.conversation.awaiting.length > 0;
  throw new Error(
    isOpenCall
      ? "A call has no result yet: let the turn go on first."
      : "There is too little to sum up: nothing would get smaller.",
  );
}

function doneText(made: Payload<"context.compacted">, before: SessionState, { session }: Engine): string {
  const { tokensBefore, tokensAfterEstimate: after } = made;
  const how = before.usage.last ? "measured" : "estimated";
  const left = after === undefined ? "" : ` to about ${tokensText(after)} (estimated)`;
  const spent = spentText(before, session.state());
  const price = spent === undefined ? "" : ` for ${spent}`;
  return `Summed up from ${tokensText(tokensBefore)} tokens (${how})${left}, ${compactionBy(made)}${price}.`;
}

/** From what was reported; undefined: nothing was. */
function spentText(before: SessionState, after: SessionState): string | undefined {
  const usd = after.usage.spentUsd - before.usage.spentUsd;
  if (after.usage.unpriced > before.usage.unpriced) {
    return usd > 0 ? `at least ${moneyText(usd)}` : "a price that is not known";
  }
  return usd > 0 ? moneyText(usd) : undefined;
}
