/** What long logs and many of them cost: recovery of one that was torn, and the list of a thousand, with and without its caches. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Effort } from "./effort.ts";
import type { Ground } from "./ground.ts";
import { makeLog } from "./make-log.ts";
import { openBenchStore } from "./programs/probe-store.ts";
import type { Timed } from "./programs/timed.ts";
import { type Pair, pairs, runTimed } from "./run.ts";
import type { Aim, Figure } from "./table.ts";

const MEGABYTE = 1e6;
/** As for a replay. */
const RISE: Aim = { most: 60 };
const SESSIONS = 1_000;
/** Lines of each: some 120 KB. */
const EVENTS = 300;
/** Of a log and what stands beside it. */
const LISTED_BYTES: Aim = { most: 4 * 1024 };

/** A tail is torn off anew for each round, for every recovery puts it aside. */
export async function recovery(ground: Ground, { torn }: Effort): Promise<readonly Figure[]> {
  const home = ground.fresh("home");
  const { id, path } = await makeLog(home, torn.events);
  const name = `recovery of ${torn.events / 1000}K events (${(statSync(path).size / MEGABYTE).toFixed(1)} MB), torn`;
  const seen = await pairs(
    torn.rounds,
    () => runTimed(ground, [ground.program("floor-parse"), path]),
    () => runTimed(ground, [ground.program("probe-recover"), home, id]),
  );
  rmSync(home, { recursive: true });
  return figuresOf(seen, name, RISE);
}

export async function listing(ground: Ground, { works }: Effort): Promise<readonly Figure[]> {
  const home = ground.fresh("home");
  const folder = await manySessions(home);
  const list = () => runTimed(ground, [ground.program("probe-list"), home]);
  const forget = () => {
    for (const name of readdirSync(folder)) if (name.endsWith(".meta.json")) rmSync(join(folder, name));
  };
  const unknown: Timed[] = [];
  for (let round = 0; round < Math.ceil(works / 2); round++) {
    forget();
    unknown.push(await list());
  }
  await openBenchStore(home).list();
  const known = await pairs(works, () => runTimed(ground, [ground.program("floor-list"), folder]), list);
  rmSync(home, { recursive: true });
  const nothing = { floor: [], product: unknown };
  return [
    ...figuresOf(known, `list of ${SESSIONS} sessions`, RISE),
    { ...readOf(known, `list of ${SESSIONS} sessions, read of each`), aim: LISTED_BYTES },
    ...figuresOf(nothing, `list of ${SESSIONS} of which nothing is known yet`),
    readOf(nothing, `list of ${SESSIONS} of which nothing is known yet, read of each`),
  ];
}

/** One log under a thousand names, each of them its own in every line. Gives their folder. */
async function manySessions(home: string): Promise<string> {
  const made = contentOf(await makeLog(`${home}-made`, EVENTS));
  const folder = made.folder.replace(`${home}-made`, home);
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < SESSIONS; at++) {
    const id = `${made.id.slice(0, -4)}${String(at).padStart(4, "0")}`;
    appendFileSync(join(folder, `${id}.jsonl`), made.text.replaceAll(made.id, id), { mode: 0o600 });
  }
  rmSync(`${home}-made`, { recursive: true });
  return folder;
}

const contentOf = ({ id, path }: { readonly id: string; readonly path: string }) => ({
  id,
  folder: dirname(path),
  text: readFileSync(path, "utf8"),
});

function figuresOf(seen: Pair<Timed>, name: string, aim?: Aim): readonly Figure[] {
  const of = (take: (timed: Timed) => number) => ({ floor: seen.floor.map(take), product: seen.product.map(take) });
  const risen = (all: readonly Timed[]) =>
    all.flatMap(({ risenBytes }) => (risenBytes === undefined ? [] : [risenBytes / MEGABYTE]));
  const [floor, product] = [risen(seen.floor), risen(seen.product)];
  const rise: Figure = { name: `${name}, memory over the start`, unit: "MB", floor, product, ...(aim && { aim }) };
  return [
    { name: `${name}, wall`, unit: "ms", ...of(({ wallMs }) => wallMs) },
    { name: `${name}, CPU`, unit: "ms", ...of(({ cpuMs }) => cpuMs) },
    product.length > 0 ? rise : { ...rise, unmeasured: UNTOLD },
  ];
}

const UNTOLD = "this system has no /proc to tell it";

function readOf({ floor, product }: Pair<Timed>, name: string): Figure {
  const each = (all: readonly Timed[]) =>
    all.flatMap(({ readBytes, units }) => (readBytes === undefined ? [] : [readBytes / units]));
  const figure: Figure = { name, unit: "bytes", floor: each(floor), product: each(product) };
  return figure.product.length > 0 ? figure : { ...figure, unmeasured: UNTOLD };
}
