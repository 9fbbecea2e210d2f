/** What needs no model: the program's size and start, a call's gate and record, replaying and writing a log. */
import { rmSync, statSync } from "node:fs";
import type { Effort } from "./effort.ts";
import type { Ground, Program } from "./ground.ts";
import { makeLog } from "./make-log.ts";
import type { Timed } from "./programs/timed.ts";
import { type Pair, pairs, type Ran, run, runTimed } from "./run.ts";
import type { Aim, Figure, Unit } from "./table.ts";

const RATIO = { ratio: 1.5 } as const;
const MEGABYTE = 1e6;
const REPLAY_RISE_MB = 60;
const CALL_MS = 5;

export async function starting(ground: Ground, { starts }: Effort): Promise<readonly Figure[]> {
  const size = (name: Program): number => statSync(ground.program(name)).size / MEGABYTE;
  const started = await pairs(
    starts,
    () => run(ground, [ground.program("floor-hello")]),
    () => run(ground, [ground.program("khaelor"), "--version"]),
  );
  const of = (name: string, take: (ran: Ran) => number): Figure => ({
    name,
    unit: "ms",
    floor: started.floor.map(take),
    product: started.product.map(take),
    aim: RATIO,
  });
  return [
    { name: "the program's size", unit: "MB", floor: [size("floor-hello")], product: [size("khaelor")] },
    of("--version, wall", ({ wallMs }) => wallMs),
    of("--version, CPU", ({ cpuMs }) => cpuMs),
  ];
}

export async function calls(ground: Ground, { works, calls: count }: Effort): Promise<readonly Figure[]> {
  const taken = (kind: "reads" | "acts") =>
    both(ground, works, {
      floor: () => ["floor-record", ground.fresh("lines"), String(count), kind],
      product: () => ["probe-calls", ground.fresh("home"), String(count), kind],
    });
  const aim: Aim = { most: CALL_MS };
  const [reads, acts] = [await taken("reads"), await taken("acts")];
  return [
    { ...perUnit(reads, "gate and record, a call that reads", "ms"), aim },
    { ...perUnit(acts, "gate and record, a call that acts", "ms"), aim },
  ];
}

export async function replay(
  ground: Ground,
  { events, rounds }: Effort["replays"][number],
): Promise<readonly Figure[]> {
  const home = ground.fresh("home");
  const { id, path } = await makeLog(home, events);
  const megabytes = statSync(path).size / MEGABYTE;
  const replayed = await both(ground, rounds, {
    floor: () => ["floor-parse", path],
    product: () => ["probe-replay", home, id],
  });
  const checked = await pairs(
    Math.ceil(rounds / 2),
    () => run(ground, [ground.program("floor-parse"), path]),
    () => run(ground, [ground.program("khaelor"), "fsck", path]),
  );
  rmSync(home, { recursive: true });
  const name = `replay of ${events / 1000}K events (${megabytes.toFixed(1)} MB)`;
  return [
    { ...figure(replayed, `${name}, wall`, "ms", ({ wallMs }) => wallMs), aim: RATIO },
    { ...figure(replayed, `${name}, CPU`, "ms", ({ cpuMs }) => cpuMs), aim: RATIO },
    { ...rise(replayed, `${name}, memory over the start`), aim: { most: REPLAY_RISE_MB } },
    {
      name: `fsck of ${events / 1000}K events, whole program`,
      unit: "ms",
      floor: checked.floor.map(({ wallMs }) => wallMs),
      product: checked.product.map(({ wallMs }) => wallMs),
    },
  ];
}

export async function appending(ground: Ground, { works }: Effort): Promise<readonly Figure[]> {
  const home = ground.fresh("home");
  const { path } = await makeLog(home, 10_000);
  const appended = await both(ground, works, {
    floor: () => ["floor-append", path, ground.fresh("lines")],
    product: () => ["probe-append", path, ground.fresh("home")],
  });
  return [perUnit(appended, "append of one event", "µs")];
}

interface Commands {
  readonly floor: () => readonly [Program, ...string[]];
  readonly product: () => readonly [Program, ...string[]];
}

function both(ground: Ground, rounds: number, { floor, product }: Commands): Promise<Pair<Timed>> {
  const timed = (command: () => readonly [Program, ...string[]]) => () => {
    const [program, ...rest] = command();
    return runTimed(ground, [ground.program(program), ...rest]);
  };
  return pairs(rounds, timed(floor), timed(product));
}

const figure = (seen: Pair<Timed>, name: string, unit: Unit, take: (timed: Timed) => number): Figure => ({
  name,
  unit,
  floor: seen.floor.map(take),
  product: seen.product.map(take),
});

const perUnit = (seen: Pair<Timed>, name: string, unit: "ms" | "µs"): Figure =>
  figure(seen, name, unit, ({ wallMs, units }) => (wallMs / units) * (unit === "µs" ? 1000 : 1));

function rise({ floor, product }: Pair<Timed>, name: string): Figure {
  const known = (all: readonly Timed[]) =>
    all.flatMap(({ risenBytes }) => (risenBytes === undefined ? [] : [risenBytes / MEGABYTE]));
  const ours = known(product);
  const unmeasured = ours.length === 0 ? { unmeasured: "this system has no /proc to tell it" } : {};
  return { name, unit: "MB", floor: known(floor), product: ours, ...unmeasured };
}
