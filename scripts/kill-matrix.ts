/**
 * Kills the compiled program all over a task and resumes it, and fails when anything is lost, refused or left behind:
 * `scripts/bun scripts/kill-matrix.ts [--kills N] [--seed S] [--only POINT]`. Needs no key and no network. The windows between
 * system calls need Linux. A bounded part of it is in the tests.
 */
import { parseArgs } from "node:util";
import { complaintsOf, type Judged, learnProfile, rowsOf, runMatrix, tableOf } from "../test/e2e/kill-matrix/matrix.ts";
import { planMatrix } from "../test/e2e/kill-matrix/plan.ts";
import { pointName, readPoint } from "../test/e2e/kill-matrix/points.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "240" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true },
  },
});
const [kills, seed] = [Number(values.kills), Number(values.seed)];
if (!(kills > 0 && Number.isSafeInteger(seed))) {
  console.error("usage: scripts/bun scripts/kill-matrix.ts [--kills NUMBER] [--seed NUMBER] [--only POINT]");
  process.exit(2);
}

const startedAt = performance.now();
const points = values.only ? values.only.map(readPoint) : planMatrix(await learnProfile(), kills, seed);
const tell = ({ point, outcome }: Judged): void => {
  const isMet = outcome.parts.filter((part) => part.isMet).length === point.triggers.length;
  if (!isMet || outcome.problems.length > 0) {
    console.log(
      `${outcome.problems.length > 0 ? "WRONG" : "not met"}  ${pointName(point)}  ${outcome.problems.join("; ").slice(0, 400)}`,
    );
  }
};
const done = await runMatrix(points, tell);
const rows = rowsOf(done);
console.log(`\n${tableOf(rows)}\n`);
const complaints = complaintsOf(done);
for (const complaint of complaints) console.log(complaint);
const unmet = rows.filter(({ met }) => met === 0).map(({ category }) => category);
for (const category of unmet) console.log(`no kill was met: ${category}`);
console.log(`seed ${seed}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
process.exit(complaints.length + unmet.length === 0 ? 0 : 1);
