/** A small project whose check really fails or passes, the model's moves in it, and how tests look at the gate. */
import { type RunResult, watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import type { Flags } from "../../src/cli/settings.ts";
import { type ScriptedTurn, sequence } from "../../src/simulator/index.ts";
import { type Driven, edit, inHouse, read, say, turn } from "./driving.ts";

export const WRONG = "add() { echo $(($1 - $2)); }\n";
export const CHECK = `. ./add.sh
if [ "$(add 2 3)" = 5 ]; then echo "1 passed, 0 failed"; else echo "got $(add 2 3)"; echo "0 passed, 1 failed"; exit 3; fi
`;
export const FILES = { "add.sh": WRONG, "test.sh": CHECK, "README.md": "# add\n" };

export const look = turn(read("add.sh"));
export const repair = turn(edit("add.sh", "$1 - $2", "$1 + $2"));
export const worsen = turn(edit("add.sh", "$1 - $2", "$1 * $2"));
export const repairWorse = turn(edit("add.sh", "$1 * $2", "$1 + $2"));
export const done = say("Done.");

/** A headless run, with its result as scripts are told it. */
export async function run(house: Driven, prompt = "fix add"): Promise<RunResult> {
  const watch = watchRun(house.engine.session, () => 0);
  return watch.finish(await runHeadless(house.engine, { prompt, onEvent: watch.onEvent }));
}

/** What the gate did, and when. */
export const gate = (house: Driven): readonly string[] =>
  house.events.flatMap(({ type, payload }) => {
    if (type === "task.verification-requested") return [`withheld ${payload.attempt}`];
    if (type === "verify.result") return [`${payload.observedFrom} ${payload.command}: ${payload.exitCode}`];
    if (type === "task.completed") return ["completed"];
    return type === "user.message-created" && payload.by === "kernel" ? ["nudge"] : [];
  });

export const inProject = (
  turns: readonly ScriptedTurn[],
  then: (house: Driven) => Promise<void>,
  setup: { readonly flags?: Flags; readonly files?: Record<string, string>; readonly somebodyToAsk?: boolean } = {},
): Promise<void> => inHouse({ script: sequence(turns), files: FILES, ...setup }, then);
