/** Which checks can be started, on machines that lack some of the programs. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runnableChecks } from "../../src/repository/index.ts";
import { createLocalWorkspace } from "../../src/workspace/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

/** What is left of the checks on a machine that has these programs only. */
async function left(programs: readonly string[], checks: readonly string[]): Promise<readonly string[]> {
  shop.write("bin/present", "#!/bin/sh\n");
  chmodSync(join(shop.folder, "bin/present"), 0o755);
  for (const program of programs) symlinkSync("present", join(shop.folder, "bin", program));
  const env = { PATH: join(shop.folder, "bin"), HOME: shop.folder };
  const workspace = createLocalWorkspace({ cwd: shop.folder, env, watchdog: false });
  try {
    return await runnableChecks(workspace, shop.folder, checks);
  } finally {
    await workspace.close();
  }
}

test("a check whose program is not installed is no check, and the next one is", async () => {
  expect(await left(["make"], ["go test ./...", "make test"])).toEqual(["make test"]);
});

test("where no program is there, no check is left", async () => {
  expect(await left([], ["uv run pytest", "./test.sh"])).toEqual([]);
});

test("python3 stands in for python, and only where that is missing", async () => {
  expect(await left(["python3"], ["python -m pytest"])).toEqual(["python3 -m pytest"]);
  expect(await left(["python"], ["python -m pytest"])).toEqual(["python -m pytest"]);
});

test("a script of the project is found from its root", async () => {
  shop.write("scripts/test", "#!/bin/sh\n");
  chmodSync(join(shop.folder, "scripts/test"), 0o755);
  expect(await left([], ["./scripts/test"])).toEqual(["./scripts/test"]);
});
