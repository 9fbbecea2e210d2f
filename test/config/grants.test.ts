import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { persistPermissionGrant, type ResolvedConfig, trustProject } from "../../src/config/index.ts";
import type { PermissionRule } from "../../src/shared/index.ts";
import { loading, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

const { resolved, problems } = loading(() => shop);

const rule = (pattern: string, action: PermissionRule["action"]): PermissionRule => ({
  capability: "process.execute",
  pattern,
  action,
});
const rulesOf = ({ config }: ResolvedConfig) => config.permissions.map((r) => `${r.action} ${r.pattern} ${r.source}`);

describe("grants", () => {
  const grant = (pattern: string, scope: "always-project" | "always-user" = "always-project") =>
    persistPermissionGrant(shop, scope, rule(pattern, "allow"));
  const file = (name: string) => readFileSync(shop.at(name), "utf8");

  test("are kept in khaelor's own folder, private, and never in the project", async () => {
    expect(await grant("npm test")).toEqual({ ok: true, value: undefined });
    expect(await grant("git status", "always-user")).toEqual({ ok: true, value: undefined });
    expect(rulesOf(await resolved())).toEqual(["allow git status grant", "allow npm test grant"]);
    expect(statSync(shop.at("home/.khaelor/permissions.json")).mode & 0o777).toBe(0o600);
    expect(execFileSync("find", [shop.projectRoot, "-type", "f"], { encoding: "utf8" })).toBe("");
  });

  test("of one project do not count in another", async () => {
    await grant("npm test");
    expect(rulesOf(await resolved({}, {}, { projectRoot: shop.at("home") }))).toEqual([]);
  });

  test("come behind what the files say, so that an answer of today beats a rule of yesterday", async () => {
    shop.write("home/.khaelor/config.json", { permissions: [rule("npm *", "ask")] });
    shop.write("project/.khaelor/config.json", { permissions: [rule("npm t*", "ask")] });
    await grant("npm test");
    expect(rulesOf(await resolved({ permissions: [rule("npm test", "deny")] }))).toEqual([
      "ask npm * user",
      "ask npm t* project",
      "allow npm test grant",
      "deny npm test flag",
    ]);
  });

  test("given at the same moment are all kept, each once", async () => {
    await Promise.all(["a", "b", "c", "a"].map((pattern) => grant(pattern)));
    expect(rulesOf(await resolved())).toEqual(["allow a grant", "allow b grant", "allow c grant"]);
  });

  test("survive trust, and trust survives grants", async () => {
    await grant("a");
    await trustProject(shop);
    await grant("b");
    shop.write("project/.khaelor/config.json", { permissions: [rule("x", "allow")] });
    expect(rulesOf(await resolved())).toEqual(["allow x project", "allow a grant", "allow b grant"]);
  });

  test("are not written over a file that cannot be understood, which also stops the start", async () => {
    const path = shop.write("home/.khaelor/permissions.json", '{"rules": [oops]}');
    const kept = await grant("a", "always-user");
    expect(kept.ok ? "" : kept.error).toContain("must be repaired first");
    expect(file("home/.khaelor/permissions.json")).toBe('{"rules": [oops]}');
    expect(await problems()).toEqual([`${path}:1: expected a value, got "o"`]);
  });

  test("moved from another project are refused", async () => {
    await grant("a");
    const other = shop.at("home");
    const [path = ""] = execFileSync("find", [shop.home, "-name", "permissions.json"], { encoding: "utf8" }).split(
      "\n",
    );
    const text = readFileSync(path, "utf8");
    await persistPermissionGrant({ home: shop.home, projectRoot: other }, "always-project", rule("b", "allow"));
    const paths = execFileSync("find", [shop.home, "-name", "permissions.json"], { encoding: "utf8" })
      .trim()
      .split("\n");
    for (const each of paths.filter((name) => name !== path)) shop.write(each.slice(shop.at("/").length), text);
    expect((await problems({}, {}, { projectRoot: other }))[0]).toContain("project: expected ");
  });
});
