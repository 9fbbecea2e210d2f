/** What is left for idle time is done, whoever left it there, and then no timer is armed. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { LogEvent } from "../../../src/shared/index.ts";
import { createFoundation, type Foundation } from "../../../src/tui/app/foundation.ts";
import type { OpenSession, SessionFacts } from "../../../src/tui/ports.ts";
import type { Screen } from "../../../src/tui/screen/port.ts";
import * as w from "../../session/log-words.ts";
import { type ManualClock, manualClock } from "../../support/clock.ts";

const LONG = "words that nobody looks for ".repeat(400);
const HISTORY = w.given(
  w.begun,
  w.said("needle, said first"),
  ...Array.from({ length: 60 }, () => w.said(LONG)),
  w.completed,
);

let clock: ManualClock;
let foundation: Foundation;
let frames = 0;

beforeEach(async () => {
  clock = manualClock();
  frames = 0;
  foundation = createFoundation({
    ports: {
      host: { open: async () => sessionWith(HISTORY), close: async () => undefined },
      settings: {
        ...{ theme: "dark", mouse: true, vim: false, alternateScreen: true, notifications: false, screenReader: false },
        ...{ keybindings: {}, home: "/home/me", version: "0" },
      },
    },
    clock,
    windowMs: 16,
    onEvent: () => undefined,
    onDeath: () => undefined,
    isMouseFree: () => false,
    keyOf: () => undefined,
    hint: () => "",
  });
  foundation.attach({
    requestFrame: () => void frames++,
    facts: () => ({ widthMethod: "unicode", hasKittyKeyboard: false }),
    setTitle: () => undefined,
  } as Partial<Screen> as Screen); // as much of one as is used
  await foundation.core.feed.open({});
  foundation.core.transcript.rows(80, 20);
  clock.runAll();
});
afterEach(() => foundation.end());

test("a search that begins while nothing happens is read to its end, and drawn", () => {
  const { search } = foundation.core.transcript;
  search.find("needle");
  foundation.core.redraw();
  const before = frames;
  expect(search.status()?.isComplete).toBe(false);
  clock.runAll();
  expect(search.status()).toEqual({ query: "needle", at: 1, total: 1, isComplete: true });
  expect([frames > before, clock.pending()]).toEqual([true, 0]);
});

test("a search waits once for the frame that is due, and then goes on in short pauses", () => {
  const { search } = foundation.core.transcript;
  search.find("needle");
  foundation.core.redraw();
  clock.advance(40);
  expect(search.status()?.isComplete).toBe(false);
  clock.advance(8);
  expect(search.status()?.isComplete).toBe(true);
});

const sessionWith = (events: readonly LogEvent[]): OpenSession => ({
  ...{ id: "s", path: "/log", notices: [], died: new Promise<never>(() => undefined) },
  async *history() {
    yield* events;
  },
  ...{ subscribe: () => () => undefined, onNotice: () => () => undefined, dispatch() {}, leave() {} },
  ...{
    nextPermissionMode: () => "ask",
    resume: () => false,
    isBusy: () => false,
    isCompacting: () => false,
    settled: async () => undefined,
  },
  price: () => null,
  facts: () => FACTS,
});

const FACTS: SessionFacts = {
  ...{ title: "t", folder: "~", branch: undefined, changedFiles: 0, model: "m", thinking: "off", effort: undefined },
  ...{ permissionMode: "ask", contextTokens: undefined, contextWindow: 1, costUsd: 0, processes: 0 },
};
