/**
 * The slash commands that need no screen, for a program that is the front. What they change is told by its events; what they
 * refuse, in words.
 */
import type { CompactionOutcome } from "../../agent/index.ts";
import { UserError } from "../../shared/index.ts";
import type { Engine } from "../engine.ts";
import { switchModel } from "../model-switch.ts";
import { MODES_AT_HAND } from "../permission-control.ts";
import { validTitle } from "../session-choice.ts";
import { readBudget } from "./budget-words.ts";
import { firstWord } from "./define.ts";

type OnCompaction = (outcome: CompactionOutcome) => void;

/** Returns why nothing was done. */
type HeadlessRun = (
  engine: Engine,
  args: string,
  onCompaction: OnCompaction,
) => string | undefined | Promise<string | undefined>;

const RUNS = {
  model: (engine, args) => (args === "" ? "say which: an id" : changed(engine, { model: args })),
  effort: (engine, args) => (args === "" ? "say which: a level of the model" : changed(engine, { effort: args })),
  budget,
  compact,
  permissions: changeMode,
  rename,
  stop,
} as const satisfies Readonly<Record<string, HeadlessRun>>;

type HeadlessName = keyof typeof RUNS;

const isHeadless = (name: string): name is HeadlessName => Object.hasOwn(RUNS, name);

/** Undefined when the command can be run here. */
export function whyNotHeadless(name: string): string | undefined {
  if (isHeadless(name)) return undefined;
  const shown = JSON.stringify(name.slice(0, 60));
  return `there is no command ${shown} without a screen; there are ${Object.keys(RUNS).join(", ")}`;
}

/** Goes on while other lines are read, for one of them may stop it. */
export const takesTime = (name: string): boolean => name === "compact";

/** Returns in words why nothing was done, and undefined when it was. Throws StoreError. */
export async function runHeadless(
  engine: Engine,
  name: string,
  args: string,
  onCompaction: OnCompaction = () => undefined,
): Promise<string | undefined> {
  if (!isHeadless(name)) return whyNotHeadless(name);
  const problem = await RUNS[name](engine, args.trim(), onCompaction);
  return problem === undefined ? undefined : `${name}: ${problem}`;
}

function changed(engine: Engine, wish: Parameters<typeof switchModel>[1]): string | undefined {
  const done = switchModel(engine, wish);
  return done.ok ? undefined : done.error;
}

async function budget(engine: Engine, args: string): Promise<string | undefined> {
  const wish = readBudget(args);
  if (!wish.ok) return wish.error;
  const { scope, usd } = wish.value;
  if (scope === undefined || usd === undefined) return "say which: turn, session or day, and US dollars or off";
  const done = await engine.budget.set(scope, usd);
  if (!done.ok) return done.error;
  if (done.value.mayGoOn) engine.agent.resume();
  return undefined;
}

/** By the configured route, for nobody is asked. */
async function compact({ agent }: Engine, focus: string, onCompaction: OnCompaction): Promise<string | undefined> {
  const done = await agent.compact(focus === "" ? {} : { focus });
  onCompaction(done);
  return done.ok ? undefined : done.error.message;
}

function changeMode({ permissions }: Engine, args: string): string | undefined {
  const [verb, rest] = firstWord(args);
  const mode = MODES_AT_HAND.find((known) => known === rest);
  if (verb !== "mode" || mode === undefined)
    return `only "mode M" is known here, with M one of ${MODES_AT_HAND.join(", ")}`;
  permissions.setMode(mode);
  return undefined;
}

function rename({ session }: Engine, args: string): string | undefined {
  try {
    session.publish({ type: "session.renamed", payload: { title: validTitle(args) } });
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

async function stop({ session, stopProcess }: Engine, args: string): Promise<string | undefined> {
  const live = session.state().processes.live.map(({ processId }) => processId);
  const ids = args === "all" ? live : live.filter((id) => id === args);
  if (ids.length === 0)
    return `no process ${JSON.stringify(args)} runs${live.length > 0 ? `; these do: ${live.join(", ")}` : ""}`;
  await Promise.all(ids.map((id) => stopProcess(id)));
  return undefined;
}
