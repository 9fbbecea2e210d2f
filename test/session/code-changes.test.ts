/** Which changes make a green check stale (all but prose, and what commands leave behind), and which results replace others. */
import { expect, test } from "bun:test";
import { NO_VERIFICATION, verificationHandlers } from "../../src/session/projections/verification.ts";
import type { TurnState } from "../../src/session/types.ts";
import type { DurableEvent } from "../../src/shared/index.ts";

/** Whether a change of this file, by a tool or by a command, has to be proven. */
function isCode(path: string, operation: "edit" | "exec"): boolean {
  const before = { verification: NO_VERIFICATION } as TurnState; // the handler reads nothing else
  const event = { seq: 7, payload: { path, operation } } as DurableEvent<"file.modified">;
  const { lastCodeChangeSeq, changedFiles } = verificationHandlers["file.modified"](before, event).verification;
  expect(changedFiles).toEqual([path]);
  return lastCodeChangeSeq === 7;
}

test("prose, and pictures and pages beside it, prove nothing and break nothing", () => {
  const prose = ["README.md", "notes.txt", "LICENSE", "docs/guide.rst", "docs/img/a.png", "website/docs/index.html"];
  expect(prose.filter((path) => isCode(path, "edit") || isCode(path, "exec"))).toEqual([]);
});

test("a program in a folder for documentation is a program, and so is text that programs read", () => {
  const code = [
    ...["src/doc/parser.ts", "docs/conf.py", "docs/package.json", "pkg/docs/main.go", "/p/docs/app/a.ts"],
    ...["CMakeLists.txt", "sub/CMakeLists.txt", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt"],
    ...["tests/expected.txt", "pkg/testdata/page.md", "test/golden/help.txt", "spec/fixtures/a.md"],
  ];
  expect(code.filter((path) => !isCode(path, "edit") || !isCode(path, "exec"))).toEqual([]);
});

test("caches, coverage and logs are nobody's work where a command left them, but not among the sources", () => {
  const left = [
    "coverage/lcov.info",
    "packages/a/coverage/index.html",
    "htmlcov/x.js",
    "a/__pycache__/a.pyc",
    "run.log",
  ];
  expect(left.filter((path) => isCode(path, "exec"))).toEqual([]);
  expect(left.filter((path) => !isCode(path, "edit"))).toEqual([]);
  const sources = ["src/coverage/report.ts", "internal/coverage/a.go", "a/lib/coverage/x.js", "coverage.ts"];
  expect(sources.filter((path) => !isCode(path, "exec"))).toEqual([]);
});

test("a result replaces that of the same command in the same folder, and in no other", () => {
  const ran = (cwd: string, exitCode: number, seq: number) =>
    ({ seq, payload: { command: "npm test", cwd, exitCode, coversSeq: seq - 1 } }) as DurableEvent<"verify.result">;
  const results = [ran("/p", 1, 3), ran("/p/sub", 0, 5), ran("/p/sub", 2, 7)].reduce(
    (state, event) => verificationHandlers["verify.result"](state, event),
    { verification: NO_VERIFICATION } as TurnState,
  ).verification.results;
  expect(results.map(({ cwd, exitCode, seq }) => [cwd, exitCode, seq])).toEqual([
    ["/p", 1, 3],
    ["/p/sub", 2, 7],
  ]);
});
