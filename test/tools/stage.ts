/** A folder, a real workspace in it, and the tools on it: what the tests of this room share. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Access, accepts } from "../../src/shared/index.ts";
import {
  createProcessManager,
  createTools,
  type ProcessManager,
  type ToolContext,
  type ToolResult,
} from "../../src/tools/index.ts";
import { createLocalWorkspace, type LocalWorkspaceOptions } from "../../src/workspace/index.ts";
import { searchScope } from "../support/search-scope.ts";

export interface Stage extends AsyncDisposable {
  readonly folder: string;
  readonly workspace: ReturnType<typeof createLocalWorkspace>;
  /** What `beforeWrite` was given, in order. */
  readonly saved: { readonly path: string; readonly before: string | null }[];
  readonly processes: ProcessManager;
  /** What was told of processes, less what no two runs share. */
  readonly recorded: Readonly<Record<string, unknown>>[];
  /** Runs a call as the runtime would: checks the input, and remembers what the model has seen. */
  run(tool: string, input: unknown, context?: Partial<ToolContext>): Promise<ToolResult>;
  /** What a call says that it touches. */
  access(tool: string, input: unknown): readonly Access[];
  spillFile(): string;
}

type StageOptions = Partial<LocalWorkspaceOptions> & { readonly mayShow?: (path: string) => boolean };

export function createStage({ mayShow, ...options }: StageOptions = {}): Stage {
  const root = realpathSync(mkdtempSync(`${tmpdir()}/khaelor-test-`));
  const folder = `${root}/project`;
  rmSync(folder, { recursive: true, force: true });
  Bun.spawnSync(["mkdir", folder, `${root}/home`, `${root}/spill`]);
  const workspace = createLocalWorkspace({ cwd: folder, env: process.env, ...options });
  const processes = createProcessManager({ host: workspace, cwd: folder, now: Date.now });
  const recorded: Stage["recorded"] = [];
  processes.open(
    {
      started: ({ pid: _pid, ...fact }) => void recorded.push({ started: fact }),
      exited: ({ durationMs: _ms, ...fact }) => void recorded.push({ exited: fact }),
      output: () => {},
    },
    0,
  );
  const ports = { workspace, processes, search: searchScope(folder, mayShow), home: `${root}/home` };
  const registry = createTools(ports);
  const seen = new Map<string, string>();
  const saved: Stage["saved"] = [];
  let calls = 0;
  return {
    folder,
    workspace,
    saved,
    recorded,
    processes,
    access: (name, input) => registry.get(name)?.access(input, folder) ?? [],
    spillFile: () => `${root}/spill/${calls}.txt`,
    async run(name, input, overrides = {}) {
      calls++;
      const tool = registry.get(name);
      if (!tool) throw new Error(`no tool ${name}`);
      if (!accepts(tool.parameters, input)) throw new Error(`input refused: ${JSON.stringify(input)}`);
      const result = await tool.execute(input, {
        toolUseId: `call-${calls}`,
        signal: new AbortController().signal,
        emitOutput: () => {},
        beforeWrite: async (path, before) => {
          saved.push({ path, before: before && Buffer.from(before).toString() });
        },
        lastSeenSha256: (path) => seen.get(path),
        spillFile: `${root}/spill/${calls}.txt`,
        maxResultBytes: 32 * 1024,
        ...overrides,
      });
      for (const [path, hash] of hashesIn(result)) seen.set(path, hash);
      return result;
    },
    async [Symbol.asyncDispose]() {
      await processes.stopAll();
      await workspace.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The files that the model now knows, as the log would have it. */
function hashesIn({ read = [], modified = [] }: ToolResult): readonly (readonly [string, string])[] {
  const facts = [...read.map((one) => [one.path, one.sha256]), ...modified.map((one) => [one.path, one.afterSha256])];
  return facts.filter((fact): fact is [string, string] => typeof fact[1] === "string");
}
