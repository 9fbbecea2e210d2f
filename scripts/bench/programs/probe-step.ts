/**
 * What one step of a session under way costs by the length of its conversation: a short and a long one are gone on with by turns,
 * around their length. Prints a line of JSON for the bench.
 */
import { modelFacts, requestBody } from "../../../src/anthropic/index.ts";
import { median } from "../table.ts";
import { type LongTask, openTask, type StepCost } from "./long-task.ts";
import { openBenchStore } from "./probe-store.ts";

/** Medians over the steps, in milliseconds. */
export interface StepSide extends StepCost {
  readonly whole: number;
  /** The request's body made and written as JSON: all of it is sent each time. */
  readonly body: number;
  /** Estimated, of the last request. */
  readonly tokens: number;
}

export interface StepSides {
  readonly short: StepSide;
  readonly long: StepSide;
}

const BODIES = 5;

const [, , home = "", short = "100", long = "1000", steps = "40"] = process.argv;
const count = Number(steps);
const store = openBenchStore(home);
// A step is two messages, so that half of the steps are taken before the length is reached. Making the long one warms up.
const tasks = [await openTask(store, Number(long) - count), await openTask(store, Number(short) - count)] as const;
const taken = tasks.map((): StepCost[] => []);
Bun.gc(true);
for (let step = 0; step < count; step++) {
  for (const [at, task] of tasks.entries()) taken[at]?.push(task.step());
}
const [longer, shorter] = tasks.map((task, at) => sideOf(task, taken[at] ?? []));
console.log(JSON.stringify({ short: shorter, long: longer }));
for (const { session } of tasks) await session.close();

function sideOf({ context, session }: LongTask, costs: readonly StepCost[]): StepSide {
  const of = (take: (cost: StepCost) => number): number => median(costs.map(take)) ?? 0;
  const { request, record } = context.selectContext(session.state());
  const bodies = Array.from({ length: BODIES }, () => {
    const begun = performance.now();
    JSON.stringify(requestBody(request, modelFacts(request.model)));
    return performance.now() - begun;
  });
  return {
    whole: of(({ record, room, build }) => record + room + build),
    record: of(({ record }) => record),
    room: of(({ room }) => room),
    build: of(({ build }) => build),
    body: median(bodies) ?? 0,
    tokens: record.contextStats.estimatedInputTokens,
  };
}
