/** The simulation sees what it is there to see: bugs that are made on purpose in a copy of the sources, one at a time. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LOG_MUTANTS } from "./log-mutants.ts";
import { type Finding, type Mutant, MutantHouse } from "./mutant-house.ts";
import { TURN_MUTANTS } from "./turn-mutants.ts";

const MUTANTS: readonly Mutant[] = [...LOG_MUTANTS, ...TURN_MUTANTS];
/** Each has a copy of its own. */
const AT_ONCE = 2;
const LIMIT_MS = 300_000;

describe("the simulation catches it when", () => {
  const houses = Array.from({ length: AT_ONCE }, () => new MutantHouse());
  const findings = new Map(MUTANTS.map(({ name }) => [name, Promise.withResolvers<Finding>()]));
  const waiting = [...MUTANTS];

  beforeAll(() => {
    for (const finding of findings.values()) finding.promise.catch(() => undefined); // its own test tells it
    for (const house of houses) void work(house);
  });
  afterAll(() => {
    for (const house of houses) house.close();
  });

  async function work(house: MutantHouse): Promise<void> {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const finding = findings.get(mutant.name);
      await house.withBug(mutant).then(finding?.resolve, finding?.reject);
    }
  }

  for (const { name, caughtBy } of MUTANTS) {
    test(
      name,
      async () => {
        expect(await findings.get(name)?.promise).toEqual({
          seed: expect.any(Number),
          message: expect.stringMatching(caughtBy),
        });
      },
      LIMIT_MS,
    );
  }
});

test("nothing is found in the sources as they are", async () => {
  const house = new MutantHouse();
  expect(await house.unchanged(200, [1, 2, 3])).toEqual({});
  house.close();
}, 60_000);
