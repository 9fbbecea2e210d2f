/**
 * Whatever is pressed, pasted, clicked, resized and answered, in any order: the interface holds. A short run here; a long one
 * with FUZZ_SECONDS, from FUZZ_SEED on.
 */
import { expect, test } from "bun:test";
import { fuzz } from "./run.ts";

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

if (SECONDS > 0) {
  test(
    "for long",
    async () => {
      const until = Date.now() + SECONDS * 1000;
      const failures: string[] = [];
      for (let seed = SEED; Date.now() < until; seed++) {
        const begun = Date.now();
        const done = await fuzz({ seed, steps: 600, seconds: 120 }).catch((error: Error) => {
          console.log(`FAIL ${error.message}`);
          failures.push(error.message);
        });
        console.log(`seed ${seed}: ${JSON.stringify(done)} in ${Date.now() - begun} ms`);
      }
      expect(failures).toEqual([]);
    },
    SECONDS * 1000 + 180_000,
  );
} else {
  test("a short while", async () => {
    const done = await fuzz({ seed: SEED, steps: 240, seconds: 4 });
    expect(done.steps).toBeGreaterThan(40);
  }, 30_000);
}
