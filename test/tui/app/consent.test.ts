/** Nothing is allowed by accident: whatever is pressed, pasted and clicked while questions come, change and go. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { key } from "../input/keys.ts";
import { type ConsentStage, openConsentStage, type Step } from "./consent-stage.ts";

const RUNS = Number(process.env.CONSENT_RUNS ?? 120);

const keys = (...names: readonly string[]) =>
  fc.constantFrom(...names).map((name): Step => ({ kind: "key", key: key(name) }));
const ANSWERS = keys("y", "s", "a", "A", "n", "d");
const OTHERS = keys(..."eotx/@!?q".split(""), "space", "enter", "tab", "backspace", "up", "down", "pagedown");
const RARE = keys(
  "escape",
  "ctrl+r",
  "ctrl+f",
  "ctrl+k",
  "ctrl+o",
  "ctrl+x",
  "ctrl+u",
  "ctrl+c",
  "f1",
  "ctrl+t",
  "shift+tab",
  "ctrl+up",
);
const times = (...all: readonly number[]) => fc.constantFrom(...all).map((ms): Step => ({ kind: "time", ms }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: ANSWERS },
  { weight: 5, arbitrary: OTHERS },
  { weight: 3, arbitrary: RARE },
  { weight: 6, arbitrary: times(1, 20, 30, 79, 80, 90, 150, 299, 300, 350, 700, 2500) },
  { weight: 6, arbitrary: fc.constant<Step>({ kind: "paint" }) },
  { weight: 3, arbitrary: fc.boolean().map((hasRule): Step => ({ kind: "ask", hasRule })) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: "answered" }, { kind: "away" }, { kind: "switch" }) },
  { weight: 1, arbitrary: fc.constantFrom("yes", "y\n", "").map((text): Step => ({ kind: "paste", text })) },
  {
    weight: 1,
    arbitrary: fc.record({ x: fc.nat(79), y: fc.nat(23) }).map((at): Step => ({ kind: "mouse", ...at })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom([80, 24], [10, 8], [1, 1], [30, 5], [120, 3])
      .map(([width = 1, height = 1]): Step => ({ kind: "size", width, height })),
  },
);

const PAINT: Step = { kind: "paint" };
const wait = (ms: number): Step => ({ kind: "time", ms });
const press = (name: string): Step => ({ kind: "key", key: key(name) });
/** As somebody who means it would do it, or nearly so. */
const meant: fc.Arbitrary<readonly Step[]> = fc
  .record({
    before: fc.constantFrom<readonly Step[]>(
      [],
      [press("ctrl+u")],
      [press("tab")],
      [press("escape"), press("ctrl+u")],
      [{ kind: "away" }],
    ),
    isNew: fc.boolean(),
    ms: fc.constantFrom(0, 250, 299, 300, 320, 600),
    name: fc.constantFrom("y", "s", "a", "A"),
    after: fc.constantFrom(10, 79, 80, 200),
  })
  .map(({ before, isNew, ms, name, after }) => [
    ...before,
    ...(isNew ? [{ kind: "ask", hasRule: true } as const] : []),
    ...[wait(1), PAINT, wait(ms), PAINT, press(name), wait(after)],
  ]);

const steps = fc
  .array(fc.oneof({ weight: 4, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: meant }), {
    minLength: 10,
    maxLength: 70,
  })
  .map((parts) => parts.flat());

async function play(steps: readonly Step[]): Promise<Pick<ConsentStage, "given" | "wrong">> {
  const stage = await openConsentStage();
  try {
    for (const one of steps) await stage.act(one);
    await stage.act({ kind: "time", ms: 1000 });
    return stage;
  } finally {
    stage.close();
  }
}

test("only a key of the panel allows anything, and only what was long enough on the screen", async () => {
  let yes = 0;
  const holds = fc.asyncProperty(steps, async (all) => {
    const { given, wrong } = await play(all);
    yes += given.length;
    expect(wrong).toEqual([]);
  });
  await fc.assert(holds, { numRuns: RUNS, seed: Number(process.env.CONSENT_SEED ?? 7) });

  expect(yes).toBeGreaterThan(RUNS / 4);
}, 60_000);

/** Each is what the steps lead to; the last frame with it. */
async function played(...parts: readonly (Step | string)[]): Promise<{ readonly yes: number; readonly frame: string }> {
  const stage = await openConsentStage();
  try {
    for (const part of parts) await stage.act(typeof part === "string" ? press(part) : part);
    return { yes: stage.given.length, frame: stage.frame() };
  } finally {
    stage.close();
  }
}

const ASK: Step = { kind: "ask", hasRule: true };
const SEEN: readonly Step[] = [wait(2), PAINT, wait(300)];

test("what is open when a question comes keeps the keys until it is closed", async () => {
  for (const opening of ["ctrl+r", "ctrl+f", "ctrl+k", "ctrl+o", "f1"]) {
    const { yes, frame } = await played(wait(1), PAINT, opening, ASK, ...SEEN, "y", wait(100));
    expect([opening, yes]).toEqual([opening, 0]);
    if (opening !== "f1") expect(frame).toMatch(/esc (closes what has|to answer)/);
  }
  for (const opening of ["ctrl+r", "ctrl+k", "ctrl+o", "f1"]) {
    const { yes, frame } = await played(wait(1), PAINT, opening, ASK, ...SEEN, "escape", ...SEEN, "y", wait(100));
    expect([opening, yes, frame.includes("Run a command?")]).toEqual([opening, 1, true]);
  }
});

test("what opens over a question takes the keys from it, and gives them back after a while", async () => {
  for (const opening of ["ctrl+r", "ctrl+k", "ctrl+o", "f1"]) {
    const before = [wait(1), ASK, ...SEEN, opening, ...SEEN] as const;
    expect([opening, (await played(...before, "y", wait(100))).yes]).toEqual([opening, 0]);
    expect((await played(...before, "escape", wait(2), PAINT, wait(200), "y", wait(100))).yes).toBe(0);
    expect((await played(...before, "escape", ...SEEN, "y", wait(100))).yes).toBe(1);
  }
});
