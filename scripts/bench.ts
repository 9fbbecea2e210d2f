/**
 * Measures the compiled program beside the least that could do the same work, by turns on this machine, and says which aims
 * are met: `scripts/bun run bench [--quick] [--json] [--only=WORDS]`. Needs no key and no network, and leaves nothing behind.
 */
import { cpus, loadavg, platform, release } from "node:os";
import { FULL, QUICK } from "./bench/effort.ts";
import { measure } from "./bench/figures.ts";
import { openGround } from "./bench/ground.ts";
import { renderTable, rowOf } from "./bench/table.ts";

const USAGE = "usage: scripts/bun run bench [--quick] [--json] [--only=WORDS]";

const args = process.argv.slice(2);
const only = args.find((arg) => arg.startsWith("--only="))?.slice("--only=".length);
const unknown = args.filter((arg) => arg !== "--quick" && arg !== "--json" && !arg.startsWith("--only="));
if (unknown.length > 0) {
  console.error(`bench: ${unknown.join(" ")} is not known.\n${USAGE}`);
  process.exit(2);
}
const [quick, json] = [args.includes("--quick"), args.includes("--json")];

const startedAt = performance.now();
const say = (what: string): void => void process.stderr.write(`bench: ${what} …\n`);
say("compiling the product and its floors");
const ground = await openGround();
const leave = (): never => {
  ground.close();
  process.exit(130);
};
process.on("SIGINT", leave);
process.on("SIGTERM", leave);
try {
  const rows = (await measure(ground, { effort: quick ? QUICK : FULL, only }, say)).map(rowOf);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${platform()} ${release()}, Bun ${Bun.version}`;
  if (json) {
    console.log(JSON.stringify({ machine, load: loadavg(), quick, seconds, rows }, null, 2));
  } else {
    const missed = rows.filter(({ verdict }) => verdict === "MISSED").length;
    const aims = rows.filter(({ aim }) => aim !== null).length;
    console.log(renderTable(rows));
    console.log(
      `\n${machine}; load ${loadavg()
        .map((load) => load.toFixed(1))
        .join(" ")}; ${seconds} s`,
    );
    console.log(`medians of interleaved rounds; ${aims - missed} of ${aims} aims met, ${missed} missed`);
  }
} finally {
  ground.close();
}
