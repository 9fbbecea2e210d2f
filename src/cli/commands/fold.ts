/** `khaelor fold`: what a fold says of a session, for looking into the engine or for a script. */
import { metaOf, namedFolds, type Price } from "../../session/index.ts";
import { EXIT, type ExitCode, nearest, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { logNamed, openHere } from "../here.ts";
import type { Output } from "../output.ts";
import { forkSource } from "../session-choice.ts";

export async function fold(typed: Arguments, output: Output): Promise<ExitCode> {
  const [name = "", target = "", ...more] = typed.operands;
  if (more.length > 0) throw new UserError("One session at a time: khaelor fold NAME [ID[@SEQ]].", EXIT.usage);
  const { store, project, price } = await openHere(typed);
  const chosen = foldNamed(name, price);
  const { id, seq = Number.POSITIVE_INFINITY } = target.endsWith(".jsonl") ? { id: target } : forkSource(target);
  const log = await logNamed(store, id, project);
  let state = chosen.initial();
  let problem: string | undefined;
  for await (const line of store.lines(log)) {
    if ("problem" in line) {
      if (!line.torn) problem = `line ${line.number} cannot be read: ${line.problem}; this is what comes before it`;
      break;
    }
    if (line.event.seq > seq) break;
    state = chosen.apply(state, line.event);
  }
  // Only the meta's fold has more in it than its readers are to see.
  const shown = chosen.name === "session-meta" ? metaOf(state as Parameters<typeof metaOf>[0]) : state;
  if (typed.json) output.out(`${JSON.stringify(shown, plain)}\n`);
  else output.show(`${JSON.stringify(shown, plain, 2)}\n`);
  if (problem === undefined) return EXIT.done;
  output.err(`khaelor: ${problem}\n`);
  return EXIT.log;
}

function foldNamed(name: string, price: Price) {
  const all = namedFolds(price);
  const names = all.map((one) => one.name);
  const found = all.find((one) => one.name === name);
  if (found) return found;
  const guess = name === "" ? undefined : nearest(name, names);
  const problem = name === "" ? "Name a fold." : `There is no fold ${name}${guess ? `; did you mean ${guess}?` : "."}`;
  throw new UserError(`${problem} Folds: ${names.join(", ")}.`, EXIT.usage);
}

/** Maps and sets as JSON has them. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
}
