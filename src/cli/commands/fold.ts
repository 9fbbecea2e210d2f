/** `khaelor fold`: what a fold says of a session, for looking into the engine or for a script. */
import { factsWith, modelFacts } from "../../anthropic/index.ts";
import { metaOf, namedFolds } from "../../session/index.ts";
import { EXIT, type ExitCode, nearest, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { loadFor } from "../configuration.ts";
import { FOLD_VIEWS, type FoldView, type ViewParts } from "../fold-views.ts";
import { type Here, logNamed, openHere } from "../here.ts";
import { readModelsCache } from "../models-cache.ts";
import type { Output } from "../output.ts";
import { forkSource } from "../session-choice.ts";

export async function fold(typed: Arguments, output: Output): Promise<ExitCode> {
  const [name = "", target = "", ...more] = typed.operands;
  if (more.length > 0) throw new UserError("One session at a time: khaelor fold NAME [ID[@SEQ]].", EXIT.usage);
  const here = await openHere(typed);
  const { store, project, price } = here;
  const chosen = foldNamed(name, { price, facts: await factsFor(here) });
  const { id, seq = Number.POSITIVE_INFINITY } = target.endsWith(".jsonl") ? { id: target } : forkSource(target);
  const log = await logNamed(store, id, project);
  let problem: string | undefined;
  for await (const line of store.lines(log)) {
    if ("problem" in line) {
      if (!line.torn) problem = `line ${line.number} cannot be read: ${line.problem}; this is what comes before it`;
      break;
    }
    if (line.event.seq > seq) break;
    chosen.apply(line.event);
  }
  if (typed.json) output.out(`${JSON.stringify(chosen.shown(), plain)}\n`);
  else output.show(`${JSON.stringify(chosen.shown(), plain, 2)}\n`);
  if (problem === undefined) return EXIT.done;
  output.err(`khaelor: ${problem}\n`);
  return EXIT.log;
}

function foldNamed(name: string, parts: ViewParts): FoldView {
  const folds = new Map(namedFolds(parts.price).map((one) => [one.name, one]));
  const found = folds.get(name);
  if (found) return stateOf(found);
  if (Object.hasOwn(FOLD_VIEWS, name)) {
    const view = FOLD_VIEWS[name]?.(parts);
    if (view) return view;
  }
  const names = [...Object.keys(FOLD_VIEWS), ...folds.keys()];
  const guess = name === "" ? undefined : nearest(name, names);
  const problem = name === "" ? "Name a fold." : `There is no fold ${name}${guess ? `; did you mean ${guess}?` : "."}`;
  throw new UserError(`${problem} Folds: ${names.join(", ")}.`, EXIT.usage);
}

/** The state as it is. Only the meta's fold has more in it than its readers are to see. */
function stateOf(fold: ReturnType<typeof namedFolds>[number]): FoldView {
  let state = fold.initial();
  return {
    apply(event) {
      state = fold.apply(state, event);
    },
    shown: () => (fold.name === "session-meta" ? metaOf(state as Parameters<typeof metaOf>[0]) : state),
  };
}

/**
 * As the list of models says that was asked for last at the address of a session here, or the table; what neither knows is not
 * known, and nothing is where a configuration that has to be repaired hides the address.
 */
async function factsFor({ places, root }: Here): Promise<ViewParts["facts"]> {
  const loaded = await loadFor({ places, env: process.env, flags: {} }, root);
  if (!loaded.ok) return () => undefined;
  const facts = factsWith(readModelsCache(places.home, loaded.value.config.baseUrl)?.models ?? []);
  const unknown = modelFacts("");
  return (model) => {
    const found = facts(model);
    return found === unknown ? undefined : found;
  };
}

/** Maps and sets as JSON has them. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
}
