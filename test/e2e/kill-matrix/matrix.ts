/** The whole matrix: a few points at a time, and what came of them, by category. */
import type { FrontName } from "./front.ts";
import type { Profile } from "./plan.ts";
import { type Point, pointName } from "./points.ts";
import { carryOut, type Outcome } from "./run.ts";

/** Two cores are busy with that many programs, which mostly wait. */
export const AT_ONCE = 4;

export interface Judged {
  readonly point: Point;
  readonly outcome: Outcome;
}

/** A whole run of each front that nobody kills, with all its calls counted. Throws when even that is not in order. */
export async function learnProfile(): Promise<Profile> {
  const [stream, print] = await Promise.all([learn("stream"), learn("print")]);
  return { stream, print };
}

async function learn(front: FrontName): Promise<Profile[FrontName]> {
  const { parts, problems } = await carryOut(
    { category: "none", front, triggers: [] },
    { traced: process.platform === "linux" },
  );
  const [part] = parts;
  if (!part || problems.length > 0) throw new Error(`the task fails by itself: ${problems.join("; ")}`);
  return part.seen;
}

export async function runMatrix(
  points: readonly Point[],
  onDone?: (judged: Judged) => void,
): Promise<readonly Judged[]> {
  const done: Judged[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let point = points[next++]; point; point = points[next++]) {
      const judged = { point, outcome: await carryOut(point) };
      done.push(judged);
      onDone?.(judged);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return done;
}

export interface Row {
  readonly category: string;
  readonly tasks: number;
  /** Ordered, and those that came where they were to come. */
  readonly kills: number;
  readonly met: number;
  /** Runs that went on with a session that had been killed. */
  readonly resumed: number;
  /** Tasks that came to their end. */
  readonly finished: number;
  readonly refused: number;
  readonly orphans: number;
  readonly missingLines: number;
  readonly violations: number;
}

export function rowsOf(all: readonly Judged[]): readonly Row[] {
  const categories = [...new Set(all.map(({ point }) => point.category))];
  const sum = (of: readonly Judged[], count: (judged: Judged) => number) =>
    of.reduce((total, one) => total + count(one), 0);
  const rowOf = (category: string, of: readonly Judged[]): Row => ({
    category,
    tasks: of.length,
    kills: sum(of, ({ point }) => point.triggers.length),
    met: sum(of, ({ outcome }) => outcome.parts.filter(({ isMet }) => isMet).length),
    resumed: sum(of, ({ outcome }) => outcome.parts.length - 1),
    finished: sum(of, ({ outcome }) => Number(outcome.isFinished)),
    refused: sum(of, ({ outcome }) => outcome.refused),
    orphans: sum(of, ({ outcome }) => outcome.orphans),
    missingLines: sum(of, ({ outcome }) => outcome.missingLines),
    violations: sum(of, ({ outcome }) => outcome.problems.length),
  });
  return [
    ...categories.map((category) =>
      rowOf(
        category,
        all.filter(({ point }) => point.category === category),
      ),
    ),
    rowOf("all", all),
  ];
}

export function tableOf(rows: readonly Row[]): string {
  const heads = [
    "category",
    "tasks",
    "kills",
    "met",
    "resumed",
    "finished",
    "refused",
    "orphans",
    "lines missing",
    "violations",
  ];
  const cells = rows.map((row) => Object.values(row).map(String));
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const written = [heads, ...cells].map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
  );
  return written.join("\n");
}

/** What went wrong, and how to see it again. */
export const complaintsOf = (all: readonly Judged[]): readonly string[] =>
  all.flatMap(({ point, outcome }) =>
    outcome.problems.map(
      (problem) => `${problem}\n    scripts/bun scripts/kill-matrix.ts --only '${pointName(point)}'`,
    ),
  );
