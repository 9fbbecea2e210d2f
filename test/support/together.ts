/**
 * Tests that mostly wait, run at the same time and judged one after the other. The runner's own way counts the assertions of such
 * tests for whichever it began last, and a test that asserts nothing counts as failed.
 */
import { beforeAll, expect, test } from "bun:test";

/** Two cores are busy with that many programs that wait for each other. */
const MOST_AT_ONCE = 8;

type Work = () => Promise<void>;

/** Call it once, behind the hooks that its tests need; each call of what it returns declares a test. */
export function testsTogether(): (name: string, work: Work) => void {
  const begins: Work[] = [];
  beforeAll(() => {
    let next = 0;
    const goOn = async () => {
      for (let begin = begins[next++]; begin; begin = begins[next++]) await begin();
    };
    for (let count = 0; count < MOST_AT_ONCE; count++) void goOn();
  });
  return (name, work) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined); // its own test tells it
    begins.push(() => work().then(resolve, reject));
    test(name, async () => {
      expect(await promise).toBeUndefined();
    });
  };
}
