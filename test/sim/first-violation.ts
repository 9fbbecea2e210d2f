/**
 * A program: `first-violation.ts STEPS SEED...` simulates the seeds in their order until one shows a violation, and prints as JSON
 * which one and what it says; `{}` when none does. Anything but a violation is an error of the program's.
 */
import { simulate } from "./simulation.ts";

const [steps = "", ...seeds] = process.argv.slice(2);
console.log(JSON.stringify(await firstViolation(Number(steps), seeds.map(Number))));
process.exit(0); // whatever a deliberate bug has left running

async function firstViolation(each: number, of: readonly number[]): Promise<object> {
  for (const seed of of) {
    try {
      await simulate({ seed, steps: each });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { seed, message: error.message };
    }
  }
  return {};
}
