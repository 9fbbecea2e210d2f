/** What flags say in words of their own: times, numbers, and when there are colours. */
import { expect, test } from "bun:test";
import { parseArguments } from "../../src/cli/args.ts";
import { createPaint } from "../../src/cli/paint.ts";
import { flagLayer } from "../../src/cli/settings.ts";

function layerOf(...argv: readonly string[]) {
  const parsed = parseArguments(["-p", ...argv]);
  if (!parsed.ok) throw new Error(parsed.error);
  return flagLayer(parsed.value);
}

test("a time is seconds, or has its unit behind it", () => {
  const rows = [
    ["90", 90],
    ["90s", 90],
    ["1.5", 1.5],
    ["10m", 600],
    ["2h", 7200],
  ] as const;
  for (const [typed, maxSeconds] of rows) {
    expect(layerOf("--timeout", typed)).toEqual({ limits: { maxSeconds } });
  }
  for (const typed of ["10 m", "1d", "-1", "0", "0h", "m", "1e3"]) {
    expect(() => layerOf(`--timeout=${typed}`)).toThrow(`not "${typed}"`);
  }
});

test("colours are as typed; else they need a terminal that can show them and has them wanted", () => {
  const isPainted = (...[isTerminal, env, typed]: Parameters<typeof createPaint>) =>
    createPaint(isTerminal, env, typed).red("x") !== "x";
  expect([isPainted(true, {}), isPainted(true, {}, "auto"), isPainted(true, {}, "never")]).toEqual([true, true, false]);
  expect([isPainted(true, { NO_COLOR: "1" }), isPainted(true, { NO_COLOR: "" })]).toEqual([false, true]);
  expect([isPainted(true, { TERM: "dumb" }), isPainted(false, {})]).toEqual([false, false]);
  expect(isPainted(false, { NO_COLOR: "1", TERM: "dumb" }, "always")).toBe(true);
});
