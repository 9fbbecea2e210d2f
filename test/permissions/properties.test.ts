/** What must hold for every text: no throw, no way around the judgement, no rule that makes things laxer by forbidding. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parseShell } from "../../src/permissions/shell/parse.ts";
import { CAPABILITIES, type PermissionAction, type PermissionRule } from "../../src/shared/index.ts";
import { evaluatorFor, PROJECT } from "./ground.ts";
import kinds from "./kinds.json";

const acceptance: readonly { readonly command: string; readonly rules: readonly PermissionRule[] }[] = JSON.parse(
  readFileSync(join(import.meta.dir, "../cases/permission.json"), "utf8"),
).cases;
const known = [...acceptance.map(({ command }) => command), ...kinds.groups.flatMap((group) => group.commands)];
const everything: readonly PermissionRule[] = CAPABILITIES.map((capability) => ({
  capability,
  pattern: "*",
  action: "allow",
}));
const STRICTNESS: Readonly<Record<PermissionAction, number>> = { allow: 0, ask: 1, deny: 2 };

const judge = (command: string, rules: readonly PermissionRule[], mode: "ask" | "bypass" | "plan" = "ask") =>
  evaluatorFor({ rules, mode }).evaluate({ kind: "command", command, cwd: PROJECT });

const SCRAPS =
  "rm|-rf|/|~|$HOME|ls|echo|cat|curl|sh|-c|git|push|sudo|env|X=/|$X|\"|'|`|$(|)|${|}|{|(|;|&&|||&|||>|<|<<E|E|<<<|if|then|fi|for|in|do|done|while|case|esac|f()|eval|trap|xargs|find|-exec|\\;|{}|*|..|a|#|\\|$'\\x72'|[[|]]|((|))|!|time|@P|:-|,|..|\u0000|\u202e|é".split(
    "|",
  );
const text = fc.oneof(
  fc.array(fc.oneof(fc.constantFrom(...SCRAPS), fc.constant("|")), { maxLength: 24 }).map((parts) => parts.join(" ")),
  fc.array(fc.oneof(fc.constantFrom(...SCRAPS), fc.constant("\n")), { maxLength: 24 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .tuple(fc.constantFrom(...known), fc.nat(), fc.nat(6), fc.constantFrom("", ...SCRAPS))
    .map(([command, at, length, scrap]) => {
      const from = at % (command.length + 1);
      return command.slice(0, from) + scrap + command.slice(from + length);
    }),
);
const rule: fc.Arbitrary<PermissionRule> = fc.record({
  capability: fc.constantFrom(...CAPABILITIES),
  pattern: fc.constantFrom(
    "*",
    "rm *",
    "ls *",
    "git *",
    "git push *",
    "src/*",
    "*.test",
    "echo *",
    "cat README.md",
    "/etc/*",
    "*x*",
  ),
  action: fc.constantFrom("allow", "ask", "deny"),
});

test("any text gets a verdict, the same one each time, and none that does not parse is allowed", () => {
  fc.assert(
    fc.property(text, fc.array(rule, { maxLength: 4 }), (command, rules) => {
      const verdict = judge(command, rules);
      expect(judge(command, rules)).toEqual(verdict);
      expect(verdict.parts.length).toBeGreaterThan(0);
      if (parseShell(command).errors.length === 0) return;
      for (const mode of ["ask", "bypass", "plan"] as const)
        expect(judge(command, everything, mode).action).not.toBe("allow");
    }),
    { seed: 7, numRuns: 1500 },
  );
}, 60_000);

test("a further deny rule, wherever it stands, never makes a verdict laxer", () => {
  const command = fc.constantFrom(...known);
  fc.assert(
    fc.property(command, fc.array(rule, { maxLength: 4 }), rule, fc.nat(4), (text, rules, extra, at) => {
      const denying: PermissionRule = { ...extra, action: "deny" };
      const stricter = [...rules.slice(0, at), denying, ...rules.slice(at)];
      const [before, after] = [judge(text, rules), judge(text, stricter)];
      expect(STRICTNESS[after.action]).toBeGreaterThanOrEqual(STRICTNESS[before.action]);
    }),
    { seed: 11, numRuns: 600 },
  );
}, 60_000);

test("the order of independent commands does not matter", () => {
  const independent =
    "ls|cat README.md|npm test|rm -rf /|git push --force|curl http://x|echo a > b|cat ~/.ssh/id_rsa|$X|sudo ls|git log|python3 -c 1".split(
      "|",
    );
  fc.assert(
    fc.property(
      fc.shuffledSubarray(independent, { minLength: 2 }),
      fc.array(rule, { maxLength: 4 }),
      (parts, rules) => {
        const sorted = [...parts].sort();
        expect(judge(parts.join("; "), rules).action).toBe(judge(sorted.join("; "), rules).action);
      },
    ),
    { seed: 13, numRuns: 300 },
  );
}, 60_000);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Ways to have a command run inside another text. */
const NESTINGS: readonly ((inner: string) => string)[] = [
  (x) => `( ${x}\n)`,
  (x) => `{ ${x}\n}`,
  (x) => `if ${x}\nthen ls; fi`,
  (x) => `if true; then :; else ${x}\nfi`,
  (x) => `while ${x}\ndo ls; done`,
  (x) => `for i in 1 2; do ${x}\ndone`,
  (x) => `for ((;;)); do ${x}\ndone`,
  (x) => `case a in a) ${x}\n;; esac`,
  (x) => `f() { ${x}\n}; f`,
  (x) => `g() { ${x}\n}`,
  (x) => `ls && ${x}`,
  (x) => `false || ${x}`,
  (x) => `ls; ${x}`,
  (x) => `ls\n${x}`,
  (x) => `! ( ${x}\n)`,
  (x) => `time ( ${x}\n)`,
  (x) => `( ${x}\n) & wait`,
  (x) => `( ${x}\n) | cat`,
  (x) => `ls | ( ${x}\n)`,
  (x) => `echo $( ${x}\n)`,
  (x) => `echo "$( ${x}\n)"`,
  (x) => `echo \${a:-$( ${x}\n)}`,
  (x) => `echo $(( $( ${x}\n) ))`,
  (x) => `[[ -n $( ${x}\n) ]]`,
  (x) => `a=$( ${x}\n)`,
  (x) => `a=(1 $( ${x}\n))`,
  (x) => `cat <( ${x}\n)`,
  (x) => `ls > >( ${x}\n)`,
  (x) => `cat <<E${x.length}\n$( ${x}\n)\nE${x.length}\n`,
  (x) => `cat <<< "$( ${x}\n)"`,
  (x) => `bash <<'EOT${x.length}'\n${x}\nEOT${x.length}\n`,
  (x) => `sh -c ${quoted(x)}`,
  (x) => `eval ${quoted(x)}`,
  (x) => `trap ${quoted(x)} EXIT`,
  (x) => `timeout 5 bash -c ${quoted(x)}`,
  (x) => `env A=1 nice -n 5 sh -c ${quoted(x)}`,
  (x) => `find . -exec sh -c ${quoted(x)} \\;`,
  (x) => `ls | xargs sh -c ${quoted(x)}`,
  (x) => `echo ${quoted(x)} | sh`,
  (x) => `printf '%s\\n' ${quoted(x)} | bash`,
  (x) => `bash <<< ${quoted(x)}`,
  (x) => `T=${quoted(x)}; eval "$T"`,
  (x) => `coproc ( ${x}\n)`,
];

const nested = (core: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...NESTINGS), { minLength: 1, maxLength: 4 })
    .map((layers) => layers.reduce((inner, layer) => layer(inner), core));

test("no nesting hides a command that has no rule", () => {
  const reading: readonly PermissionRule[] = [{ capability: "file.read", pattern: "*", action: "allow" }];
  fc.assert(
    fc.property(nested("npm publish"), (command) => {
      expect(parseShell(command).errors).toEqual([]);
      expect({ command, action: judge(command, reading).action }).toEqual({ command, action: "ask" });
    }),
    { seed: 17, numRuns: 600 },
  );
}, 60_000);

test("no nesting hides what the floor forbids, in no mode", () => {
  fc.assert(
    fc.property(nested("rm -rf /"), (command) => {
      for (const mode of ["ask", "bypass"] as const) {
        expect({ command, action: judge(command, everything, mode).action }).toEqual({ command, action: "deny" });
      }
    }),
    { seed: 19, numRuns: 600 },
  );
}, 60_000);

test("no nesting gets in the way of a command that only reads", () => {
  const quiet = NESTINGS.filter((layer) => !/^(?:ls \| xargs|find)/.test(layer("x")));
  const reading = fc
    .array(fc.constantFrom(...quiet), { minLength: 1, maxLength: 3 })
    .map((layers) => layers.reduce((inner, layer) => layer(inner), "git status"));
  fc.assert(
    fc.property(reading, (command) => {
      fc.pre(!command.includes("$((")); // what is printed into arithmetic may hold a subscript, which is run
      expect({ command, verdict: judge(command, []).because, action: judge(command, []).action }).toMatchObject({
        command,
        action: "allow",
      });
    }),
    { seed: 23, numRuns: 300 },
  );
}, 60_000);

test("what a suggestion says, stored as a rule, is enough", () => {
  const lacking = known.flatMap((command) => {
    const { suggestion } = judge(command, []);
    if (suggestion === undefined) return [];
    const after = judge(command, [{ ...suggestion, action: "allow" }]);
    return after.action === "allow" && !/[;&|<>`$(){}\n]/.test(suggestion.pattern)
      ? []
      : [`${command}: ${suggestion.pattern}`];
  });
  expect(lacking).toEqual([]);
});
