/** Everything that is measured, in the order of the table. */
import { checkpoints, stepsOfLength } from "./context-figures.ts";
import type { Effort } from "./effort.ts";
import type { Ground } from "./ground.ts";
import { listing, recovery } from "./log-figures.ts";
import { startModel } from "./model.ts";
import { manySteps, oneMessage } from "./model-figures.ts";
import { appending, calls, replay, starting } from "./program-figures.ts";
import { summaryCosts } from "./summary-costs.ts";
import type { Figure } from "./table.ts";
import { longOnTerminal } from "./terminal-memory.ts";
import { resuming, terminalStart } from "./terminal-start.ts";
import { atOnce, idling, steadily } from "./terminal-stream.ts";
import { echoes, frameTimes, streaming } from "./terminal-typing.ts";

/** `say` is told what comes next. Rejects when a program fails: a figure of something that did not work would be a lie. `only`: the sections whose name holds this. */
export async function measure(
  ground: Ground,
  { effort, only }: { readonly effort: Effort; readonly only: string | undefined },
  say: (what: string) => void,
): Promise<readonly Figure[]> {
  const model = await startModel(ground);
  const sections: readonly (readonly [what: string, take: () => Promise<readonly Figure[]>])[] = [
    ["starting", () => starting(ground, effort)],
    ["one message", () => oneMessage(ground, model, effort)],
    [`a loop of ${effort.steps} steps`, () => manySteps(ground, model, effort)],
    ["gate and record", () => calls(ground, effort)],
    ...effort.replays.map((size) => [`replay of ${size.events} events`, () => replay(ground, size)] as const),
    [`recovery of a torn log of ${effort.torn.events} events`, () => recovery(ground, effort)],
    ["a list of many sessions", () => listing(ground, effort)],
    ["append", () => appending(ground, effort)],
    ["steps of a long conversation", () => stepsOfLength(ground, effort)],
    ["a checkpoint of a long conversation, and its ledger", () => checkpoints(ground, effort)],
    ["what a request for a summary costs", () => summaryCosts(effort)],
    ["the terminal's start", () => terminalStart(ground, effort)],
    ["a long session resumed", () => resuming(ground, effort)],
    ["a very long log on the terminal", () => longOnTerminal(ground, effort)],
    ["keys", () => echoes(ground, effort)],
    ["keys while an answer streams", () => streaming(ground, effort)],
    ["frames while an answer streams", () => frameTimes(ground, effort)],
    ["an answer at once", () => atOnce(ground, effort)],
    ["an answer over a while", () => steadily(ground, effort)],
    ["idling", () => idling(ground, effort)],
  ];
  try {
    const figures: Figure[] = [];
    for (const [what, take] of sections.filter(([name]) => only === undefined || name.includes(only))) {
      say(what);
      figures.push(...(await take()));
    }
    return figures;
  } finally {
    await model.close();
  }
}
