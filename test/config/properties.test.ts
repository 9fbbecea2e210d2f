/** What holds for every configuration: merging does not depend on grouping, and whatever is wrong has a place and a name. */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { findKey, KNOWN_KEYS, loadConfig, problemText } from "../../src/config/index.ts";
import { checkFile } from "../../src/config/layer.ts";
import { mergeLayers } from "../../src/config/merge.ts";
import { parseJson } from "../../src/config/parse.ts";
import { CONFIG_FILE, type ConfigLayer } from "../../src/config/types.ts";
import { accepts, jsonSchema } from "../../src/shared/index.ts";
import { valuesOf } from "../support/generators.ts";
import { openWorkshop } from "./workshop.ts";

const shop = openWorkshop();
afterAll(() => shop.remove());

const layers = valuesOf(jsonSchema(CONFIG_FILE)) as fc.Arbitrary<ConfigLayer>; // values of the definition

test("merging is associative, and an empty layer changes nothing", () => {
  fc.assert(
    fc.property(layers, layers, layers, (a, b, c) => {
      expect(mergeLayers(mergeLayers(a, b), c)).toEqual(mergeLayers(a, mergeLayers(b, c)));
      expect(mergeLayers(a, {})).toEqual(a);
      expect(mergeLayers({}, a)).toEqual(a);
      expect(accepts(CONFIG_FILE, mergeLayers(a, b))).toBe(true);
    }),
    { seed: 5, numRuns: 300 },
  );
});

/** The stronger layer's own values are all there. */
test("what the stronger layer says stands", () => {
  fc.assert(
    fc.property(layers, layers, (weak, strong) => {
      const merged = mergeLayers(weak, strong);
      expect(merged).toMatchObject(without(strong, ["permissions", "additionalDirectories"]));
      for (const key of ["permissions", "additionalDirectories"] as const) {
        expect<unknown>(merged[key] ?? []).toEqual([...(weak[key] ?? []), ...(strong[key] ?? [])]);
      }
    }),
    { seed: 6, numRuns: 300 },
  );
});

const without = (layer: ConfigLayer, keys: readonly string[]): object =>
  Object.fromEntries(Object.entries(layer).filter(([key]) => !keys.includes(key)));

const JUNK = fc.oneof(
  fc.constantFrom<unknown>(null, "", "x", 0, -1, 1.5, true, [], {}, [null], { "": 1 }, { __proto__: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
);

test("a value that does not fit always has a place in its file, and the checker agrees with the definition", () => {
  let refused = 0;
  fc.assert(
    fc.property(layers, fc.constantFrom(...KNOWN_KEYS, "nonsense", "limits.x"), JUNK, (layer, key, junk) => {
      const damaged = put(layer, key.split("."), junk);
      const text = JSON.stringify(damaged, null, 1);
      const parsed = parseJson(text);
      if (!parsed.ok) throw new Error("JSON that was written is JSON");
      const { problems, unknown } = checkFile("f.json", parsed.value);
      const found = [...problems, ...unknown];
      // The definition is blind for unknown keys at the top and for the rules beyond it, never the other way round.
      if (!accepts(CONFIG_FILE, JSON.parse(text))) expect(found).not.toEqual([]);
      for (const problem of found) {
        refused++;
        expect(problemText(problem)).toMatch(/^f\.json:\d+: (\S.*: )?expected [^\n]+, got [^\n]+$/);
        expect(problem.line).toBeLessThanOrEqual(text.split("\n").length);
      }
    }),
    { seed: 7, numRuns: 600 },
  );
  expect(refused).toBeGreaterThan(300);
});

function put(value: unknown, [head = "", ...rest]: readonly string[], junk: unknown): unknown {
  const object = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return { ...object, [head]: rest.length === 0 ? junk : put(object[head], rest, junk) };
}

test("no file makes loading throw: it ends with a configuration, or with problems that name the file", async () => {
  const pieces = fc.constantFrom(
    ...['{"model":', '"x"', "}", "{", "[", "]", ",", ":", '"limits"', '{"maxTurns":', "-1", "1e999", "//", "/*", "\n"],
    ...[
      "\u0000",
      "\\",
      '"permissions":[{',
      "\uFEFF",
      "null",
      '"profiles":{"a":',
      '"prices":{"":{',
      '"__proto__":',
      "é",
    ],
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
    layers.map((l) => JSON.stringify(l)),
  );
  await fc.assert(
    fc.asyncProperty(texts, texts, async (own, project) => {
      const files = [shop.write("home/.khaelor/config.json", own), shop.write("project/.khaelor/config.json", project)];
      const { home, projectRoot } = shop;
      const defaults = { model: "m", auxModel: "a" };
      const loaded = await loadConfig({ home, projectRoot, env: {}, flags: {}, defaults });
      const said = loaded.ok ? loaded.value.warnings : loaded.error;
      if (!loaded.ok) expect(said.length).toBeGreaterThan(0);
      for (const problem of said) {
        expect(files).toContain(problem.file);
        expect([typeof problem.line, problemText(problem).includes("\n")]).toEqual(["number", false]);
      }
    }),
    { seed: 8, numRuns: 150 },
  );
});

test("every known key is found by its name, and a chosen name may hold dots", () => {
  expect(KNOWN_KEYS.map((key) => findKey(key)?.path.join("."))).toEqual([...KNOWN_KEYS]);
  expect([
    findKey("prices.a.b.input")?.path,
    findKey("prices.a.b")?.path,
    findKey("profiles.v1.5.limits.maxTurns")?.path,
    findKey("limits.nothing"),
    findKey(""),
    findKey("limits."),
    findKey("+"),
  ]).toEqual([
    ["prices", "a.b", "input"],
    ["prices", "a.b"],
    ["profiles", "v1.5", "limits", "maxTurns"],
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
