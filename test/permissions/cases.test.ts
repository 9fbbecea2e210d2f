/** The acceptance data: every command case, and every path case on a real scratch file system. */
import { afterAll, describe, expect, test } from "bun:test";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEvaluator, followLinks } from "../../src/permissions/index.ts";
import type { PermissionRule, Verdict } from "../../src/shared/index.ts";
import { linkedResolver } from "./ground.ts";

/** Cases that are not reached yet, with the reason. Each must still fail, so that the list cannot rot. */
const notYet: readonly { readonly id: string; readonly reason: string }[] = [];

interface CommandCase {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly home: string;
  readonly rules: readonly PermissionRule[];
  readonly expect: string;
  readonly also_ok?: readonly string[];
  readonly setup?: { readonly symlink?: Readonly<Record<string, string>> };
}

interface PathCase {
  readonly id: string;
  readonly path: string;
  readonly op: "read" | "write";
  readonly cwd: string;
  readonly home: string;
  readonly expect: string;
  readonly also_ok?: readonly string[];
  readonly setup?: {
    readonly symlink?: Readonly<Record<string, string>>;
    readonly mkdir?: readonly string[];
    readonly mkfifo?: readonly string[];
    readonly files?: readonly string[];
    readonly git_root?: string;
  };
}

const casesOf = <kind>(file: string): readonly kind[] =>
  JSON.parse(readFileSync(join(import.meta.dir, "../cases", file), "utf8")).cases;

const isReached = (id: string): boolean => !notYet.some((entry) => entry.id === id);

describe("command cases", () => {
  for (const given of casesOf<CommandCase>("permission.json")) {
    test(`${given.id}: ${JSON.stringify(given.command).slice(0, 80)} is ${given.expect}`, () => {
      const evaluator = createEvaluator({
        home: given.home,
        projectRoot: "/home/dev/proj",
        mode: "ask",
        rules: given.rules,
        stateFolder: `${given.home}/.khaelor`,
        resolvePath: linkedResolver(given.setup?.symlink ?? {}),
      });
      const verdict = evaluator.evaluate({ kind: "command", command: given.command, cwd: given.cwd });
      const accepted = [given.expect, ...(given.also_ok ?? [])].includes(verdict.action);
      const surprise = accepted === isReached(given.id) ? undefined : verdict;
      expect({ accepted, surprise }).toEqual({ accepted: isReached(given.id), surprise: undefined });
    });
  }
});

const scratch: string[] = [];
afterAll(() => {
  for (const folder of scratch) rmSync(folder, { recursive: true, force: true });
});

const resolvePath = (path: string): string | undefined =>
  followLinks(path, (name) =>
    lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(name) : undefined,
  );

function isSpecialFile(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isFile() && !stat.isDirectory();
}

/** The case's world below a scratch folder: `/home/dev/…` and `/srv/…` lie in it, everything else is the machine's own. */
function build({ cwd, home, setup }: PathCase): (path: string) => string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-paths-")));
  scratch.push(root);
  const at = (path: string): string => (/^\/(?:home\/dev|srv)(?:\/|$)/.test(path) ? root + path : path);
  const links = setup?.symlink ?? {};
  mkdirSync(at(home), { recursive: true });
  for (const folder of setup?.mkdir ?? []) mkdirSync(at(folder), { recursive: true });
  if (links[cwd] === undefined) mkdirSync(at(cwd), { recursive: true });
  for (const [link, target] of Object.entries(links)) symlinkSync(at(target), at(link));
  for (const file of setup?.files ?? []) writeFileSync(at(file), "");
  for (const pipe of setup?.mkfifo ?? []) Bun.spawnSync(["mkfifo", at(pipe)]);
  return at;
}

function zoneOf(verdict: Verdict): string {
  if (verdict.action === "deny") return "deny";
  return verdict.capability === "filesystem.outsideProject" ? "outside" : "inside";
}

function judgePath(given: PathCase): Verdict {
  const at = build(given);
  const evaluator = createEvaluator({
    home: at(given.home),
    projectRoot: realpathSync(at(given.setup?.git_root ?? given.cwd)),
    cwd: at(given.cwd),
    mode: "ask",
    rules: [],
    stateFolder: `${at(given.home)}/.khaelor`,
    resolvePath,
    isSpecialFile,
  });
  const path = given.path.startsWith("/home/") ? at(given.path) : given.path;
  return evaluator.evaluate({ kind: "path", op: given.op, path });
}

describe("path cases", () => {
  for (const given of casesOf<PathCase>("path.json")) {
    test(`${given.id}: ${given.op} ${JSON.stringify(given.path)} is ${given.expect}`, () => {
      const verdict = judgePath(given);
      const zone = zoneOf(verdict);
      const accepted = [given.expect, ...(given.also_ok ?? [])].includes(zone);
      const surprise = accepted === isReached(given.id) ? undefined : verdict;
      expect({ accepted, surprise }).toEqual({ accepted: isReached(given.id), surprise: undefined });
      const action = zone === "inside" && given.op === "read" ? "allow" : "ask";
      expect(verdict.action).toBe(zone === "deny" ? "deny" : action);
    });
  }
});

test("the list of cases not reached holds only cases that there are", () => {
  const ids = new Set(
    [...casesOf<CommandCase>("permission.json"), ...casesOf<PathCase>("path.json")].map(({ id }) => id),
  );
  expect(notYet.filter(({ id }) => !ids.has(id))).toEqual([]);
});
