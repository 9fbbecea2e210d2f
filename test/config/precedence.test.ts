/** Every key through every source that may say it: each source beats all weaker ones, and is named as where the value was said. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { KNOWN_KEYS } from "../../src/config/index.ts";
import { nested } from "../../src/config/key-path.ts";
import { loading, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

const { resolved } = loading(() => shop);

/** Weakest first. */
const ORDER = [
  "environment",
  "user",
  "user profile",
  "project",
  "settings",
  "settings profile",
  "assignment",
  "flag",
] as const;
type Source = (typeof ORDER)[number];

const SAID_BY: Readonly<Record<Source, string>> = {
  environment: "environment",
  user: "user",
  "user profile": "profile",
  project: "project",
  settings: "settings",
  "settings profile": "profile",
  assignment: "flag",
  flag: "flag",
};

interface Row {
  /** One for each source, in their order; neighbours differ. */
  readonly values: readonly unknown[];
  readonly variable?: string;
  readonly notOfProjects?: true;
}

const words = { values: ["a", "b", "c", "d", "e", "f", "g", "h"] };
const falling = { values: [80, 70, 60, 50, 40, 30, 20, 10] };
const price = (input: number) => ({ input, output: 1, cacheRead: 1 });

const ROWS: Readonly<Record<string, Row>> = {
  model: { ...words, variable: "KHAELOR_MODEL" },
  auxModel: { ...words, variable: "KHAELOR_AUX_MODEL" },
  fallbackModel: { ...words, variable: "KHAELOR_FALLBACK_MODEL" },
  effort: { values: ["low", "medium", "high", "xhigh", "max", "low", "medium", "high"], variable: "KHAELOR_EFFORT" },
  thinking: {
    values: ["off", "adaptive", "off", "adaptive", "off", "adaptive", "off", "adaptive"],
    variable: "KHAELOR_THINKING",
  },
  maxOutputTokens: falling,
  permissionMode: { values: ["", "bypass", "accept-edits", "plan", "bypass", "ask", "plan", "bypass"] },
  "limits.maxTurns": falling,
  "limits.maxBudgetUsd": falling,
  "limits.maxSeconds": falling,
  "limits.maxTurnUsd": falling,
  "limits.maxSessionUsd": falling,
  "limits.maxDayUsd": falling,
  "compaction.route": { values: ["aux", "main", "server", "aux", "main", "server", "main", "server"] },
  "compaction.auto": { values: [true, false, true, false, true, false, true, false] },
  passEnv: { values: ["", ["B"], ["C"], "", ["E"], ["F"], ["G"], ["H"]], notOfProjects: true },
  baseUrl: {
    values: words.values.map((name) => `https://${name}.invalid`),
    variable: "ANTHROPIC_BASE_URL",
    notOfProjects: true,
  },
  theme: {
    values: ["light", "dark", "light", "", "auto", "dark", "light", "dark"],
    variable: "KHAELOR_THEME",
    notOfProjects: true,
  },
  "keybindings.diff": { values: words.values.map((key) => [`ctrl+${key}`]), notOfProjects: true },
  ...Object.fromEntries(
    ["mouse", "vim", "alternateScreen", "notifications", "screenReader"].map((name) => [
      `terminal.${name}`,
      { values: [false, true, false, false, true, false, true, false], notOfProjects: true },
    ]),
  ),
  "prices.m": { values: [1, 2, 3, 4, 5, 6, 7, 8].map(price), notOfProjects: true },
};

for (const [key, row] of Object.entries(ROWS)) {
  test(key, async () => {
    const path = key.split(".");
    const says = (source: Source) => nested(path, row.values[ORDER.indexOf(source)]) as object; // as: no path is empty
    const given = ORDER.filter(
      (source) =>
        !(source === "environment" && row.variable === undefined) && !(source === "project" && row.notOfProjects),
    );
    for (const [at, strongest] of given.entries()) {
      const has = (source: Source) => given.slice(0, at + 1).includes(source);
      const when = (source: Source, value: object) => (has(source) ? value : {});
      const file = (own: Source, profile: Source) => ({
        ...when(own, says(own)),
        profiles: { p: when(profile, says(profile)) },
      });
      shop.write("home/.khaelor/config.json", file("user", "user profile"));
      shop.write("project/.khaelor/config.json", when("project", says("project")));
      const settings = shop.write("home/settings.json", file("settings", "settings profile"));
      const assignment = `${key}=${JSON.stringify(row.values[ORDER.indexOf("assignment")])}`;
      const env = has("environment") && row.variable ? { [row.variable]: String(row.values[0]) } : {};
      const chosen = { file: settings, profile: "p", assignments: has("assignment") ? [assignment] : [] };
      const { config, origins, warnings } = await resolved(when("flag", says("flag")), env, { chosen });
      const found = path.reduce<unknown>((inner, step) => (inner as Readonly<Record<string, unknown>>)[step], config);
      expect([strongest, found, origins[key]?.source, warnings]).toEqual([
        strongest,
        row.values[ORDER.indexOf(strongest)],
        SAID_BY[strongest] as "flag",
        [],
      ]);
    }
  });
}

test("no key is left out but those that are joined, and profiles", () => {
  const single = KNOWN_KEYS.filter(
    (key) => !["limits", "prices", "keybindings", "terminal", "compaction"].includes(key),
  );
  const rows = Object.keys(ROWS).filter((key) => key !== "prices.m" && key !== "keybindings.diff");
  expect([...rows, "additionalDirectories", "permissions", "profiles"].sort()).toEqual([...single].sort());
});
