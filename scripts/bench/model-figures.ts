/** What a person waits for when a model is asked: one message, and a loop of many steps, beside the bare SDK. */
import type { Effort } from "./effort.ts";
import type { Ground } from "./ground.ts";
import type { Model, Visit } from "./model.ts";
import { type Pair, pairs } from "./run.ts";
import { type Figure, median, type Unit } from "./table.ts";

const RATIO = { ratio: 1.5 } as const;
const MEGABYTE = 1e6;
const LOOP_PEAK_MB = 90;
const FROZEN_BYTES = 12 * 1024;

export async function oneMessage(ground: Ground, model: Model, { starts }: Effort): Promise<readonly Figure[]> {
  const asked = await both(ground, model, { prompt: "hello", steps: 0, rounds: starts });
  const of = (name: string, unit: Unit, take: (visit: Visit) => number): Figure => figure(asked, name, unit, take);
  return [
    { ...of("-p hello, wall", "ms", ({ wallMs }) => wallMs), aim: RATIO },
    { ...of("-p hello, CPU", "ms", ({ cpuMs }) => cpuMs), aim: RATIO },
    of("-p hello, start to request", "ms", ({ firstRequestMs }) => firstRequestMs),
    peak(asked, "-p hello, peak memory"),
    of("first request, whole", "bytes", ({ requests }) => Buffer.byteLength(requests[0]?.raw ?? "")),
    {
      name: "first request, system and tools",
      unit: "bytes",
      floor: [],
      product: asked.product.map(frozenBytes),
      aim: { most: FROZEN_BYTES },
    },
  ];
}

export async function manySteps(ground: Ground, model: Model, { steps, loops }: Effort): Promise<readonly Figure[]> {
  const ran = await both(ground, model, { prompt: "work", steps, rounds: loops });
  const of = (name: string, unit: Unit, take: (visit: Visit) => number): Figure =>
    figure(ran, `${steps} steps, ${name}`, unit, take);
  const ends = Math.min(20, Math.floor(steps / 2));
  return [
    { ...of("overhead of one", "ms", ({ gapsMs }) => median(gapsMs) ?? 0), aim: RATIO },
    of("overhead, 95 %", "ms", ({ gapsMs }) => gapsMs.toSorted((a, b) => a - b)[Math.floor(steps * 0.95)] ?? 0),
    of(`overhead, first ${ends}`, "ms", ({ gapsMs }) => median(gapsMs.slice(0, ends)) ?? 0),
    of(`overhead, last ${ends}`, "ms", ({ gapsMs }) => median(gapsMs.slice(-ends)) ?? 0),
    of("wall", "ms", ({ wallMs }) => wallMs),
    of("CPU", "ms", ({ cpuMs }) => cpuMs),
    { ...peak(ran, `${steps} steps, peak memory`), aim: { most: LOOP_PEAK_MB } },
  ];
}

interface Course {
  readonly prompt: string;
  readonly steps: number;
  readonly rounds: number;
}

const both = (ground: Ground, model: Model, { prompt, steps, rounds }: Course): Promise<Pair<Visit>> =>
  pairs(
    rounds,
    () => model.visit([ground.program("floor-sdk"), prompt], steps),
    () => model.visit([ground.program("khaelor"), "-p", "--yolo", prompt], steps),
  );

const figure = (seen: Pair<Visit>, name: string, unit: Unit, take: (visit: Visit) => number): Figure => ({
  name,
  unit,
  floor: seen.floor.map(take),
  product: seen.product.map(take),
});

function peak({ floor, product }: Pair<Visit>, name: string): Figure {
  const known = (visits: readonly Visit[]) =>
    visits.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes / MEGABYTE]));
  const [below, ours] = [known(floor), known(product)];
  const unmeasured = ours.length === 0 ? { unmeasured: "this system has no /proc to tell it" } : {};
  return { name, unit: "MB", floor: below, product: ours, ...unmeasured };
}

/** The part of a request that stands before every message. */
function frozenBytes({ requests }: Visit): number {
  const { system = [], tools = [] } = (requests[0]?.body ?? {}) as {
    readonly system?: unknown;
    readonly tools?: unknown;
  };
  return Buffer.byteLength(JSON.stringify(system)) + Buffer.byteLength(JSON.stringify(tools));
}
