/** What follows the session by itself: its timers, the question's panel, title and notifications. */
import { beforeEach, describe, expect, test } from "bun:test";
import type { DurableInput } from "../../src/shared/index.ts";
import { createLayers } from "../../src/tui/app/layers.ts";
import { createSurroundings } from "../../src/tui/app/surroundings.ts";
import type { ActionName } from "../../src/tui/input/keymap.ts";
import { measureBy } from "../../src/tui/layout/width.ts";
import { createViewModel } from "../../src/tui/model/view-model.ts";
import type { Layer } from "../../src/tui/view/layer.ts";
import { HOLD_MS } from "../../src/tui/view/permission/held-answer.ts";
import * as w from "../session/log-words.ts";
import { manualClock } from "../support/clock.ts";
import { textOf } from "../support/frames.ts";

function stage() {
  const clock = manualClock(1000);
  const model = createViewModel();
  const layers = createLayers(() => surroundings.update());
  const told: string[] = [];
  const keys: Partial<Record<ActionName, string | undefined>> = { interrupt: "Esc", "take-back": "Alt+↑" };
  let frames = 0;
  const surroundings = createSurroundings({
    clock,
    measure: () => measureBy("unicode"),
    state: model.state,
    facts: () => undefined,
    transcript: { isFollowing: () => true, unseen: () => 0, focused: () => undefined },
    layers,
    screen: () => ({
      setTitle: (title) => told.push(`title: ${title}`),
      notify: (text) => told.push(`notify: ${text}`),
      requestFrame: () => {
        frames += 1;
      },
    }),
    hasDraft: () => false,
    toDraft: () => undefined,
    respond: (...answer) => told.push(`answer: ${answer.join(" ")}`),
    notifications: true,
    isMouseFree: () => false,
    keyOf: (action) => keys[action],
    hint: () => "",
  });
  const log: DurableInput[] = [];
  const happens = (...inputs: readonly (DurableInput | readonly DurableInput[])[]) => {
    const from = log.length;
    log.push(...inputs.flat());
    for (const event of w.given(log).slice(from)) model.replay(event);
    surroundings.update();
  };
  return {
    clock,
    keys,
    layers,
    told,
    surroundings,
    happens,
    frames: () => frames,
    draw: () => layers.above().map((layer) => layer.rows({ width: 80, height: 20 })),
    status: () => textOf(surroundings.parts.status(80)).trim(),
  };
}
let s = stage();
beforeEach(() => {
  s = stage();
});

describe("timers", () => {
  test("tick once a second while something takes time, and not at rest", () => {
    s.happens(w.begun);
    expect(s.clock.pending()).toBe(0);
    s.happens(w.said("go"), w.asked("r"));
    const before = s.frames();
    s.clock.advance(3000);
    expect([s.clock.pending(), s.frames() - before]).toEqual([1, 3]);
    s.happens(w.question("q"));
    expect(s.clock.pending()).toBe(0);
    s.happens(w.granted("q"), w.completed);
    expect(s.clock.pending()).toBe(0);
  });

  test("end a message, and none is left when all ends", () => {
    s.surroundings.say("sent to the clipboard", "ok");
    expect(s.status()).toStartWith("sent to the clipboard");
    s.clock.advance(4000);
    expect([s.status(), s.clock.pending()]).toEqual(["◌ starting", 0]);
    s.surroundings.say("Ctrl+X …");
    s.surroundings.say("");
    expect([s.status(), s.clock.pending()]).toEqual(["◌ starting", 0]);
    s.happens(w.said("go"));
    s.surroundings.say("again");
    s.surroundings.end();
    expect(s.clock.pending()).toBe(0);
  });
});

test("what stops a turn, and takes back what is queued, is the key that is bound, if there is one", () => {
  const hints = () => [s.status(), ...s.surroundings.parts.chips(80).map((line) => textOf(line).trim())];
  s.happens(w.said("go"), w.asked("r"), w.queued("and then"));
  expect(hints()).toEqual([
    expect.stringContaining("esc stop"),
    expect.stringMatching(/and then .*Alt\+↑ takes it back$/),
  ]);
  [s.keys.interrupt, s.keys["take-back"]] = ["F6", undefined];
  expect(hints()).toEqual([expect.stringContaining("f6 stop"), "◌ steers  and then"]);
  s.keys.interrupt = undefined;
  expect(hints()[0]).not.toContain("stop");
});

test("the panel is there exactly while something is asked", () => {
  const shown = () => s.layers.above().map(({ name }) => name);
  s.happens(w.said("go"), w.question("q1", "t"), w.question("q2", "u"));
  expect(shown()).toEqual(["permission"]);
  s.draw();
  s.clock.advance(300);
  s.layers.key({ name: "y", ctrl: false, alt: false, shift: false, text: "y" });
  s.clock.advance(HOLD_MS);
  expect(s.told).toContain("answer: q1 once");
  s.happens(w.granted("q1"));
  expect(shown()).toEqual(["permission"]);
  s.happens(w.granted("q2"));
  expect(shown()).toEqual([]);
});

test("a question waits behind what covers the screen, calls for attention, and cannot be answered before it was seen", () => {
  const cover: Layer = { name: "viewer", place: "full", rows: () => [], key: () => false };
  const y = { name: "y", ctrl: false, alt: false, shift: false, text: "y" };
  s.happens(w.said("go"));
  s.layers.push(cover);
  s.happens(w.question("q", "t"));
  s.clock.advance(1000);
  expect([s.layers.key(y), s.told.includes("notify: khaelor asks: d")]).toEqual([false, true]);
  s.layers.remove(cover);
  expect([s.layers.above().length, s.layers.key(y)]).toEqual([1, false]);
  s.draw();
  expect(s.layers.key(y)).toBe(true);
  s.clock.advance(300);
  s.layers.key(y);
  s.clock.advance(HOLD_MS);
  expect(s.told.filter((word) => word.startsWith("answer"))).toEqual(["answer: q once"]);
});

test("the title follows what goes on; a word is said only where nobody looks, and not about what was there before", () => {
  s.happens(w.said("go"), w.question("q", "t"));
  s.happens(w.granted("q"), w.answered("r", "ok"), w.completed);
  s.surroundings.focused(false);
  s.happens(w.said("more"));
  s.happens(w.answered("r2", "all done"), w.completed);
  expect(s.told).toEqual([
    "title: ? khaelor",
    "title: khaelor",
    "title: ● khaelor",
    "notify: khaelor: all done",
    "title: khaelor",
  ]);
});
