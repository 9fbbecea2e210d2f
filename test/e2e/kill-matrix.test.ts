/**
 * A bounded part of the kill matrix (`scripts/kill-matrix.ts` runs all of it): one task with everything in it, killed at about
 * forty places of all categories, also inside a recovery and between two system calls, and resumed to its end each time.
 */
import { beforeAll, expect, test } from "bun:test";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { complaintsOf, type Judged, learnProfile, type Row, rowsOf, runMatrix } from "./kill-matrix/matrix.ts";
import { CATEGORIES, type Profile, planMatrix } from "./kill-matrix/plan.ts";

const KILLS = 40;
const SEED = 6;
/** On a machine that has other things to do. */
const TIMEOUT_MS = 300_000;

let profile: Profile;
let done: readonly Judged[];
let rows: readonly Row[];

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

beforeAll(async () => {
  profile = await learnProfile();
  done = await runMatrix(planMatrix(profile, KILLS, SEED));
  rows = rowsOf(done);
}, TIMEOUT_MS);

test("nothing is refused, left behind, lost or done twice, and every task comes to its end", () => {
  expect(complaintsOf(done)).toEqual([]);
  const { tasks, finished, refused, orphans, missingLines } = rows.at(-1) ?? {};
  expect({ finished, refused, orphans, missingLines }).toEqual({
    finished: tasks,
    refused: 0,
    orphans: 0,
    missingLines: 0,
  });
});

/** Between two system calls nobody can kill who may not trace; then those categories are empty. */
const isTraced = () => Object.keys(profile.stream.window).length > 0;

test.each(CATEGORIES)("killed where it was to be: %s", (category) => {
  const row = rows.find((one) => one.category === category);
  if (row === undefined) expect(isTraced()).toBe(false);
  else expect(row.met).toBeGreaterThan(0);
});
