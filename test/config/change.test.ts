/** `config set`: one value of the file changes, and nothing else of it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { withValue } from "../../src/config/edit.ts";
import { problemText, setConfigValue } from "../../src/config/index.ts";
import { parseJson } from "../../src/config/parse.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

describe("the text after a change", () => {
  const cases: readonly (readonly [name: string, before: string, path: string, value: unknown, after: string])[] = [
    ["of no file is a whole one", "", "limits.maxTurns", 5, '{\n  "limits": {\n    "maxTurns": 5\n  }\n}\n'],
    ["keeps a comment that stands alone", "// mine\n", "model", "x", '// mine\n{\n  "model": "x"\n}\n'],
    ["of an empty object is on lines of its own", "{}\n", "model", "x", '{\n  "model": "x"\n}\n'],
    ["in a line stays in the line", '{ "a": 1 }', "b", [1, { c: 2 }], '{ "a": 1, "b": [1, { "c": 2 }] }'],
    ["keeps a trailing comma", '{\n\t"a": 1, // n\n\t// end\n}', "b", 2, '{\n\t"a": 1, // n\n\t// end\n\t"b": 2,\n}'],
    ["goes behind a comment", '{\n  "a": 1 // n\n}', "b", 2, '{\n  "a": 1, // n\n  "b": 2\n}'],
    [
      "goes into the object that is there",
      '{\n "l": {\n  "a": 1\n }\n}',
      "l.b",
      2,
      '{\n "l": {\n  "a": 1,\n  "b": 2\n }\n}',
    ],
    ["replaces a value alone", '{ "a" : 1 /* n */ , "b":2}', "a", "x", '{ "a" : "x" /* n */ , "b":2}'],
    ["replaces a list on lines by one on lines", '{\n "a": [\n  1\n ]\n}', "a", [2], '{\n "a": [\n  2\n ]\n}'],
    [
      "ends its lines as the file does",
      '{\r\n  "a": 1\r\n}\r\n',
      "l.b",
      2,
      '{\r\n  "a": 1,\r\n  "l": {\r\n    "b": 2\r\n  }\r\n}\r\n',
    ],
    ["keeps the mark at the beginning", '\uFEFF{ "a": 1 }', "a", 2, '\uFEFF{ "a": 2 }'],
  ];
  for (const [name, before, path, value, after] of cases) {
    test(name, () => {
      expect(withValue(before, path.split("."), value)).toEqual({ ok: true, value: after });
    });
  }

  test("is none where a comment would be lost, or an object is a word", () => {
    expect(withValue('{ "l": { "a": 1 /* why */ } }', ["l"], {})).toMatchObject({ ok: false });
    expect(withValue('{ "l": { "a": "http://x" } }', ["l"], {})).toEqual({ ok: true, value: '{ "l": {} }' });
    expect(withValue('{ "l": 3 }', ["l", "a"], 1)).toEqual({ ok: false, error: "l is not an object" });
    expect(withValue("[]", ["a"], 1)).toEqual({ ok: false, error: "the file is not an object" });
  });
});

/** Objects in every layout that a person may leave behind. */
const blank = fc.constantFrom("", " ", "\n", "\n\n  ", " // note\n", ' /* a, "b": { */ ', "\t");
const scalar = fc.constantFrom('"x"', '"a // b"', '"\\"{"', "1", "-2.5e3", "true", "null");
const key = fc.constantFrom("a", "b", "c", "d\\n", "/*", "e");
const written = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: scalar },
    tie("object"),
    fc.array(scalar, { maxLength: 2 }).map((all) => `[${all.join(",")}]`),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(key, tie("value"), blank, blank, blank), { maxLength: 4, selector: ([name]) => name }),
      blank,
      fc.boolean(),
    )
    .map(([members, end, hasTrailing]) => {
      const body = members.map(([name, value, b1, b2, b3]) => `${b1}"${name}":${b2}${value}${b3}`).join(",");
      return `{${body}${hasTrailing && members.length > 0 ? "," : ""}${end}}`;
    }),
}));

test("whatever the layout, the value is set, the other values stay, and no byte of the text goes", () => {
  const part = fc.constantFrom("a", "b", "a", "b", "c", "new");
  const value = fc.constantFrom<unknown>(7, "w", [1, 2], { x: 1 });
  let inserted = 0;
  let replaced = 0;
  fc.assert(
    fc.property(written.object, fc.array(part, { minLength: 1, maxLength: 2 }), value, (before, path, fresh) => {
      const old = parseJson(before);
      if (!old.ok) throw new Error(`the generator wrote no JSON: ${before}`);
      const result = withValue(before, path, fresh);
      if (!result.ok) return;
      const now = parseJson(result.value);
      const expected = withPath(old.value.value, path, fresh);
      expect(now.ok && now.value.value).toEqual(expected);
      const was = atPath(old.value.value, path);
      if (was === undefined) {
        inserted++;
        expect(isSubsequence(before, result.value)).toBe(true);
      } else {
        replaced++;
        const back = withValue(result.value, path, was);
        // A scalar comes back byte for byte; of an object the layout may have been another.
        if (typeof was !== "object" && JSON.stringify(was) === textAt(before, path)) {
          expect(back).toEqual({ ok: true, value: before });
        }
      }
    }),
    { seed: 11, numRuns: 1500 },
  );
  expect([inserted > 200, replaced > 100]).toEqual([true, true]);
});

function textAt(text: string, path: readonly string[]): string {
  const parsed = parseJson(text);
  let node = parsed.ok ? parsed.value.root : undefined;
  for (const step of path) node = node?.children?.get(step);
  return node ? text.slice(node.at, node.end) : "";
}

function atPath(value: unknown, [head, ...rest]: readonly string[]): unknown {
  if (head === undefined) return value;
  return typeof value === "object" && value !== null && Object.hasOwn(value, head)
    ? atPath((value as Record<string, unknown>)[head], rest)
    : undefined;
}

function withPath(value: unknown, [head, ...rest]: readonly string[], fresh: unknown): unknown {
  if (head === undefined) return fresh;
  const object = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return { ...object, [head]: withPath(object[head], rest, fresh) };
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (part.startsWith(character, at)) at += character.length;
  return at === part.length;
}

describe("the file", () => {
  const set = async (name: string, value: string) => {
    const changed = await setConfigValue(shop.home, name, value);
    return changed.ok ? changed.value.value : changed.error.map(problemText);
  };
  const path = () => shop.at("home/.khaelor/config.json");
  const text = () => readFileSync(path(), "utf8");

  test("is made for its owner alone, in a folder that is made too", async () => {
    rmSync(shop.home, { recursive: true });
    expect(await set("model", "x")).toBe("x");
    expect([text(), statSync(path()).mode & 0o777, statSync(shop.home).mode & 0o777]).toEqual([
      '{\n  "model": "x"\n}\n',
      0o600,
      0o700,
    ]);
    expect(readdirSync(shop.home)).toEqual(["config.json"]);
  });

  test("keeps its mode, and stays a link where it is one", async () => {
    shop.write("home/dotfiles/config.json", "{}\n");
    chmodSync(shop.at("home/dotfiles/config.json"), 0o640);
    shop.link("home/.khaelor/config.json", "../dotfiles/config.json");
    expect(await set("limits.maxBudgetUsd", "2.5")).toBe(2.5);
    expect(lstatSync(path()).isSymbolicLink()).toBe(true);
    expect(statSync(path()).mode & 0o777).toBe(0o640);
    expect(readFileSync(shop.at("home/dotfiles/config.json"), "utf8")).toContain("2.5");
  });

  test("is not touched for a key or a value that will not do", async () => {
    shop.write("home/.khaelor/config.json", "{} // mine");
    expect(await set("modle", "x")).toEqual([
      "config set: modle: expected a known key (did you mean model?), got an unknown one",
    ]);
    expect(await set("effort", "x")).toEqual([
      'config set: effort: expected "low" or "medium" or "high" or "xhigh" or "max", got "x"',
    ]);
    expect(JSON.stringify(await set("apiKey", "sk-ant-secret"))).not.toContain("sk-ant");
    expect(text()).toBe("{} // mine");
  });

  test("is checked as a whole: what is broken elsewhere is told, with its line, and what is set anew may have been", async () => {
    const before = '{\n "effort": "x",\n "thinking": "off" }';
    shop.write("home/.khaelor/config.json", before);
    expect(await set("model", "m")).toEqual([
      `${path()}:2: effort: expected "low" or "medium" or "high" or "xhigh" or "max", got "x"`,
    ]);
    expect(text()).toBe(before);
    expect(await set("effort", "low")).toBe("low");
    expect(text()).toBe('{\n "effort": "low",\n "thinking": "off" }');
  });

  test("that is no JSON, or no text, is left as it is", async () => {
    for (const broken of ['{"a" 1}', '{"model": "a", "model": "b"}', "[]"]) {
      shop.write("home/.khaelor/config.json", broken);
      expect(await set("effort", "low")).toEqual([expect.stringContaining(path())]);
      expect(text()).toBe(broken);
    }
    const bytes = Buffer.from([0x7b, 0x7d, 0x2f, 0x2f, 0xff]);
    await Bun.write(path(), bytes);
    expect(await set("effort", "low")).toEqual([`${path()}: expected text in UTF-8, got other bytes`]);
    expect(readFileSync(path())).toEqual(bytes);
  });

  test("loses nothing to changes at the same moment, of this process or of others", async () => {
    shop.write("home/.khaelor/config.json", "{\n  // mine\n}\n");
    const here = ["fast", "slow", "third"].map((name) => set(`profiles.${name}.model`, name));
    const code = `import { setConfigValue } from ${JSON.stringify(join(import.meta.dir, "../../src/config/index.ts"))};
      for (const name of ["a", "b", "c"]) {
        const changed = await setConfigValue(process.argv[1], \`profiles.\${name}.model\`, name);
        if (!changed.ok) throw new Error(JSON.stringify(changed.error));
      }`;
    const other = Bun.spawn([process.execPath, "-e", code, shop.home], { stdio: ["ignore", "ignore", "inherit"] });
    expect(await Promise.all(here)).toEqual(["fast", "slow", "third"]);
    expect(await other.exited).toBe(0);
    for (const name of ["a", "b", "c", "fast", "slow", "third"]) expect(text()).toContain(`"model": "${name}"`);
    expect(text()).toContain("// mine");
    expect(readdirSync(shop.home)).toEqual(["config.json"]);
  });

  test("is changed also where a killed process left its note", async () => {
    shop.write("home/.khaelor/config.json.lock", "");
    expect(await set("model", "m")).toBe("m");
    expect(readdirSync(shop.home)).toEqual(["config.json"]);
  });

  test("of many keys is written by many changes, and every comment is still there", async () => {
    shop.write("home/.khaelor/config.json", '// top\n{\n  // about the model\n  "model": "a", // why\n}\n// end\n');
    const keys: readonly (readonly [string, string])[] = [
      ["model", "b"],
      ["limits.maxTurns", "9"],
      ["limits.maxSeconds", "60"],
      ["prices.m", '{"input":1,"output":2,"cacheRead":0.1}'],
      ["profiles.fast.model", "c"],
      ["permissions", '[{"capability":"process.execute","pattern":"npm test","action":"allow"}]'],
    ];
    for (const [name, value] of keys)
      expect(Array.isArray(await set(name, value)) && name !== "permissions").toBe(false);
    expect(text().replace(/[^\n]*"(?:limits|prices|profiles|permissions)"[\s\S]*\n}/, "}")).toBe(
      '// top\n{\n  // about the model\n  "model": "b", // why\n}\n// end\n',
    );
    expect(await set("effort", "low")).toBe("low");
  });
});
