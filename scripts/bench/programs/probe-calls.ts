/**
 * What surrounds a call of a tool: its input checked, its shell text parsed and judged, the approval, the start and the
 * result recorded, and for a call with effects the disk asked before it acts. The tool itself does nothing.
 */
import { createPermissionGate, createToolRuntime } from "../../../src/agent/index.ts";
import type { SessionHandle } from "../../../src/session/index.ts";
import { silentLogger, systemClock } from "../../../src/shared/index.ts";
import type { ToolDefinition } from "../../../src/tools/index.ts";
import { openBenchStore, STARTED } from "./probe-store.ts";
import { timed } from "./timed.ts";

// Lazily, because the build refuses the shell parser at start.
const [{ createEvaluator }, { isSpecialFile, resolveRealPath }] = await Promise.all([
  import("../../../src/permissions/index.ts"),
  import("../../../src/cli/real-path.ts"),
]);

const [, , home = "", calls = "0", kind = "reads"] = process.argv;
const cwd = process.cwd();

/** Named like the real one, so that the same rules judge it. */
const idle: ToolDefinition = {
  name: "bash",
  description: "Does nothing.",
  parameters: { command: "string >= 1", "timeout_ms?": "number", "description?": "string", "+": "reject" },
  readOnly: kind === "reads",
  access: (input) => [{ kind: "command", command: (input as { readonly command: string }).command, cwd }],
  execute: () => Promise.resolve({ modelText: "done", ui: { kind: "exec", summary: "exit code 0" } }),
};

const session = await openBenchStore(home).create(STARTED);
const evaluator = createEvaluator({
  home,
  stateFolder: home,
  projectRoot: cwd,
  mode: "ask",
  rules: [],
  resolvePath: resolveRealPath,
  isSpecialFile,
  cwd,
});
const runtime = createToolRuntime({
  session,
  gate: createPermissionGate({ session, evaluator, somebodyToAsk: false, newId: () => "unused" }),
  tools: { all: [idle], get: (name) => (name === idle.name ? idle : undefined) },
  clock: systemClock,
  logger: silentLogger,
  cwd,
  spillFolder: home,
  beforeWrite: () => Promise.resolve(),
  watch: { before: async () => undefined },
  observeCommand: () => Promise.resolve(),
});

const WARM_UP = 20;
for (let call = 0; call < WARM_UP; call++) await once(session, `warm${call}`);
await timed(async () => {
  for (let call = 0; call < Number(calls); call++) await once(session, `call${call}`);
  return Number(calls);
});
await session.close();

/** The answer that asks for the call is recorded outside of what surrounds it, but within what is timed: three lines more. */
async function once(to: SessionHandle, id: string): Promise<void> {
  const request = { requestId: `request-${id}`, model: STARTED.model, purpose: "main" } as const;
  const contextStats = { estimatedInputTokens: 0, sections: [] };
  to.publish({ type: "model.request-started", payload: { ...request, contextStats } });
  to.publish({
    type: "tool.requested",
    payload: {
      requestId: request.requestId,
      blockIndex: 0,
      toolUseId: id,
      toolName: "bash",
      input: { command: `git status && ls -la src | head -n 20 # ${id}` },
    },
  });
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const response = { requestId: request.requestId, stopReason: "tool_use", usage, durationMs: 1 };
  to.publish({ type: "model.response-completed", payload: response });
  await runtime.executeBatch(new AbortController().signal);
}
