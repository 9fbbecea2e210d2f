/** The house rules hold for the tree, and each rule can be broken: a checker that finds nothing proves nothing. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { complaints } from "./support/house-rules.ts";
import type { SourceFile } from "./support/imports.ts";

const SRC = join(import.meta.dir, "../src");

test("the tree keeps the house rules", () => {
  const paths = [...new Bun.Glob("**/*.ts").scanSync(SRC)].sort();
  const files = paths.map((path) => ({ path, text: readFileSync(join(SRC, path), "utf8") }));
  expect(files.length).toBeGreaterThan(20);
  expect(complaints(files)).toEqual([]);
});

/** A small house that keeps every rule, with the given files added or replaced. */
function house(changes: Readonly<Record<string, string>> = {}): SourceFile[] {
  const files = {
    "assets.d.ts": 'declare module "*.md";',
    "shared/index.ts":
      '/** Door. */\nexport { type A, a } from "./a.ts";\n// one more\nexport type { B } from "./b.ts";\n',
    "shared/a.ts": 'import { monotonicFactory } from "ulid";\nimport type { B } from "./b.ts";\nexport const a = 1;\n',
    "shared/b.ts": 'import type { type } from "arktype";\nimport { a } from "./a.ts";\nexport type B = typeof a;\n',
    "shared/schema.ts": 'const { type } = await import("arktype");\n',
    "shared/logging.ts": 'import { appendFileSync } from "node:fs";\n',
    "workspace/index.ts": 'export {\n  local,\n  type Workspace,\n} from "./local.ts";\n',
    "workspace/local.ts": 'import { open } from "node:fs/promises";\nexport const local = Bun.file("x");\n',
    "session/index.ts": 'export { log } from "./store/log.ts";\n',
    "session/store/log.ts": 'import { writeSync } from "node:fs";\nimport { a } from "../../shared/index.ts";\n',
    "anthropic/index.ts": 'export { client } from "./client.ts";\n',
    "anthropic/client.ts":
      'const { default: Anthropic } = await import("@anthropic-ai/sdk");\nimport type { M } from "@anthropic-ai/sdk/resources";\n',
    "tools/index.ts": 'export { edit } from "./edit.ts";\n',
    "tools/edit.ts":
      'import { a } from "../shared/index.ts";\nimport { local } from "../workspace/index.ts";\nimport prose from "./edit.md" with { type: "text" };\n',
    "simulator/index.ts": 'export { serve } from "./server.ts";\n',
    "simulator/server.ts": 'import type { client } from "../anthropic/index.ts";\nBun.serve({});\n',
    "agent/index.ts": "",
    "agent/kernel.ts": "\n".repeat(120),
    "agent/next-action.ts": "\n".repeat(100),
    "agent/record-stream.ts": "\n".repeat(79),
    "cli/main.ts": 'import { a } from "../shared/index.ts";\nawait import("../tools/index.ts");\n',
    ...changes,
  };
  return Object.entries(files).map(([path, text]) => ({ path, text }));
}

test("a house that keeps the rules has no complaints", () => {
  expect(complaints(house())).toEqual([]);
});

/** What is changed in the good house, and the one complaint it must bring. */
const BREACHES: readonly (readonly [name: string, changes: Readonly<Record<string, string>>, complaint: string])[] = [
  [
    "a room that may not be imported",
    { "tools/grep.ts": 'import { log } from "../session/index.ts";\n' },
    "tools/grep.ts: tools may not import session",
  ],
  [
    "the same for a type",
    { "tools/grep.ts": 'import type { Log } from "../session/index.ts";\n' },
    "tools/grep.ts: tools may not import session",
  ],
  [
    "the same for a re-export",
    { "shared/c.ts": 'export { local } from "../workspace/index.ts";\n' },
    "shared/c.ts: shared may not import workspace",
  ],
  [
    "the same over several lines, with a quote in a comment",
    { "tools/grep.ts": 'import {\n  // don\'t\n  log,\n} from "../session/index.ts";\n' },
    "tools/grep.ts: tools may not import session",
  ],
  [
    "the composition root imported",
    { "agent/loop.ts": 'import { main } from "../cli/index.ts";\n' },
    "agent/loop.ts: agent may not import cli",
  ],
  [
    "a room entered past its door",
    { "agent/loop.ts": 'import { local } from "../workspace/local.ts";\n' },
    "agent/loop.ts: enter workspace by its index.ts, not workspace/local.ts",
  ],
  [
    "one's own door",
    { "tools/grep.ts": 'import { edit } from "./index.ts";\n' },
    "tools/grep.ts: nobody goes through their own door",
  ],
  [
    "a value where only types are allowed",
    { "simulator/rules.ts": 'import { client } from "../anthropic/index.ts";\n' },
    "simulator/rules.ts: simulator may import only types of anthropic",
  ],
  ["an unknown room", { "misc/index.ts": "" }, "misc: an unknown room; say in the house rules what it may import"],
  ["a room without a door", { "config/parse.ts": "" }, "config: a room needs a door, index.ts"],
  ["a source in no room", { "loose.ts": "" }, "src: every source lies in a room"],
  ["a package away from home", { "tools/x.ts": 'import { ulid } from "ulid";\n' }, "tools/x.ts: ulid lives in shared"],
  [
    "a part of a package away from home",
    { "agent/x.ts": 'import type { M } from "@anthropic-ai/sdk/resources";\n' },
    "agent/x.ts: @anthropic-ai/sdk/resources lives in anthropic",
  ],
  [
    "a package beside its part of a room",
    { "tui/index.ts": "", "tui/view/x.ts": 'import { RGBA } from "@opentui/core";\n' },
    "tui/view/x.ts: @opentui/core lives in tui/screen",
  ],
  [
    "a package without a home",
    { "tools/x.ts": 'import "left-pad";\n' },
    "tools/x.ts: left-pad has no home; give it one in the house rules",
  ],
  [
    "the disk outside the workspace",
    { "tools/x.ts": 'import { readFileSync } from "node:fs";\n' },
    "tools/x.ts: node:fs is the world; go through Workspace",
  ],
  [
    "the disk without a prefix",
    { "agent/x.ts": 'import { readFile } from "fs/promises";\n' },
    "agent/x.ts: fs/promises is the world; go through Workspace",
  ],
  [
    "processes, lazily",
    { "session/x.ts": 'await import("node:child_process");\n' },
    "session/x.ts: node:child_process is the world; go through Workspace",
  ],
  [
    "the bun module",
    { "tools/x.ts": 'import { $ } from "bun";\n' },
    "tools/x.ts: bun is the world; go through Workspace",
  ],
  ...[
    "Bun.file(p)",
    "Bun.write(p, t)",
    "Bun.spawn([])",
    "Bun.spawnSync([])",
    "Bun.$`ls`",
    'Bun["file"]',
    "const { file } = Bun;",
  ].map(
    (code) =>
      [
        `the global: ${code}`,
        { "tools/x.ts": `${code}\n` },
        "tools/x.ts: Bun is the world; go through Workspace",
      ] as const,
  ),
  ["a long file", { "tools/x.ts": "\n".repeat(301) }, "tools/x.ts: 301 lines; at 300 a file is two files"],
  [
    "export *",
    { "tools/x.ts": 'export * from "./edit.ts";\n' },
    "tools/x.ts: export * hides what a file offers; name it",
  ],
  [
    "logic in a door",
    { "tools/index.ts": 'export { edit } from "./edit.ts";\nexport const tools = [];\n' },
    "tools/index.ts: a door holds named re-exports and nothing else",
  ],
  [
    "a kernel that grew",
    { "agent/record-stream.ts": "\n".repeat(80) },
    "agent: the kernel has 300 lines; agent/kernel.ts + agent/next-action.ts + agent/record-stream.ts stay under 300",
  ],
  [
    "a cycle",
    { "tools/x.ts": 'import { y } from "./y.ts";\n', "tools/y.ts": 'export { x } from "./x.ts";\n' },
    "import cycle: tools/x.ts, tools/y.ts",
  ],
  [
    "a heavy package on the boot path",
    {
      "tools/edit.ts": 'import { createTwoFilesPatch } from "diff";\n',
      "cli/main.ts": 'import { edit } from "../tools/index.ts";\n',
    },
    "cli/main.ts: diff must not load before the first paint",
  ],
  [
    "and on the way from there to the interface",
    {
      "tools/edit.ts": 'import { createTwoFilesPatch } from "diff";\n',
      "cli/commands/interactive.ts": 'import { edit } from "../../tools/index.ts";\n',
    },
    "cli/commands/interactive.ts: diff must not load before the first paint",
  ],
  [
    "a room opened lazily by another room",
    { "agent/x.ts": 'await import("../tools/index.ts");\n' },
    "agent/x.ts: only cli opens rooms lazily; import tools/index.ts statically",
  ],
  [
    "a computed import",
    { "cli/x.ts": "await import(name);\n" },
    "cli/x.ts: an import must name its module as a literal",
  ],
  ["require", { "cli/x.ts": 'require("x");\n' }, "cli/x.ts: an import must name its module as a literal"],
];

describe("a breach is found, and nothing else with it", () => {
  test.each(BREACHES)("%s", (_name, changes, complaint) => {
    expect(complaints(house(changes))).toEqual([complaint]);
  });
});
