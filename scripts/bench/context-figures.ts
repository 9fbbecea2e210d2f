/** What a long conversation costs: each step by its length, the whole of it at once, and the request that sums it up. */
import type { Effort } from "./effort.ts";
import type { Ground } from "./ground.ts";
import { openTask } from "./programs/long-task.ts";
import type { StepSide, StepSides } from "./programs/probe-step.ts";
import { openBenchStore } from "./programs/probe-store.ts";
import type { Timed } from "./programs/timed.ts";
import { run, runTimed } from "./run.ts";
import { type Aim, type Figure, median } from "./table.ts";

const [SHORT, LONG] = [100, 1_000];
const STEPS = 40;

/** What a step may cost more when ten times as much stands before it. */
const NOT_GROWING: Aim = { ratio: 1.25 };

const MEGABYTE = 1e6;

/** A figure's floor is the same at 100 messages: both are gone on with by turns, in one process for each round. */
export async function stepsOfLength(ground: Ground, { works }: Effort): Promise<readonly Figure[]> {
  const rounds: StepSides[] = [];
  for (let round = 0; round < works; round++) {
    const command = [ground.program("probe-step"), ground.fresh("home"), String(SHORT), String(LONG), String(STEPS)];
    rounds.push(JSON.parse((await run(ground, command)).stdout) as StepSides);
  }
  const of = (name: string, take: (side: StepSide) => number): Figure => ({
    name: `a step at ${LONG} messages, beside one at ${SHORT}: ${name}`,
    unit: "µs",
    floor: rounds.map(({ short }) => take(short) * 1000),
    product: rounds.map(({ long }) => take(long) * 1000),
  });
  return [
    { ...of("all of it", ({ whole }) => whole), aim: NOT_GROWING },
    of("its events recorded and folded", ({ record }) => record),
    of("prune or compact?", ({ room }) => room),
    of("the request selected, hashed, weighed", ({ build }) => build),
    of("its body as JSON, which holds everything", ({ body }) => body),
    { ...of("tokens, estimated", ({ tokens }) => tokens / 1000), unit: "" },
    ...(await fromScratch(ground, works, median(rounds.map(({ long }) => long.whole)) ?? 0)),
  ];
}

/** Beside one step, to which it would come at each step without memory. */
async function fromScratch(ground: Ground, rounds: number, stepMs: number): Promise<readonly Figure[]> {
  const built = await ofWhole(ground, { kind: "build", rounds });
  const name = `${LONG} messages from scratch: log folded, request built`;
  return [{ name: `${name}, beside a step`, unit: "ms", floor: [stepMs], product: built.map(({ wallMs }) => wallMs) }];
}

export async function checkpoints(ground: Ground, { works: rounds }: Effort): Promise<readonly Figure[]> {
  const made = await ofWhole(ground, { kind: "compress", rounds });
  const ledger = await ofWhole(ground, { kind: "ledger", rounds });
  const name = `checkpoint of ${LONG} messages, no model asked`;
  const risen = made.flatMap(({ risenBytes }) => (risenBytes === undefined ? [] : [risenBytes / MEGABYTE]));
  const unmeasured = risen.length === 0 ? { unmeasured: "this system has no /proc to tell it" } : {};
  return [
    { name: `${name}, wall`, unit: "ms", floor: [], product: made.map(({ wallMs }) => wallMs), aim: { most: 100 } },
    { name: `${name}, CPU`, unit: "ms", floor: [], product: made.map(({ cpuMs }) => cpuMs) },
    { name: `${name}, memory over the start`, unit: "MB", floor: [], product: risen, ...unmeasured },
    {
      name: "cache ledger, an event folded",
      unit: "µs",
      floor: [],
      product: ledger.map(({ wallMs, units }) => (wallMs / units) * 1000),
    },
  ];
}

/** Each round in a process of its own; the log is made anew, for opening one writes into its folder. */
async function ofWhole(
  ground: Ground,
  { kind, rounds }: { readonly kind: "build" | "compress" | "ledger"; readonly rounds: number },
): Promise<readonly Timed[]> {
  const home = ground.fresh("home");
  const { session } = await openTask(openBenchStore(home), LONG);
  await session.close();
  const seen: Timed[] = [];
  for (let round = 0; round < rounds; round++) {
    seen.push(await runTimed(ground, [ground.program("probe-context"), home, session.id, kind]));
  }
  return seen;
}
