/** A search that was allowed shows no file that reading would refuse. */
import { expect, test } from "bun:test";
import { createEvaluator, readableBelow } from "../../src/permissions/index.ts";
import type { PermissionMode, PermissionRule } from "../../src/shared/index.ts";

type Rule = readonly [PermissionRule["action"], PermissionRule["capability"], string];

function evaluator(rules: readonly Rule[], mode: PermissionMode = "ask", projectRoot = "/home/dev/proj") {
  return createEvaluator({
    home: "/home/dev",
    stateFolder: "/home/dev/.khaelor",
    projectRoot,
    mode,
    rules: rules.map(([action, capability, pattern]) => ({ action, capability, pattern })),
    resolvePath: (path) => path.replace("/proj/way-out", "/secret"),
  });
}

const shown = (root: string, paths: readonly string[], ...from: Parameters<typeof evaluator>) =>
  paths.filter(readableBelow(evaluator(...from), root));

const PROJECT = "/home/dev/proj";
const [CODE, ENV, KEY] = [`${PROJECT}/src/a.ts`, `${PROJECT}/config/.env`, `${PROJECT}/certs/server.key`];
const FILES = [CODE, ENV, KEY];

test("in the project everything that may be read is shown, and nothing that a rule denies or asks about", () => {
  expect(shown(PROJECT, FILES, [])).toEqual(FILES);
  expect(shown(PROJECT, FILES, [["deny", "file.read", "*.env"]])).toEqual([CODE, KEY]);
  expect(shown(PROJECT, FILES, [["ask", "file.read", "certs/*"]])).toEqual([CODE, ENV]);
  expect(shown(`${PROJECT}/config`, [ENV], [["deny", "file.read", "config/.env"]])).toEqual([]);
  const reopened: readonly Rule[] = [
    ["deny", "file.read", "*"],
    ["allow", "file.read", "src/*"],
  ];
  expect(shown(`${PROJECT}/src`, FILES, reopened)).toEqual([CODE]);
});

test("no mode opens what is denied", () => {
  const rules: readonly Rule[] = [["deny", "file.read", "*.env"]];
  for (const mode of ["ask", "accept-edits", "plan", "bypass"] as const) {
    expect([mode, shown(PROJECT, FILES, rules, mode)]).toEqual([mode, [CODE, KEY]]);
  }
});

test("a path that leads out of the project is not part of a search of it", () => {
  expect(shown(PROJECT, [CODE, `${PROJECT}/way-out`, "/etc/hosts"], [])).toEqual([CODE]);
});

test("consent for a folder elsewhere covers what is in it, but not its keys, and nothing that a rule speaks about", () => {
  const inside = ["/home/dev/other/a.ts", "/home/dev/other/.env", "/home/dev/other/id_rsa"];
  expect(shown("/home/dev/other", inside, [])).toEqual(inside.slice(0, 2));
  expect(shown("/home/dev/other", inside, [["deny", "filesystem.outsideProject", "*.env"]])).toEqual([inside[0] ?? ""]);
  const byName: readonly Rule[] = [["allow", "filesystem.outsideProject", "/home/dev/other"]];
  expect(shown("/home/dev/other", inside, byName)).toEqual(inside.slice(0, 2));
  const home = ["/home/dev/notes.md", "/home/dev/.ssh/id_ed25519", "/home/dev/.aws/credentials", CODE];
  expect(shown("/home/dev", home, [])).toEqual(["/home/dev/notes.md", CODE]);
  expect(shown("/home/dev", home, [], "ask", "/home/dev")).toEqual(["/home/dev/notes.md", CODE]);
  expect(shown("/home/dev/.ssh", ["/home/dev/.ssh/id_ed25519"], [])).toEqual(["/home/dev/.ssh/id_ed25519"]);
});

test("where a rule asks about everything, the answer for the folder holds for its files", () => {
  const rules: readonly Rule[] = [
    ["ask", "file.read", "*"],
    ["ask", "file.read", "*.env"],
  ];
  expect(shown(PROJECT, FILES, rules)).toEqual([CODE, KEY]);
});

test("the floor stays: KHAELOR's own keys and the secrets of programs", () => {
  const own = ["/home/dev/.khaelor/credentials.json", "/home/dev/.khaelor/config.json"];
  expect(shown("/home/dev/.khaelor", own, [], "bypass")).toEqual([own[1] ?? ""]);
  expect(shown("/proc/1", ["/proc/1/environ", "/proc/1/status"], [], "bypass")).toEqual(["/proc/1/status"]);
});

test("a rule that is added later counts for the next search", () => {
  const judge = evaluator([]);
  expect(FILES.filter(readableBelow(judge, PROJECT))).toEqual(FILES);
  judge.addRule({ action: "deny", capability: "file.read", pattern: "*.key" });
  expect(FILES.filter(readableBelow(judge, PROJECT))).toEqual([CODE, ENV]);
});
