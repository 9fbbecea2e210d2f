/** What every request begins with has to stay small: it is paid for with each session, and read by the model each time. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { buildSystemTiers } from "../../src/context/index.ts";
import { createProcessManager, createTools } from "../../src/tools/index.ts";
import { createLocalWorkspace } from "../../src/workspace/index.ts";
import { searchScope } from "../support/search-scope.ts";

test("the static tier and the tools together are at most 12 KB", async () => {
  const workspace = createLocalWorkspace({ cwd: tmpdir(), env: {}, watchdog: false });
  const processes = createProcessManager({ host: workspace, cwd: "/", now: Date.now });
  const ports = { workspace, processes, search: searchScope("/"), home: "/home/u" };
  const tools = createTools(ports).schemas();
  const system = buildSystemTiers({ instructions: [], platform: "linux", cwd: "/" });
  expect(Buffer.byteLength(JSON.stringify({ system, tools }))).toBeLessThanOrEqual(12 * 1024);
  await workspace.close();
});
