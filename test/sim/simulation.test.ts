/**
 * Sessions simulated whole, a bounded number of them. More are for `scripts/simulate.ts`; what it finds is told by its seed.
 */
import { describe, expect, test } from "bun:test";
import { type Course, simulate } from "./simulation.ts";

const STEPS = 600;
const SEEDS = 24;

describe("a simulated session", () => {
  const courses: Course[] = [];

  for (let seed = 1; seed <= SEEDS; seed++) {
    test(`of seed ${seed} is never lost, refused or told otherwise than it was`, async () => {
      const course = await simulate({ seed, steps: STEPS });
      courses.push(course);
      expect(course.steps).toBeGreaterThan(STEPS);
    }, 60_000);
  }

  test("has met all that the simulation is for, in more than ten thousand steps", () => {
    const met = new Set(courses.flatMap(({ happened }) => [...happened.keys()]));
    expect(EXPECTED.filter((what) => !met.has(what))).toEqual([]);
    const types = new Set(courses.flatMap((course) => course.types));
    expect(TYPES.filter((type) => !types.has(type))).toEqual([]);
    expect(courses.reduce((sum, { steps }) => sum + steps, 0)).toBeGreaterThan(10_000);
  });

  test("goes the same way again from the same seed", async () => {
    const again = await simulate({ seed: 1, steps: STEPS });
    expect(again.types).toEqual(courses[0]?.types ?? []);
  }, 60_000);
});

const EXPECTED = [
  "a death before a write",
  "a death during a write",
  "a death after a write",
  "a death between two things",
  "a power cut",
  "a short write",
  "a lock that is held",
  "a lock that is unsupported",
  "the clock jumps",
  "on the wire: cut",
  "on the wire: overloaded",
  "on the wire: silence",
  "the user: answer at work",
  "the user: fork",
  "the user: interrupt at work",
  "the user: steer at work",
  "the user: switch",
  "the user: withdraw",
];

const TYPES = [
  "context.compacted",
  "file.modified",
  "model.thinking-block-completed",
  "permission.denied",
  "permission.granted",
  "session.model-changed",
  "session.resumed",
  "task.completed",
  "task.failed",
  "tool.cancelled",
  "tool.completed",
  "user.interrupted",
  "user.steering-injected",
];
