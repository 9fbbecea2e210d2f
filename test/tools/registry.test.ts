/** What stands in the cached prefix, byte for byte, and what each call says it touches. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { type Access, accepts } from "../../src/shared/index.ts";
import { bashTool, createProcessManager, createRegistry, createTools, resolveToolPath } from "../../src/tools/index.ts";
import { createLocalWorkspace } from "../../src/workspace/index.ts";
import suite from "../cases/path.json";
import { searchScope } from "../support/search-scope.ts";

const workspace = createLocalWorkspace({ cwd: "/", env: {}, watchdog: false });
const processes = createProcessManager({ host: workspace, cwd: "/", now: Date.now });
const ports = { workspace, processes, search: searchScope("/"), home: "/home/dev" };
const registry = createTools(ports);
const golden = `${import.meta.dir}/../golden/tools.json`;

describe("the registry", () => {
  test("gives the schemas that were agreed; a change breaks every cached prefix, so it must be meant", () => {
    const schemas = `${JSON.stringify(registry.schemas(), null, 2)}\n`;
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, schemas);
    expect(schemas).toBe(readFileSync(golden, "utf8"));
    expect(JSON.stringify(registry.schemas()).length).toBeLessThanOrEqual(7 * 1024);
  });

  test("finds a tool by its name, and refuses two of one name", () => {
    expect([registry.get("edit")?.name, registry.get("nope")]).toEqual(["edit", undefined]);
    expect(() => createRegistry([bashTool(ports), bashTool(ports)])).toThrow("unique");
  });

  test("takes no input that is not in the schema", () => {
    const fits = (name: string, input: unknown): boolean => accepts(registry.get(name)?.parameters, input);
    expect(fits("read", { file_path: "a", offset: 1 })).toBe(true);
    expect(fits("read", { file_path: "a", offset: 0 })).toBe(false);
    expect(fits("read", { file_path: "" })).toBe(false);
    expect(fits("read", { path: "a" })).toBe(false);
    expect(fits("bash", { command: "ls", timeout_ms: 600_001 })).toBe(false);
    expect(fits("grep", { pattern: "a", path: "b", glob: "*", output_mode: "count", context: 0 })).toBe(true);
    expect(fits("grep", { pattern: "a", output_mode: "lines" })).toBe(false);
    expect(fits("grep", { pattern: "" })).toBe(false);
    expect(fits("glob", { pattern: "*", limit: 5 })).toBe(false);
    expect(fits("edit", { file_path: "a", old_string: "", new_string: "b", replace_all: "yes" })).toBe(false);
  });

  test("says what a call touches, with absolute paths", () => {
    const touches = (name: string, input: unknown) => registry.get(name)?.access(input, "/home/dev/proj");
    expect(touches("read", { file_path: "src/../a.ts" })).toEqual([
      { kind: "path", op: "read", path: "/home/dev/proj/src/../a.ts" },
    ]);
    expect(touches("edit", { file_path: "~/x", old_string: "", new_string: "" })).toEqual([
      { kind: "path", op: "write", path: "/home/dev/x" },
    ]);
    const reads = (path: string): Access[] => [{ kind: "path", op: "read", path }];
    expect(touches("grep", { pattern: "x" })).toEqual(reads("/home/dev/proj"));
    expect(touches("grep", { pattern: "x", path: "../other" })).toEqual(reads("/home/dev/proj/../other"));
    expect(touches("glob", { pattern: "**/*.ts", path: "src" })).toEqual(reads("/home/dev/proj/src"));
    expect(touches("glob", { pattern: "../lib/{a,b}/*.ts" })).toEqual(reads("/home/dev/proj/../lib"));
    expect(touches("glob", { pattern: "/etc/*/passwd", path: "src" })).toEqual(reads("/etc"));
    expect(touches("glob", { pattern: "~/notes/*.md" })).toEqual(reads("/home/dev/notes"));
    expect(touches("glob", { pattern: "/*" })).toEqual(reads("/"));
    expect(touches("bash", { command: "ls" })).toEqual([{ kind: "command", command: "ls", cwd: "/home/dev/proj" }]);
  });
});

test("a path means what the shared cases say before links are followed", () => {
  const lexical = suite.cases.filter(({ topic }) => topic === "lexical");
  const resolved = lexical.map(({ path, cwd, home }) => resolveToolPath(path, cwd, home));
  expect(resolved).toEqual([
    "/home/dev/proj/src/a.ts",
    "/home/dev/proj/../other/a.ts",
    "/home/dev/proj/src/a.ts",
    "/home/dev/proj-evil/a.ts",
    "/home/dev/notes.txt",
    "/home/dev/proj/~/x.txt",
    "/home/dev/proj/src/a.ts",
    "/home/dev/proj/%2e%2e/secret.txt",
    "/home/dev/proj/$HOME/.bashrc",
  ]);
  expect(resolveToolPath("~", "/p", "/h")).toBe("/h");
  expect(resolveToolPath("~other/x", "/p", "/h")).toBe("/p/~other/x");
  expect(resolveToolPath("a\u0000b/../c", "/p", "/h")).toBe("/p/a\u0000b/../c");
});
