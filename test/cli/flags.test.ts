/** The tables of flags and subcommands: nothing in them is only there to be read in the help. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArguments } from "../../src/cli/args.ts";
import { FLAGS } from "../../src/cli/flags/table.ts";
import { SUBCOMMANDS } from "../../src/cli/subcommands.ts";

const CLI = join(import.meta.dir, "../../src/cli");

/** All of cli but the tables themselves, without comments: what is said there is not done there. */
const code = readdirSync(CLI, { recursive: true, encoding: "utf8" })
  .filter(
    (name) => name.endsWith(".ts") && !name.startsWith("flags/") && name !== "subcommands.ts" && name !== "args.ts",
  )
  .map((name) => readFileSync(join(CLI, name), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""))
  .join("\n");

describe("every flag", () => {
  test("is heeded by some command", () => {
    const unheeded = FLAGS.filter(({ key }) => !new RegExp(`\\b${key}\\b`).test(code)).map(({ names }) => names[0]);
    expect(unheeded).toEqual([]);
  });

  test("has names and a place of its own", () => {
    const names = FLAGS.flatMap((flag) => flag.names);
    const keys = FLAGS.map(({ key }) => key);
    expect([names.length, keys.length]).toEqual([new Set(names).size, new Set(keys).size]);
  });

  test("of a subcommand is refused elsewhere, with the name of the subcommand", () => {
    const known = new Set<string>(SUBCOMMANDS.map(({ name }) => name));
    for (const { names, of, takes, oneOf } of FLAGS) {
      if (!of) continue;
      expect(of.filter((name) => !known.has(name))).toEqual([]);
      const [name] = names;
      const words = takes === "value" || takes === "list" ? [name, oneOf?.[0] ?? "x"] : [name];
      const elsewhere = parseArguments(["-p", "hello", ...words]);
      expect(elsewhere.ok ? "taken" : elsewhere.error).toContain(of[0] ?? "");
      const [home = ""] = of;
      expect(parseArguments([home, ...words]).ok).toBe(true);
    }
  });
});

test("every subcommand is run by main", () => {
  const main = readFileSync(join(CLI, "main.ts"), "utf8");
  const missing = SUBCOMMANDS.filter(({ name }) => name !== "help" && !main.includes(`case "${name}":`));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
