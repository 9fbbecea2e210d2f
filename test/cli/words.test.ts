/** Small texts that are pasted or stand in lists: nothing in them may break out. */
import { expect, test } from "bun:test";
import { statsText } from "../../src/cli/stats-report.ts";
import { localMinute, plainWord, shellWord } from "../../src/cli/words.ts";
import { activityOf, noActivity } from "../../src/session/index.ts";

test("what is to be pasted is one word for a shell, whatever is in it", () => {
  for (const text of ["npm test *", "'é' *", "/etc/it's", "a'; touch x; '$(touch y)`touch z`", 'a\nb \\ "c"']) {
    const { stdout } = Bun.spawnSync(["/bin/sh", "-c", `printf %s ${shellWord(text)}`]);
    expect(stdout.toString()).toBe(text);
  }
});

test("a name with line ends makes no line of its own in a list", () => {
  expect(["plain", "with blank", "a\nb", "c\u2028d"].map(plainWord)).toEqual([
    "plain",
    "with blank",
    '"a\\nb"',
    JSON.stringify("c\u2028d"),
  ]);
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const total = {
    ...activityOf(noActivity()),
    byModel: new Map([["m\ncost       $0", { responses: 1, usage, costUsd: 1, unpriced: 0 }]]),
    tools: new Map([["t\nturns", 1]]),
  };
  const lines = statsText({ sessions: 1, total, problems: [] }, { days: undefined, all: false }).split("\n");
  expect(lines.filter((line) => line.startsWith("cost"))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith("turns"))).toHaveLength(1);
});

test("a time that no calendar has is told as such, whoever wrote it", () => {
  const told = [1e20, -1e18, 8.64e15 + 1, Number.POSITIVE_INFINITY].map(localMinute);
  expect(told.every((text) => text.trim() === "no known time" && text.length === localMinute(0).length)).toBe(true);
});
