/** Kinds of commands beyond the acceptance data: each spelling, wrapper and option that could hide what a command does. */
import { expect, test } from "bun:test";
import type { PermissionRule } from "../../src/shared/index.ts";
import { verdictOn } from "./ground.ts";
import kinds from "./kinds.json";

type Given = Pick<PermissionRule, "pattern"> & { readonly capability: string; readonly action: string };

/** The file is data; its words are checked by the test that every rule is one. */
const asRules = (rules: readonly Given[]): readonly PermissionRule[] => rules as readonly PermissionRule[];
const sets: Readonly<Record<string, readonly Given[]>> = kinds.ruleSets;

for (const group of kinds.groups) {
  test(`with the rules "${group.rules}", ${group.commands.length} commands: ${group.expect}`, () => {
    const rules = asRules(sets[group.rules] ?? []);
    const wrong = group.commands
      .map((command) => ({ command, verdict: verdictOn(command, { rules }) }))
      .filter(({ verdict }) => verdict.action !== group.expect)
      .map(({ command, verdict }) => `${command}: ${verdict.action}, ${verdict.because}`);
    expect(wrong).toEqual([]);
  });
}

test("single commands with rules of their own", () => {
  const wrong = kinds.single
    .map((given) => {
      const rules = asRules([
        ...("rules" in given ? (given.rules ?? []) : [...(sets.everything ?? []), ...(given.everythingAnd ?? [])]),
      ]);
      return { ...given, verdict: verdictOn(given.command, { rules }) };
    })
    .filter(({ expect, verdict }) => verdict.action !== expect)
    .map(({ command, verdict }) => `${command}: ${verdict.action}, ${verdict.because}`);
  expect(wrong).toEqual([]);
});
