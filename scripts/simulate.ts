/**
 * Simulates many sessions: `scripts/bun scripts/simulate.ts [--from SEED] [--to SEED] [--steps N] [--jobs N]`. Prints what happened
 * how often, and for each violation its seed and the command that plays it again. Exit code 1 when there was one.
 */
import { parseArgs } from "node:util";
import { type Course, simulate } from "../test/sim/simulation.ts";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    to: { type: "string", default: "100" },
    steps: { type: "string", default: "600" },
    /** Processes beside each other. */
    jobs: { type: "string", default: "1" },
    /** Prints sums for a program to read, and nothing else. */
    json: { type: "boolean", default: false },
  },
});

interface Sums {
  steps: number;
  events: number;
  lives: number;
  seeds: number;
  violations: string[];
  happened: Record<string, number>;
}

const from = wholeNumber(values.from);
const to = wholeNumber(values.to);
const steps = wholeNumber(values.steps);
const jobs = wholeNumber(values.jobs);

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  console.error(`"${text}" is no whole number from 1 on. See the head of scripts/simulate.ts.`);
  process.exit(2);
}

const none = (): Sums => ({ steps: 0, events: 0, lives: 0, seeds: 0, violations: [], happened: {} });

function add(sums: Sums, course: Course): void {
  sums.steps += course.steps;
  sums.events += course.events;
  sums.lives += course.lives;
  for (const [what, times] of course.happened) sums.happened[what] = (sums.happened[what] ?? 0) + times;
}

async function inThisProcess(first: number, last: number, each: number): Promise<Sums> {
  const sums = none();
  for (let seed = first; seed <= last; seed++) {
    sums.seeds++;
    try {
      add(sums, await simulate({ seed, steps: each }));
    } catch (error) {
      const again = `scripts/bun scripts/simulate.ts --from ${seed} --to ${seed} --steps ${each}`;
      sums.violations.push(`${error instanceof Error ? error.message : error}\n  again: ${again}`);
      if (!values.json) console.error(sums.violations.at(-1));
    }
  }
  return sums;
}

/** The seeds in as many runs as there are processes, each a program of its own. */
async function inManyProcesses(first: number, last: number, each: number, count: number): Promise<Sums> {
  const share = Math.ceil((last - first + 1) / count);
  const runs = Array.from({ length: count }, async (_, at) => {
    const [begin, end] = [first + at * share, Math.min(last, first + (at + 1) * share - 1)];
    if (begin > end) return none();
    const range = ["--from", `${begin}`, "--to", `${end}`, "--steps", `${each}`];
    const child = Bun.spawn([process.execPath, import.meta.path, ...range, "--json"], { stderr: "inherit" });
    const text = await new Response(child.stdout).text();
    if (text.trim() === "")
      throw new Error(`the process for the seeds ${begin} to ${end} ended with ${await child.exited}`);
    return JSON.parse(text) as Sums; // written by this very file
  });
  const all = none();
  for (const sums of await Promise.all(runs)) {
    all.steps += sums.steps;
    all.events += sums.events;
    all.lives += sums.lives;
    all.seeds += sums.seeds;
    all.violations.push(...sums.violations);
    for (const [what, times] of Object.entries(sums.happened)) all.happened[what] = (all.happened[what] ?? 0) + times;
  }
  return all;
}

const run = jobs === 1 ? inThisProcess(from, to, steps) : inManyProcesses(from, to, steps, jobs);
const sums = await run;
if (values.json) console.log(JSON.stringify(sums));
else report(sums);
process.exit(!values.json && sums.violations.length > 0 ? 1 : 0);

function report({ steps: done, events, lives, seeds, violations, happened }: Sums): void {
  for (const [what, times] of Object.entries(happened).sort()) console.log(`${String(times).padStart(9)}  ${what}`);
  console.log(`${seeds} seeds from ${from}: ${done} steps, ${events} events, ${lives} processes`);
  if (jobs > 1) for (const violation of violations) console.log(violation);
  console.log(`${violations.length} violations`);
}
