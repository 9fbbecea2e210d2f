/** What a soak has seen at rest, as data: whether anything grows, is left behind or goes on, and the table of it. Measures nothing. */

export interface Rest {
  /** Since the start. */
  readonly minutes: number;
  /** Rounds of work until then. */
  readonly rounds: number;
  readonly rssMb: number;
  readonly threads: number;
  readonly descriptors: number;
  readonly children: number;
  /** While it was at rest. */
  readonly bytesWritten: number;
  readonly wakeUpsPerSecond: number;
  readonly cpuMsPerSecond: number;
}

export interface Bounds {
  /** The first minutes do not count: code is compiled, caches are filled. */
  readonly warmUpMinutes: number;
  /** Of the median of the last third over that of the first, after warm-up. */
  readonly growthMb: number;
  /** More than the fewest there ever were, after warm-up. */
  readonly leftOver: number;
  /** The runtime alone wakes a program that does nothing some ten times a second, for half a minute. */
  readonly wakeUpsPerSecond: number;
}

export const BOUNDS: Bounds = { warmUpMinutes: 5, growthMb: 8, leftOver: 2, wakeUpsPerSecond: 20 };

/** In words, one for each thing that is not as it has to be. */
export function complaints(rests: readonly Rest[], bounds: Bounds): readonly string[] {
  const counted = rests.filter(({ minutes }) => minutes >= bounds.warmUpMinutes);
  if (counted.length < 3) return ["the soak was too short for a verdict: fewer than three looks after warm-up"];
  const growth = growthOf(counted);
  return [
    ...(growth > bounds.growthMb ? [`memory grew by ${growth.toFixed(1)} MB after warm-up`] : []),
    ...(["threads", "descriptors", "children"] as const).flatMap((what) => {
      const counts = counted.map((rest) => rest[what]);
      const more = (counts.at(-1) ?? 0) - Math.min(...counts);
      return more > bounds.leftOver ? [`${more} ${what} were left over at the end`] : [];
    }),
    ...counted.flatMap(({ minutes, bytesWritten, wakeUpsPerSecond }) => [
      ...(bytesWritten > 0 ? [`minute ${minutes.toFixed(1)}: ${bytesWritten} bytes were written at rest`] : []),
      ...(wakeUpsPerSecond > bounds.wakeUpsPerSecond
        ? [`minute ${minutes.toFixed(1)}: woken ${wakeUpsPerSecond.toFixed(0)} times a second at rest`]
        : []),
    ]),
  ];
}

/** Of the last third over the first. */
export function growthOf(rests: readonly Rest[]): number {
  const third = Math.max(1, Math.floor(rests.length / 3));
  const memory = rests.map(({ rssMb }) => rssMb);
  return median(memory.slice(-third)) - median(memory.slice(0, third));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
}

const COLUMNS: readonly (readonly [heading: string, cell: (rest: Rest) => string])[] = [
  ["minute", ({ minutes }) => minutes.toFixed(1)],
  ["rounds", ({ rounds }) => String(rounds)],
  ["memory", ({ rssMb }) => `${rssMb.toFixed(1)} MB`],
  ["threads", ({ threads }) => String(threads)],
  ["descriptors", ({ descriptors }) => String(descriptors)],
  ["children", ({ children }) => String(children)],
  ["written", ({ bytesWritten }) => String(bytesWritten)],
  ["woken", ({ wakeUpsPerSecond }) => `${wakeUpsPerSecond.toFixed(1)} /s`],
  ["CPU", ({ cpuMsPerSecond }) => `${cpuMsPerSecond.toFixed(1)} ms/s`],
];

const WIDTH = 12;

export const HEADING: string = COLUMNS.map(([heading]) => heading.padStart(WIDTH)).join("");

export const rowOf = (rest: Rest): string => COLUMNS.map(([, cell]) => cell(rest).padStart(WIDTH)).join("");
