/** The sessions over the whole screen: what is listed while the list and what is searched for are still being read. */
import { expect, test } from "bun:test";
import type { SessionRow } from "../../../src/tui/ports.ts";
import { createSessionPicker } from "../../../src/tui/view/session-picker.ts";
import { answered, expectScreens, measure, press, screenWith, shown, type } from "./layer-stage.ts";

const NOW = Date.UTC(2026, 10, 30, 12);
const session = (id: string, title: string, hours: number, more: Partial<SessionRow> = {}): SessionRow => ({
  id,
  title,
  updatedAt: NOW - hours * 3_600_000,
  userMessages: 3,
  pendingApprovals: 0,
  costUsd: 0.42,
  ...more,
});
const SESSIONS = [
  session("A", "Torn-tail resume fix", 0.01, { pendingApprovals: 1 }),
  session("B", "Rename the parser's tokens", 5, { userMessages: 1 }),
  session("C", "Why is the build slow?", 30, { costUsd: 0.0012, userMessages: 14 }),
  session("D", "", 24 * 90),
];

function sessionPicker() {
  const asked: {
    readonly text: string;
    readonly signal: AbortSignal;
    readonly answer: (rows: readonly SessionRow[]) => void;
  }[] = [];
  const heard: string[] = [];
  const picker = createSessionPicker({
    measure: () => measure,
    onChange: () => undefined,
    now: () => NOW,
    queries: { sessions: (text, signal) => new Promise((answer) => asked.push({ text, signal, answer })) },
    onOpen: (id) => heard.push(`open ${id}`),
    onClose: () => heard.push("closed"),
    onTrouble: (message) => heard.push(message),
  });
  return { picker, asked, heard };
}

test("the picker of sessions", async () => {
  const { picker, asked, heard } = sessionPicker();
  expect(shown(picker).some((row) => row.includes("reading"))).toBe(true);
  asked[0]?.answer(SESSIONS);
  await answered();
  expectScreens("sessions", screenWith(picker));
  type(picker, "build");
  expect(shown(picker).filter((row) => row.includes("Why is"))).toHaveLength(1);
  expect(asked.map(({ text, signal }) => [text, signal.aborted]).slice(-2)).toEqual([
    ["buil", true],
    ["build", false],
  ]);
  asked.at(-2)?.answer([session("X", "of an older question", 1)]);
  await answered();
  expect(shown(picker).join()).not.toContain("older question");
  asked
    .at(-1)
    ?.answer([
      session("C", "Why is the build slow?", 30),
      session("B", "Rename the parser's tokens", 5, { excerpt: "…and then build it again with the new names" }),
    ]);
  await answered();
  expectScreens("sessions-search", screenWith(picker));
  press(picker, "down", "enter");
  press(picker, "escape");
  expect(heard).toEqual(["open B", "closed"]);
});

test("who types before the sessions were read loses none of them", async () => {
  const early = sessionPicker();
  type(early.picker, "b");
  expect(early.asked.map(({ text, signal }) => [text, signal.aborted])).toEqual([
    ["", false],
    ["b", false],
  ]);
  early.asked[1]?.answer([]);
  await answered();
  expect(shown(early.picker)[4]).toBe("    reading");
  early.asked[0]?.answer(SESSIONS);
  await answered();
  expect(shown(early.picker).join("\n")).toContain("Why is the build slow?");
  press(early.picker, "backspace");
  expect(shown(early.picker)[0]).toEndWith("1 of 4");

  const erased = sessionPicker();
  press(erased.picker, "b", "backspace");
  expect(erased.asked[1]?.signal.aborted).toBe(true);
  expect(shown(erased.picker)[4]).toBe("    reading");
  erased.asked[0]?.answer(SESSIONS);
  await answered();
  expect(shown(erased.picker)[0]).toEndWith("1 of 4");
  type(erased.picker, "zzz");
  press(erased.picker, "backspace", "backspace", "backspace", "escape");
  expect(erased.asked.slice(1).every(({ signal }) => signal.aborted)).toBe(true);
});

test("what held the words before the last key is not what holds them now", async () => {
  const { picker, asked, heard } = sessionPicker();
  asked[0]?.answer(SESSIONS);
  await answered();
  type(picker, "names");
  asked.at(-1)?.answer([session("B", "Rename the parser's tokens", 5, { excerpt: "with the new names" })]);
  await answered();
  expect(shown(picker).join("\n")).toContain("Rename");
  type(picker, "x");
  expect(shown(picker)[4]).toBe("    reading");
  press(picker, "enter");
  expect(heard).toEqual([]);
});
