/**
 * Lets the compiled program do synthetic work on a terminal for a long time, looks at it at rest in between, and fails when
 * anything grows, is left behind or goes on: `scripts/bun scripts/soak.ts [--minutes=30]`. Needs Linux, no key and no network;
 * leaves nothing behind. No part of the tests.
 */
import { existsSync, readdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { startSimulator } from "../src/simulator/index.ts";
import { obedientModel } from "../test/support/obedient-model.ts";
import { openTerminal } from "../test/support/terminal.ts";
import { openGround } from "./bench/ground.ts";
import { lookAtRest } from "./soak/look.ts";
import { BOUNDS, complaints, growthOf, HEADING, type Rest, rowOf } from "./soak/verdict.ts";
import { doRound } from "./soak/work.ts";

const USAGE = "usage: scripts/bun scripts/soak.ts [--minutes=NUMBER]";
const args = process.argv.slice(2);
const minutes = Number(args.find((arg) => arg.startsWith("--minutes="))?.slice("--minutes=".length) ?? 30);
if (!(minutes > 0 && Number.isFinite(minutes)) || args.some((arg) => !arg.startsWith("--minutes="))) {
  console.error(USAGE);
  process.exit(2);
}
if (!existsSync("/proc/self/status")) {
  console.error("soak: this system has no /proc to look at a program through");
  process.exit(2);
}
/** Of a short soak a larger part is warm-up. */
const bounds = { ...BOUNDS, warmUpMinutes: Math.min(BOUNDS.warmUpMinutes, minutes / 4) };
const ROUNDS_BEFORE_A_LOOK = 3;

let [answered, written] = [0, 0];
const ground = await openGround(["khaelor"]);
const leave = (): never => {
  ground.close();
  process.exit(130);
};
process.on("SIGINT", leave);
process.on("SIGTERM", leave);
const simulator = await startSimulator({ script: obedientModel, keepRequests: 1, onDone: () => void answered++ });
const terminal = openTerminal({
  command: [ground.program("khaelor"), "--permission-mode", "accept-edits", "--allow", "seq *"],
  cwd: ground.project,
  env: { ...ground.env, ANTHROPIC_API_KEY: "sk-soak-0123456789", ANTHROPIC_BASE_URL: simulator.url, LANG: "C.UTF-8" },
  keepsBytes: false,
  onOutput: ({ length }) => {
    written += length;
  },
});
const rests: Rest[] = [];
let problem: string | undefined;
try {
  await terminal.waitFor(/○ ready/);
  const [project = ""] = readdirSync(join(ground.state, "sessions"));
  const shop = { terminal, answered: () => answered, sessions: join(ground.state, "sessions", project) };
  const startedAt = performance.now();
  const elapsed = (): number => (performance.now() - startedAt) / 60_000;
  console.log(HEADING);
  for (let rounds = 0; elapsed() < minutes; ) {
    for (let more = 0; more < ROUNDS_BEFORE_A_LOOK; more++) await doRound(shop, rounds++);
    const rest = { minutes: elapsed(), rounds, ...(await lookAtRest({ pid: terminal.pid, written: () => written })) };
    rests.push(rest);
    console.log(rowOf(rest));
  }
} catch (error) {
  problem = error instanceof Error ? error.message : String(error);
} finally {
  await terminal.close();
  await simulator.close();
  ground.close();
}
const counted = rests.filter((rest) => rest.minutes >= bounds.warmUpMinutes);
const found = problem === undefined ? complaints(rests, bounds) : [`the work came to a halt: ${problem}`];
console.log(
  `\n${answered} answers, ${(written / 1e6).toFixed(1)} MB written; memory ${growthOf(counted).toFixed(1)} MB more in the last third than in the first, ` +
    `after ${bounds.warmUpMinutes} minutes of warm-up (bound ${bounds.growthMb}); load ${loadavg()[1]?.toFixed(1)}`,
);
for (const complaint of found) console.log(`soak: ${complaint}`);
process.exit(found.length === 0 ? 0 : 1);
