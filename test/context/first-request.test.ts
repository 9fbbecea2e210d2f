/** What every request begins with has to stay small: it is paid for with each session, and read by the model each time. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { buildSystemTiers } from "../../src/context/index.ts";
import { createTools } from "../../src/tools/index.ts";
import { createLocalWorkspace } from "../../src/workspace/index.ts";

test("the static tier and the tools together are at most 7 KB", async () => {
  const workspace = createLocalWorkspace({ cwd: tmpdir(), env: {}, watchdog: false });
  const ports = { workspace, home: "/home/u" };
  const tools = createTools(ports).schemas();
  const system = buildSystemTiers({ instructions: [], platform: "linux", cwd: "/" });
  expect(Buffer.byteLength(JSON.stringify({ system, tools }))).toBeLessThanOrEqual(7_000);
  await workspace.close();
});
