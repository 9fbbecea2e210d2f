/** When the program is killed outright, its commands die with it, and so does the process that saw to that. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

const room = JSON.stringify(`${import.meta.dir}/../../src/workspace/index.ts`);

const WATCHDOG_IS_ENDED = `const { readFileSync } = await import("node:fs");
     process.kill(Number(readFileSync("/proc/thread-self/children", "utf8")), "SIGKILL");`;

const courses = [
  ["", ""],
  ["; a watchdog that somebody had ended was replaced before", WATCHDOG_IS_ENDED],
] as const;
test.each(courses)(
  "after kill -9 of the program no process of it is left, not even one that ignores TERM%s",
  async (_, meanwhile) => {
    const folder = mkdtempSync(`${tmpdir()}/khaelor-watchdog-`);
    writeFileSync(
      `${folder}/driver.ts`,
      `import { createLocalWorkspace } from ${room};
     const workspace = createLocalWorkspace({ cwd: ${JSON.stringify(folder)}, env: process.env });
     await workspace.exec({ command: "sleep 300.51 & echo $! > left", timeoutMs: 5000 });
     await workspace.exec({ command: "true", timeoutMs: 5000 });
     ${meanwhile}
     const command = "trap '' TERM; sleep 300.52 & echo $$ $! > running; echo ready; wait; sleep 300.53";
     await workspace.exec({ command, timeoutMs: 60_000, onOutput: () => console.log("ready") });`,
    );
    const driver = Bun.spawn([process.execPath, `${folder}/driver.ts`]);
    await driver.stdout.getReader().read();
    const children = readFileSync(`/proc/${driver.pid}/task/${driver.pid}/children`, "utf8");
    const pids = [children, readFileSync(`${folder}/left`, "utf8"), readFileSync(`${folder}/running`, "utf8")]
      .join(" ")
      .split(/\s+/)
      .filter(Boolean);
    expect(pids.filter(isAlive)).toEqual(pids);
    driver.kill("SIGKILL");
    await driver.exited;
    const until = performance.now() + 10_000;
    while (pids.some(isAlive) && performance.now() < until) await Bun.sleep(20);
    expect(pids.filter(isAlive)).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  },
  30_000,
);

/** A zombie that nobody has collected yet counts as gone. */
function isAlive(pid: string): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false; // No such process.
  }
}
