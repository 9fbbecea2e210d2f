/** Header, status bar, chips and pill at every width: what is shown, what goes first, and when a tick is needed. */
import { describe, expect, test } from "bun:test";
import { measureBy } from "../../../src/tui/layout/width.ts";
import type { Line } from "../../../src/tui/line.ts";
import type { Activity, QueuedChip } from "../../../src/tui/model/items.ts";
import type { SessionFacts } from "../../../src/tui/ports.ts";
import { nextTick } from "../../../src/tui/view/activity-words.ts";
import { chipLines } from "../../../src/tui/view/chips.ts";
import { headerLine } from "../../../src/tui/view/header.ts";
import { pillLine } from "../../../src/tui/view/pill.ts";
import { statusLine } from "../../../src/tui/view/status-bar.ts";
import { expectGolden, textOf } from "../../support/frames.ts";

const measure = measureBy("unicode");
const FACTS: SessionFacts = {
  title: "Torn-tail resume fix",
  folder: "~/khaelor",
  branch: "fix/torn-tail",
  changedFiles: 2,
  model: "claude-sonnet-5-5",
  thinking: "adaptive",
  effort: undefined,
  permissionMode: "ask",
  contextTokens: 62_000,
  contextWindow: 200_000,
  costUsd: 0.42,
  processes: 0,
};
const WIDTHS = [120, 100, 72, 60, 40, 30, 20, 10, 3, 1];
const atWidths = (draw: (width: number) => Line): string =>
  WIDTHS.map((width) => `${String(width).padStart(4)} │${textOf(draw(width)).padEnd(width)}│`).join("\n");
const status =
  (activity: Activity, facts: SessionFacts | undefined = FACTS) =>
  (width: number) =>
    statusLine({ facts, activity, now: 65_000, measure, hint: "^K commands", stopKey: "Esc" }, width);

const ACTIVITIES: readonly Activity[] = [
  { kind: "starting" },
  { kind: "idle" },
  { kind: "waiting-for-model", since: 64_500 },
  { kind: "thinking", since: 0 },
  { kind: "writing", since: 61_000 },
  { kind: "calling", since: 61_000, name: "bash", what: "bun test src/session\n# all" },
  { kind: "calling", since: 61_000, name: "odd\u202ename", what: "" },
  { kind: "asking" },
  { kind: "retrying", until: 77_000, message: "overloaded" },
  { kind: "retrying", until: 65_000, message: "overloaded" },
  { kind: "verifying", since: 60_000 },
];

test("a session that is only looked at is in one state, said once", () => {
  const shown = textOf(status({ kind: "idle" }, { ...FACTS, permissionMode: "read-only" })(100));
  expect(shown).toStartWith(" ○ read-only ");
  expect(shown.match(/ready|read-only/g)).toEqual(["read-only"]);
});

describe("golden frames", () => {
  test("the header", () =>
    expectGolden(
      "header",
      atWidths((width) => headerLine({ facts: FACTS, measure }, width)),
    ));

  test("the status bar while a command runs", () => {
    expectGolden(
      "status-running",
      atWidths(status({ kind: "calling", since: 61_000, name: "bash", what: "bun test src/session" })),
    );
  });

  test("the status bar in each state", () => {
    expectGolden("status-states", ACTIVITIES.map((activity) => textOf(status(activity)(100))).join("\n"));
  });

  test("chips and pill", () => {
    const chip = (text: string, deliver: "now" | "next-turn"): QueuedChip => ({
      eventId: text,
      text,
      deliver,
      mentions: [],
      images: [],
    });
    const some = [chip("look at the tests first\nand then go on", "now"), chip("update the changelog", "next-turn")];
    const many = [
      ...some,
      chip("three", "now"),
      chip("a long one that says much more than fits into this row of a terminal, and more", "now"),
    ];
    const rows = [100, 60, 40, 10].flatMap((width) => [
      ...chipLines({ queued: some, measure, takeBackKey: "Alt+↑" }, width),
      ...chipLines({ queued: many, measure, takeBackKey: "Alt+↑" }, width),
      ...[pillLine({ isFollowing: false, unseen: 42, measure }, width)].filter((line) => line !== undefined),
    ]);
    expectGolden("chips", rows.map((line) => textOf(line).trimEnd()).join("\n"));
  });
});

const WIDE_CHIP: QueuedChip = {
  eventId: "e",
  text: "字".repeat(99),
  deliver: "now",
  mentions: [],
  images: ["a"],
};

describe("whatever the width", () => {
  const facts: readonly (SessionFacts | undefined)[] = [
    undefined,
    FACTS,
    {
      ...FACTS,
      title: "標題很長".repeat(20),
      folder: `~/${"深".repeat(60)}`,
      branch: "b".repeat(90),
      processes: 3,
      permissionMode: "bypass",
    },
  ];
  test("no line is wider than the screen, and its width is what it measures", () => {
    for (let width = 1; width <= 140; width++) {
      for (const one of facts) {
        const lines = [
          headerLine({ facts: one, measure }, width),
          ...ACTIVITIES.map((activity) => status(activity, one)(width)),
          ...chipLines({ queued: [WIDE_CHIP], measure, takeBackKey: "Alt+↑" }, width),
        ];
        for (const line of lines) {
          expect(line.width).toBeLessThanOrEqual(width);
          expect(measure(textOf(line))).toBe(line.width);
        }
      }
    }
  });

  test("what is there goes from the right to the left, and never comes back in less room", () => {
    const items = ["^K commands", "think auto", "sonnet-5-5", "$0.42", "ctx 31%", "esc stop"];
    const seen = items.map((item) => {
      const widths = Array.from({ length: 140 }, (_, at) => at + 1);
      const shown = widths.filter((width) => textOf(status({ kind: "thinking", since: 61_000 })(width)).includes(item));
      expect(shown).toEqual(widths.slice(widths.length - shown.length));
      return shown.length;
    });
    expect(seen.toSorted((a, b) => a - b).slice(0, 4)).toEqual(seen.slice(0, 4));
  });
});

describe("the status bar", () => {
  test("tells no number that no usage gave", () => {
    const line = textOf(status({ kind: "idle" }, { ...FACTS, contextTokens: undefined, costUsd: null })(120));
    expect(line).not.toMatch(/[%$]/);
    expect(line).toContain("cost unknown");
  });

  test("warns as the window fills up", () => {
    const tone = (contextTokens: number) =>
      status({ kind: "idle" }, { ...FACTS, contextTokens })(120).spans.find(({ text }) => text.startsWith("ctx"))?.tone;
    expect([tone(100_000), tone(160_000), tone(195_000)]).toEqual(["muted", "warn", "error"]);
  });

  test("a message takes the place of what goes on", () => {
    const message = { text: "sent to the clipboard\u001b[31m", tone: "ok" as const };
    const line = statusLine(
      { facts: FACTS, activity: { kind: "idle" }, now: 0, measure, message, stopKey: undefined },
      80,
    );
    expect(textOf(line)).toStartWith(" sent to the clipboard\\e[31m  ");
  });
});

test("a tick is due at the next full second, and only while something takes time", () => {
  const ticks = ACTIVITIES.map((activity) => nextTick(activity, 65_250));
  expect(ticks).toEqual([undefined, undefined, 250, 750, 750, 750, 750, undefined, 750, undefined, 750]);
});
